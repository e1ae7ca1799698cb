"""Routes of the deals of the day."""

from datetime import date, timedelta
from typing import Annotated

from fastapi import APIRouter, Query

from cadogan.i18n.text import gettext, translate
from cadogan.table import daily
from cadogan.table.accounts import Session
from cadogan.table.counted import LONGEST_PLAYER
from cadogan.table.store import now
from cadogan.web import models, serialize
from cadogan.web.admission import AdmittedRoute
from cadogan.web.door import CurrentSession
from cadogan.web.problems import Refused, message
from cadogan.web.state import AppState, Language, StateDep

router = APIRouter(prefix="/api/daily", tags=["daily"], route_class=AdmittedRoute)
NOBODY = gettext("a former player")
Day = Annotated[
    str | None, Query(pattern=r"^\d{4}-\d\d-\d\d$", description="In UTC; by default today.")
]
Player = Annotated[
    str | None, Query(max_length=LONGEST_PLAYER, description="Whose results to show.")
]


@router.get("")
def deals(
    state: StateDep,
    language: Language,
    session: CurrentSession,
    day: Day = None,
    player: Player = None,
) -> models.DailyDay:
    """The deals of a day. Those that are not known yet are searched for: ask again."""
    wanted, today, player = _day(day), now().date(), _name(session, player)
    found = state.daily.deals(wanted)
    return models.DailyDay(
        day=wanted,
        today=today,
        first=today - timedelta(days=daily.DAYS),
        games=[_game(state, each, player, language) for each in found],
    )


@router.get("/results")
def results(
    state: StateDep,
    language: Language,
    game: Annotated[str, Query(max_length=models.MOST_NAME)],
    day: Day = None,
    order: Annotated[daily.Order, Query(description="What counts first.")] = "moves",
) -> list[models.DailyResult]:
    """The results of a deal, the best first; late ones come last."""
    found = state.daily.results(_day(day), game, order)
    return [_result(each, language) for each in found]


@router.post("/results", status_code=201)
def enter(
    body: models.DailyEntry, state: StateDep, language: Language, session: CurrentSession
) -> models.DailyResult:
    """Replays a result, and counts it if it wins the deal. One counts for each player and table.

    With accounts it counts for the player who is logged in, whatever name is given.
    """
    if (body.moves is None) == (body.table is None):
        why = message("daily", gettext("give either 'moves' or 'table'"))
        raise Refused(422, models.Problem(code="invalid", message=why))
    player = _name(session, body.player) or ""
    found = state.daily.enter(_day(body.day), body.game, player, moves=body.moves, table=body.table)
    return _result(found, language)


@router.get("/calendar")
def calendar(
    state: StateDep,
    language: Language,
    session: CurrentSession,
    player: Annotated[str, Query(min_length=1, max_length=LONGEST_PLAYER)],
) -> models.DailyCalendar:
    """The results of a player in the last year; with accounts, of the one who is logged in."""
    found = state.daily.calendar(_name(session, player) or "")
    streak, best = daily.streaks(found, now().date())
    return models.DailyCalendar(
        results=[_result(each, language) for each in found], streak=streak, best_streak=best
    )


def _game(
    state: AppState, found: daily.DailyDeal, player: str | None, language: str
) -> models.DailyGame:
    table = None if found.deal is None else state.daily.table(found)
    known = state.daily.results(found.day, found.game.name)
    name = " ".join((player or "").split())
    own = next((each for each in known if each.player == name and not each.is_nobodys), None)
    return models.DailyGame(
        game=found.game.name,
        title=serialize.title(found.game.rulebook, language),
        state=found.state,
        deal=found.deal,
        table=None if table is None else table.key,
        won=table is not None and table.won,
        result=None if own is None else _result(own, language),
        results=len(known),
    )


def _name(session: Session | None, given: str | None) -> str | None:
    """Whose results: with accounts those of the player who is logged in."""
    return given if session is None else session.player.name


def _result(found: daily.DailyResult, language: str) -> models.DailyResult:
    return models.DailyResult(
        day=found.day,
        game=found.game,
        player=translate(NOBODY, language) if found.is_nobodys else found.player,
        moves=found.moves,
        seconds=found.seconds,
        clean=found.clean,
        late=found.late,
        at=found.at,
    )


def _day(text: str | None) -> date:
    if text is None:
        return now().date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        why = message("daily", gettext("'{day}' is not a day", day=text))
        raise Refused(422, models.Problem(code="invalid", message=why)) from None
