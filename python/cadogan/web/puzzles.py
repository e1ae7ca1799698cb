"""Routes of puzzles."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from cadogan.game import Position
from cadogan.i18n.text import gettext, translate
from cadogan.table import puzzles
from cadogan.table.intent import Intent
from cadogan.table.service import PlayedMove
from cadogan.web import models, serialize
from cadogan.web.admission import AdmittedRoute
from cadogan.web.problems import Refused, message
from cadogan.web.state import AppState, Language, StateDep

router = APIRouter(prefix="/api/puzzles", tags=["puzzles"], route_class=AdmittedRoute)
Key = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]
MOST_SKIPPED = 50


@router.get("/next")
def next_puzzle(
    state: StateDep,
    language: Language,
    game: Annotated[
        str | None, Query(max_length=models.MOST_NAME, description="Only puzzles of this game.")
    ] = None,
    skip: Annotated[
        list[Annotated[str, Query(pattern=r"^[0-9a-f]{16}$")]],
        Query(max_length=MOST_SKIPPED, description="Puzzles that are not wanted now."),
    ] = [],  # noqa: B006 - FastAPI copies it
) -> models.Puzzle:
    """The next puzzle fit for the player."""
    return _puzzle(state, state.puzzles.next(game or None, skip), language)


@router.get("/{key}")
def puzzle(key: Key, state: StateDep, language: Language) -> models.Puzzle:
    """A puzzle."""
    return _puzzle(state, state.puzzles.get(key), language)


@router.post("/{key}/tries")
def try_move(
    key: Key, body: models.PuzzleTry, state: StateDep, language: Language
) -> models.PuzzleTried:
    """Tries a move, or gives up. The first try at a puzzle counts."""
    has_move = body.text is not None, body.from_ is not None and body.to is not None
    if sum((*has_move, body.gives_up)) != 1:
        why = message("move.unreadable", gettext("give 'from' and 'to', or the 'text' of the move"))
        raise Refused(422, models.Problem(code="invalid", message=why))
    wanted = None if body.gives_up else Intent(body.text, body.from_, body.to, body.count)
    return _tried(state, state.puzzles.tried(key, wanted), language)


def _puzzle(state: AppState, found: puzzles.ServedPuzzle, language: str) -> models.Puzzle:
    at = found.position
    return models.Puzzle.model_construct(
        key=found.key,
        game=at.game.name,
        title=serialize.title(at.game.rulebook, language),
        deal=found.saved.deal,
        left=len(found.saved.line),
        counts=state.puzzles.is_new(found),
        position=serialize.position(at, language),
        hidden=_hidden(at),
        standing=_standing(state.puzzles.standing(found)),
        player=_standing(state.puzzles.player()),
        games=[
            models.PuzzleGame(
                name=name,
                title=serialize.title(state.library.choose(name).rulebook, language),
                puzzles=number,
            )
            for name, number in state.puzzles.games().items()
        ],
    )


def _tried(state: AppState, tried: puzzles.Tried, language: str) -> models.PuzzleTried:
    at, after = tried.puzzle.position, None
    if tried.move is not None:
        after = at.play(tried.move)
    shows = tried.is_right or tried.move is None
    return models.PuzzleTried.model_construct(
        right=tried.is_right,
        counted=tried.counted,
        message=models.Message(key="puzzle", text=translate(tried.text, language)),
        move=None if tried.move is None else tried.move.text,
        steps=[] if tried.move is None else serialize.steps([PlayedMove(at, tried.move, "player")]),
        position=None if after is None else serialize.position(after, language),
        line=serialize.line([at, *tried.puzzle.line]) if shows else [],
        standing=_standing(state.puzzles.standing(tried.puzzle)),
        player=_standing(state.puzzles.player()),
    )


def _hidden(at: Position) -> list[models.Hidden]:
    """The cards that lie face down, the one on top of each pile first."""
    found = []
    for name, cards in at.piles.items():
        down = at.face_down[name]
        hidden = [str(card) for card, is_down in zip(cards, down, strict=True) if is_down]
        if hidden:
            found.append(models.Hidden(name=name, cards=hidden[::-1]))
    return found


def _standing(found: puzzles.Standing) -> models.Standing:
    return models.Standing(
        rating=round(found.rating.rating),
        deviation=round(found.rating.deviation),
        tried=found.tried,
        solved=found.solved,
    )
