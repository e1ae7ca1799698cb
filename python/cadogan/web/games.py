"""Routes of games: the list of games, their rules in words, the player's own rules files."""

from typing import Annotated, Final

from fastapi import APIRouter, Path
from fastapi.responses import Response

from cadogan.i18n.names import rule_label
from cadogan.i18n.text import term, translate
from cadogan.pictures.board import board
from cadogan.rules.faults.report import Severity
from cadogan.rules.files import split_name
from cadogan.table import library
from cadogan.web import models, serialize
from cadogan.web.admission import AdmittedRoute
from cadogan.web.problems import Refused, message
from cadogan.web.prose import rules_in
from cadogan.web.state import AppState, Language, StateDep

SHOWN_DEAL: Final = "cadogan:1"
"""The deal in the picture of a game."""

router = APIRouter(prefix="/api", tags=["games"], route_class=AdmittedRoute)
GameName = Annotated[str, Path(min_length=1, max_length=models.MOST_NAME)]


@router.get("/games")
def games(state: StateDep, language: Language) -> list[models.GameSummary]:
    """All games, those of the catalogue first."""
    return summaries(state, state.library.names(), language)


def summaries(state: AppState, wanted: list[str], language: str) -> list[models.GameSummary]:
    """The entries of some games in the list."""
    favourites = state.store.favourites()
    played: dict[str, list[tuple[str, dict[str, object]]]] = {}
    for row, summary in state.store.tables():
        played.setdefault(split_name(row.game)[0], []).append((row.id, dict(summary)))
    found = []
    for name in wanted:
        facts = state.library.listed(name)
        if isinstance(facts, library.Faulty):
            found.append(_faulty(facts, name in favourites, language))
            continue
        book = facts.game.rulebook
        tables = played.get(name, [])
        over = [summary for _, summary in tables if summary["won"] or summary["closed"]]
        measured = state.library.chances(name)
        opened = [key for key, summary in tables if not summary["won"] and not summary["closed"]]
        found.append(
            models.GameSummary(
                name=name,
                title=serialize.title(book, language),
                names=serialize.names(book),
                aliases=serialize.aliases(book),
                family=serialize.family(book.family, language),
                source=translate(term(book.source), language),
                origin="upload" if facts.own else "catalogue",
                packs=book.packs,
                cards=len(facts.game.pack),
                piles=len(facts.game.pile_names),
                open=facts.open,
                variants=[serialize.variant(v, language) for v in facts.game.variants],
                favourite=name in favourites,
                last_played=tables[0][1]["played"] if tables else None,  # type: ignore[arg-type]
                table=opened[0] if opened else None,
                played=sum(bool(summary["made"]) for summary in over),
                won=sum(bool(summary["won"]) for summary in over),
                difficulty=None if measured is None else measured.difficulty(facts.open),
                chances=serialize.chances(measured),
                fault=None,
            )
        )
    return found


def _faulty(facts: library.Faulty, favourite: bool, language: str) -> models.GameSummary:
    """The entry of a rules file with errors, which can only be removed."""
    return models.GameSummary(
        name=facts.name,
        title=facts.title,
        names={"en": facts.title},
        aliases=[],
        family=serialize.family("", language),
        source="",
        origin="upload",
        packs=0,
        cards=0,
        piles=0,
        open=False,
        variants=[],
        favourite=favourite,
        last_played=None,
        table=None,
        played=0,
        won=0,
        difficulty=None,
        chances=None,
        fault=serialize.say("rules.faulty", facts.reason, language),
    )


@router.get("/games/{name}")
def game(name: GameName, state: StateDep, language: Language) -> models.Game:
    """A game, with variants such as ``klondike:draw-three``."""
    return game_of(state, name, language)


def game_of(state: AppState, name: str, language: str) -> models.Game:
    """A game, as the page shows it."""
    loaded = state.library.choose(name)
    book, base = loaded.rulebook, split_name(name)[0]
    return models.Game(
        name=name,
        base=base,
        title=serialize.title(book, language),
        names=serialize.names(book),
        source=translate(term(book.source), language),
        origin="upload" if base.startswith(library.OWN) else "catalogue",
        digest=loaded.digest,
        packs=book.packs,
        cards=len(loaded.pack),
        chosen=list(loaded.active_variants),
        variants=[serialize.variant(v, language) for v in loaded.variants],
        groups=[
            models.GroupInfo(
                name=group.name,
                role=group.role,
                piles=[group.pile_name(index) for index in range(group.count)],
                shown=group.shown,
                order=None
                if group.build_order is None
                else translate(term(group.build_order.text), language),
                label=translate(term(group.name, "pile"), language),
            )
            for group in book.groups
        ],
        layout=serialize.layout(book),
        words=[
            models.Word(
                word=loaded.verbs[index],
                rule=book.rules[index].name,
                label=translate(rule_label(loaded.verbs[index]), language),
                piles=serialize.stands_for(book, book.rules[index]),
            )
            for index in serialize.free_words(loaded)
        ],
        remarks=[translate(term(remark), language) for remark in book.remarks],
        favourite=base in state.store.favourites(),
    )


@router.get("/games/{name}/variants")
def variants(name: GameName, state: StateDep, language: Language) -> list[models.Variant]:
    """The variants of a game, their win rates, and which exclude each other."""
    return serialize.variants(state.library, split_name(name)[0], language)


@router.get("/games/{name}/rules")
def rules(name: GameName, state: StateDep, language: Language) -> models.RulesProse:
    """The rules in words, generated from the compiled rules."""
    loaded = state.library.choose(name)
    text, complete = rules_in(loaded, language)
    return models.RulesProse(
        name=name,
        title=serialize.title(loaded.rulebook, language),
        markdown=text,
        language=language,
        complete=complete,
    )


@router.get(
    "/games/{name}/picture",
    response_class=Response,
    responses={200: {"description": "The picture.", "content": {"image/svg+xml": {}}}},
)
def picture(name: GameName, state: StateDep) -> Response:
    """The table at the beginning of a game, as SVG; the deal is always the same."""
    drawn = board(state.library.choose(name).deal(SHOWN_DEAL), caption=False)
    headers = {"Cache-Control": "private, max-age=600"}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


@router.get("/games/{name}/file")
def rules_file(name: GameName, state: StateDep) -> models.RulesFile:
    """The rules file, as written."""
    base = split_name(name)[0]
    origin = "upload" if base.startswith(library.OWN) else "catalogue"
    return models.RulesFile(name=base, text=state.library.text(base), origin=origin)  # type: ignore[arg-type]


@router.put("/games/{name}/favourite", status_code=204)
def make_favourite(name: GameName, state: StateDep) -> None:
    """Makes a game a favourite."""
    state.library.facts(split_name(name)[0])
    state.store.set_favourite(split_name(name)[0], True)


@router.delete("/games/{name}/favourite", status_code=204)
def unmake_favourite(name: GameName, state: StateDep) -> None:
    """Removes a game from the favourites."""
    state.store.set_favourite(split_name(name)[0], False)


@router.post("/rules/check")
def check(body: models.RulesCheck, state: StateDep, language: Language) -> models.Checked:
    """Checks a rules file like ``cadogan check``, without storing it.

    With a number of a deal, a file without errors is also drawn and put into words, and its deals
    are searched for as long as somebody asks how far that is.
    """
    draft = None
    try:
        if body.deal is None:
            report = state.library.check(body.text)
        else:
            deal = f"cadogan:{body.deal}"
            report, draft = state.library.draft(body.text, deal, language)
    except library.LibraryFullError as fault:
        raise _too_large(fault) from None
    found = sorted(
        library.faults(report, language), key=lambda fault: (fault["line"], fault["column"])
    )
    rate = None
    if draft is not None and draft.has_win and state.workers:
        rate = state.rates.begin(state.store.player, body.text, draft.digest)
    return models.Checked(
        ok=report.ok,
        faults=[models.Fault(**fault) for fault in found],
        draft=None if draft is None else serialize.draft(draft, rate, language),
    )


@router.post("/rules", status_code=201)
def upload(body: models.Upload, state: StateDep, language: Language) -> models.Uploaded:
    """Stores a rules file. Faults are reported as by ``cadogan check``."""
    try:
        name, report = state.library.add(body.text, body.replaces)
    except library.LibraryFullError as fault:
        raise _too_large(fault) from None
    warnings = [
        models.Fault(**fault)
        for fault in library.faults(report, language)
        if fault["severity"] == Severity.WARNING.value
    ]
    (summary,) = summaries(state, [name], language)
    return models.Uploaded(game=summary, warnings=warnings)


@router.delete("/rules/{name}", status_code=204)
def remove(name: GameName, state: StateDep) -> None:
    """Removes a rules file of the player from the list; its tables stay."""
    state.library.remove(name)


def _too_large(fault: library.LibraryFullError) -> Refused:
    why = message("rules.too-large", fault.args[0])
    return Refused(413, models.Problem(code="too-large", message=why))
