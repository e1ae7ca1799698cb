"""Reviews of the games at the tables."""

from fastapi import APIRouter

from cadogan.i18n.text import gettext, translate
from cadogan.solver.review import Choice, Finding
from cadogan.table.reviews import Seen
from cadogan.table.service import NoTableError
from cadogan.web import models, serialize
from cadogan.web.admission import AdmittedRoute
from cadogan.web.state import Language, StateDep
from cadogan.web.tables import Key

router = APIRouter(prefix="/api/tables", tags=["tables"], route_class=AdmittedRoute)


@router.post("/{key}/review")
def review(
    key: Key, body: models.ReviewRequest, state: StateDep, language: Language
) -> models.Review:
    """Begins or continues the review of a game, and returns what is known.

    The search goes on for some seconds after each request.
    """
    record = state.tables.get(key)
    node = ([record.node, *record.ahead()])[-1] if body.node is None else body.node
    if node >= len(record.nodes):
        raise NoTableError(gettext("there is no position {number} at this table", number=node))
    return _review(state.reviews.look(record, node), node, language)


def _review(seen: Seen, node: int, language: str) -> models.Review:
    loss = seen.loss
    return models.Review.model_construct(
        node=node,
        message=serialize.say("review", seen.text, language),
        searching=seen.is_searching,
        complete=seen.is_complete,
        nodes=seen.nodes,
        turns=[
            models.ReviewTurn.model_construct(
                status=turn.finding.status,
                why=_why(turn.finding, language),
                legal=turn.legal,
                kept=turn.kept,
                lost=turn.lost,
            )
            for turn in seen.turns
        ],
        loss=None
        if loss is None
        else models.ReviewLoss.model_construct(
            first=loss.first,
            last=loss.last,
            move=loss.move,
            why=_why(loss.proof, language),
            moves=[_move(seen, each, language) for each in seen.choices],
        ),
    )


def _move(seen: Seen, choice: Choice, language: str) -> models.ReviewMove:
    assert seen.loss is not None
    before = seen.line[seen.loss.last - 1]
    return models.ReviewMove.model_construct(
        text=choice.move.text,
        cards=serialize.taken(before, choice.move),
        status=choice.finding.status,
        why=_why(choice.finding, language),
        played=choice.is_played,
    )


def _why(finding: Finding, language: str) -> models.Message:
    text = translate(finding.text(), language)
    return models.Message.model_construct(key=f"review.{finding.how}", text=text)
