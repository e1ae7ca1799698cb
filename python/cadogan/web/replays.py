"""Lines of moves in links: they are replayed and shown, but not stored."""

from collections.abc import Sequence

from fastapi import APIRouter

from cadogan.game import Position
from cadogan.i18n.text import gettext
from cadogan.moves import MoveError
from cadogan.web import models, serialize
from cadogan.web.admission import AdmittedRoute
from cadogan.web.problems import Refused, message
from cadogan.web.state import AppState, Language, StateDep

router = APIRouter(prefix="/api/replays", tags=["tables"], route_class=AdmittedRoute)


@router.post("")
def replay_line(body: models.Line, state: StateDep, language: Language) -> models.Replay:
    """A line from a link, move by move. This creates no table."""
    return serialize.replay(line_of(state, body.game, body.deal, body.deck, body.line), language)


def line_of(
    state: AppState, name: str, deal: str | None, deck: str | None, line: Sequence[str]
) -> Position:
    """The position at the end of a line.

    Raises:
        Refused: If a move of it is illegal.
    """
    if (deal is None) == (deck is None):
        why = message("deal", gettext("give either 'deal' or 'deck'"))
        raise Refused(422, models.Problem(code="invalid", message=why))
    game = state.library.choose(name)
    at = game.deal(deal) if deck is None else game.deal(deck=deck.split())
    for number, text in enumerate(line, 1):
        try:
            at = at.play(text)
        except MoveError as fault:
            why = message(
                "line",
                gettext(
                    "move {number} of the line, '{move}', is illegal: {reason}",
                    number=number, move=text, reason=fault.reason,
                ),
            )  # fmt: skip
            raise Refused(422, models.Problem(code="refused", message=why)) from None
    return at
