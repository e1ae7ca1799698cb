"""Lines of moves in links: they are replayed and shown, but not stored."""

from fastapi import APIRouter

from cadogan.i18n.text import told
from cadogan.moves import MoveError
from cadogan.web import models, serialize
from cadogan.web.problems import Refused, message
from cadogan.web.state import Language, StateDep

router = APIRouter(prefix="/api/replays", tags=["tables"])


@router.post("")
def replay_line(body: models.Line, state: StateDep, language: Language) -> models.Replay:
    """A line from a link, move by move. This creates no table."""
    if (body.deal is None) == (body.deck is None):
        why = message("deal", told("give either 'deal' or 'deck'"))
        raise Refused(422, models.Problem(code="invalid", message=why))
    game = state.library.choose(body.game)
    at = game.deal(body.deal) if body.deck is None else game.deal(deck=body.deck.split())
    for number, text in enumerate(body.line, 1):
        try:
            at = at.play(text)
        except MoveError as fault:
            why = message(
                "line",
                told(
                    "move {number} of the line, '{move}', is illegal: {reason}",
                    number=number, move=text, reason=fault.reason,
                ),
            )  # fmt: skip
            raise Refused(422, models.Problem(code="refused", message=why)) from None
    return serialize.replay(at, language)
