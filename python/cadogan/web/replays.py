"""Lines of moves that links tell: they are played, shown, and not kept."""

from fastapi import APIRouter

from cadogan.i18n.text import told
from cadogan.moves import MoveError
from cadogan.web import models, serialize
from cadogan.web.problems import Refused, message
from cadogan.web.state import Language, StateDep

router = APIRouter(prefix="/api/replays", tags=["tables"])


@router.post("")
def replay_line(wish: models.Line, state: StateDep, language: Language) -> models.Replay:
    """A line that a link tells, move by move. No table is made of it."""
    if (wish.deal is None) == (wish.deck is None):
        why = message("deal", told("say either 'deal' or 'deck'"))
        raise Refused(422, models.Problem(code="invalid", message=why))
    game = state.library.choose(wish.game)
    at = game.deal(wish.deal) if wish.deck is None else game.deal(deck=wish.deck.split())
    for number, text in enumerate(wish.line, 1):
        try:
            at = at.play(text)
        except MoveError as fault:
            why = message(
                "line",
                told(
                    "move {number} of the line, '{move}', cannot be made: {reason}",
                    number=number, move=text, reason=fault.reason,
                ),
            )  # fmt: skip
            raise Refused(422, models.Problem(code="refused", message=why)) from None
    return serialize.replay(at, language)
