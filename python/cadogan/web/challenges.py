"""Routes of challenges."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from cadogan.i18n.text import gettext
from cadogan.table.challenges import Challenge
from cadogan.web import models, serialize
from cadogan.web.admission import AdmittedRoute
from cadogan.web.problems import Refused, message
from cadogan.web.state import Language, StateDep

router = APIRouter(prefix="/api/challenges", tags=["challenges"], route_class=AdmittedRoute)
Key = Annotated[str, Path(pattern=r"^[a-z0-9]{16}$")]
Table = Annotated[
    str | None,
    Query(pattern=r"^[a-z0-9]{16}$", description="One's own table, if its result counts."),
]


@router.post("", status_code=201)
def make(body: models.NewChallenge, state: StateDep, language: Language) -> models.Challenge:
    """Makes a challenge from a game that is over, won or not."""
    return _challenge(state.challenges.make(body.table, body.player), language, seen=True)


@router.get("/{key}")
def challenge(
    key: Key, state: StateDep, language: Language, table: Table = None
) -> models.Challenge:
    """A challenge; with its results if that of the table is one of them."""
    found = state.challenges.get(key)
    return _challenge(found, language, seen=state.challenges.may_see(found, table))


@router.post("/{key}/results", status_code=201)
def enter(
    key: Key, body: models.ChallengeEntry, state: StateDep, language: Language
) -> models.Challenge:
    """Replays a result, and counts it if it ends the game. One counts for each name and table."""
    if (body.moves is None) == (body.table is None):
        why = message("daily", gettext("give either 'moves' or 'table'"))
        raise Refused(422, models.Problem(code="invalid", message=why))
    found = state.challenges.enter(key, body.player, moves=body.moves, table=body.table)
    return _challenge(found, language, seen=True)


def _challenge(found: Challenge, language: str, *, seen: bool) -> models.Challenge:
    deal = found.dealt.deal_name
    results = [
        models.ChallengeResult(
            player=each.player,
            won=each.won,
            points=each.points,
            moves=each.moves,
            seconds=each.seconds,
            clean=each.clean,
            first=each.first,
            at=each.at,
        )
        for each in found.results
    ]
    return models.Challenge(
        key=found.key,
        game=found.game.name,
        title=serialize.title(found.game.rulebook, language),
        deal=deal,
        deck=None if deal is not None else " ".join(map(str, found.dealt.deck)),
        player=found.player,
        made=found.made,
        number=len(results),
        results=results if seen else None,
    )
