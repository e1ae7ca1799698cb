"""Routes for writing a rules file: the form, and what the editor offers."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from cadogan.i18n.text import gettext, translate
from cadogan.rules.writing.choice import AnswersError, Choice
from cadogan.rules.writing.choices import CHOICES, SECTIONS
from cadogan.rules.writing.rules_file import rules_file
from cadogan.rules.writing.vocabulary import vocabulary
from cadogan.table.service import NoTableError
from cadogan.web import models, serialize
from cadogan.web.admission import AdmittedRoute
from cadogan.web.state import Language, StateDep

router = APIRouter(prefix="/api", tags=["writing"], route_class=AdmittedRoute)


@router.get("/rules/form")
def form(language: Language) -> list[models.FormSection]:
    """The choices of the form, in the order in which they are asked."""
    return [
        models.FormSection(
            key=section.key,
            label=translate(section.label, language),
            choices=[_choice(choice, language) for choice in section.choices],
        )
        for section in SECTIONS
    ]


@router.post("/rules/form")
def write(body: models.FormAnswers, language: Language) -> models.WrittenRules:
    """Writes the rules file that some answers describe; nothing is stored."""
    default = {"name": translate(CHOICES["name"].default, language)}
    try:
        return models.WrittenRules(text=rules_file(default | body.answers), misfits=[])
    except AnswersError as error:
        misfits = [
            models.FormMisfit(choices=list(misfit.choices), text=translate(misfit.text, language))
            for misfit in error.misfits
        ]
        return models.WrittenRules(text=None, misfits=misfits)


@router.get("/rules/vocabulary")
def offered(response: Response) -> models.Vocabulary:
    """What the editor offers while one writes: keys, values and phrases."""
    response.headers["Cache-Control"] = "private, max-age=600"
    known = vocabulary()
    return models.Vocabulary(
        json_schema=known.schema,
        groups=list(known.groups),
        phrases={key: list(phrases) for key, phrases in known.phrases.items()},
        piles=list(known.piles),
    )


@router.get("/rules/rates/{key}")
def rate(key: Annotated[str, Path(pattern=r"^[a-z0-9]{16}$")], state: StateDep) -> models.Rate:
    """How often a rules file comes out that is being written; the search goes on meanwhile."""
    found = state.rates.look(state.store.player, key)
    if found is None:
        raise NoTableError(gettext("there is no such search"))
    return serialize.rate(found)


def _choice(choice: Choice, language: str) -> models.FormChoice:
    return models.FormChoice(
        key=choice.key,
        label=translate(choice.label, language),
        help=translate(choice.help, language),
        kind=choice.kind,
        default=translate(choice.default, language),
        options=[
            models.FormOption(value=option.value, label=translate(option.label, language))
            for option in choice.options
        ],
        least=choice.least,
        most=choice.most,
        unless=[
            models.FormBar(choice=key, answers=list(answers))
            for key, answers in choice.unless.items()
        ],
    )
