"""``cadogan review``: where a game was lost, and which moves would have kept the win."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.choose import Json, Source, read
from cadogan.cli.output import UsageError

if TYPE_CHECKING:
    from cadogan import Position
    from cadogan.solver.review import Choice, Review, Turn
    from cadogan.table.game_file import GameText

BUDGET: Final = 100_000
LARGEST: Final = 10**12
BAR: Final = 10
"""The columns of a full bar of the plot."""
GameFile = Annotated[
    Source,
    Parameter(help="A game, saved in the browser or in the terminal. - is standard input."),
]
Budget = Annotated[
    int,
    Parameter(
        name="--budget",
        help="The most nodes to search for each position; a fifth for a move not played.",
    ),
]
LossOnly = Annotated[
    bool, Parameter(name="--loss-only", help="Only find where the game was lost: much faster.")
]
Again = Annotated[
    Source | None,
    Parameter(
        name="--again",
        help="Write the game up to the losing move to this file; 'cadogan play --load' plays it.",
    ),
]
ShowProgress = Annotated[bool, Parameter(name="--progress", help="Show progress.")]


def review(
    file: GameFile,
    /,
    *,
    budget: Budget = BUDGET,
    loss_only: LossOnly = False,
    again: Again = None,
    progress: ShowProgress = False,
    json: Json = False,
) -> int:
    """Show where a game was lost, and what kept the win.

    The loss comes with its proof, and with the moves that would have kept the win. Every move is
    listed with the verdict after it and, as a plot, how many of the legal moves before it kept the
    win. The search sees every card, including face-down ones. A position that is not decided within
    the budget is shown as such. With --again the exit status is 1 if the game was not lost by a
    known move.
    """
    from cadogan.solver.review import review as reviewed

    if not 1 <= budget <= LARGEST:
        raise UsageError(f"a budget of {budget} nodes is not possible", f"give 1 to {LARGEST}")
    end = _played(file)
    book = end.game.rulebook
    if book.score is not None and not (book.aim or book.score.won_from is not None):
        raise UsageError(
            f"points decide {end.game.title}: there is no win that could be lost",
            "'cadogan solve --score' finds the best score",
        )
    live = _Live(progress)
    try:
        found = reviewed(end, budget, moves=not loss_only, progress=live)
    finally:
        live.end()
    loss = found.loss()
    move = None if loss is None else loss.move
    choices = [] if move is None or loss_only else found.choices(move - 1)
    if json:
        output.data_json(_facts(found, choices))
    else:
        _show(found, choices, loss_only)
    if again is None:
        return 0
    if move is None:
        output.note(f"{again} is not written: no move is known to have lost the game")
        return 1
    _write(found.line[move - 1], again)
    return 0


def _played(file: Path) -> "Position":
    """The final position of the game in a file."""
    import cadogan
    from cadogan.table.game_file import GameFileError, read_game

    text = read(file)
    try:
        game_text = read_game(text)
    except GameFileError as fault:
        raise UsageError(
            f"{file} is not the file of a game: {fault}",
            "save the game in the browser, or with 'save' in 'cadogan play'",
        ) from None
    game = cadogan.load(game_text.game)
    if game_text.digest not in (None, game.digest):
        raise UsageError(f"the rules of {game_text.game} have changed since {file} was saved")
    if game_text.deal is not None:
        position = game.deal(game_text.deal)
    else:
        position = game.deal(deck=(game_text.deck or "").split())
    return _replayed(position, game_text, file)


def _replayed(position: "Position", game_text: "GameText", file: Path) -> "Position":
    from cadogan import MoveError

    for number, written in enumerate(game_text.line, 1):
        try:
            position = position.play(written.text)
        except MoveError as fault:
            raise UsageError(
                f"move {number}, line {written.line} of {file}: "
                f"{fault.fault} {written.text!r}: {fault.reason}"
            ) from None
    return position


def _show(found: "Review", choices: "list[Choice]", loss_only: bool) -> None:
    """Prints a review."""
    end, turns = found.line[-1], found.turns()
    deal = end.deal_name or "a deck of its own"
    moves = "1 move" if end.move_count == 1 else f"{end.move_count} moves"
    output.data(f"{end.game.title}  ·  {deal}  ·  {moves}")
    output.data(_sentence(found.text()))
    loss = found.loss()
    if loss is not None:
        output.data(f"  {_after(loss.last)}: {loss.proof.text()}")
        if loss.first > 0:
            before = turns[loss.first - 1]
            output.data(f"  {_after(loss.first - 1)}: {before.finding.text()}")
    if choices:
        _show_choices(choices)
    if end.move_count:
        output.data()
        _show_turns(found, turns, loss_only)
    output.data()
    output.data(f"{found.nodes:,} positions searched")


def _show_choices(choices: "list[Choice]") -> None:
    """Prints what the other moves would have done."""
    for status, words in (
        ("winnable", "kept the win"),
        ("unwinnable", "lost it, too"),
        ("unknown", "not decided"),
    ):
        texts = [
            each.move.text
            for each in choices
            if each.finding.status == status and not each.is_played
        ]
        if texts:
            output.data(f"  {words}: {', '.join(texts)}")


def _show_turns(found: "Review", turns: "list[Turn]", loss_only: bool) -> None:
    """Prints a line for each move: the verdict after it, and the plot."""
    moves = [each.last_move for each in found.line[1:]]
    texts = [move.text for move in moves if move is not None]
    wide = max(map(len, texts))
    columns = "" if loss_only else "moves that kept the win"
    head = f"{'move':>5}  {'':{wide}}  {'after it':10}  {columns}"
    output.data(head.rstrip())
    for number, text in enumerate(texts, 1):
        row = f"{number:>5}  {text:{wide}}  {_VERDICTS[turns[number].finding.status]:10}"
        if not loss_only:
            row += f"  {_bar(turns[number - 1])}"
        output.data(row.rstrip())


def _bar(turn: "Turn") -> str:
    """The numbers of a turn, and a bar of the share of moves that kept the win."""
    if turn.finding.status != "winnable" or not turn.legal:
        return ""
    open_ = turn.legal - turn.kept - turn.lost
    full = round(BAR * turn.kept / turn.legal)
    other = min(BAR - full, round(BAR * open_ / turn.legal))
    bar = "#" * full + "?" * other
    text = f"{bar:{BAR}}  {turn.kept} of {turn.legal}"
    return f"{text}, {open_} not decided" if open_ else text


def _after(number: int) -> str:
    return f"after move {number}" if number else "the deal"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


_VERDICTS: Final = {"winnable": "winnable", "unwinnable": "unwinnable", "unknown": "?"}


def _facts(found: "Review", choices: "list[Choice]") -> dict[str, Any]:
    """A review as JSON."""
    end, loss = found.line[-1], found.loss()
    turns = []
    for turn in found.turns():
        move = found.line[turn.number].last_move
        finding = turn.finding
        turns.append(
            {
                "move": None if move is None else move.text,
                "status": finding.status,
                "how": finding.how,
                "proof": str(finding.text()),
                "left": finding.left,
                "legal": turn.legal,
                "kept": turn.kept,
                "lost": turn.lost,
            }
        )
    return {
        "game": end.game.name,
        "deal": end.deal_name,
        "moves": end.move_count,
        "outcome": end.outcome,
        "review": str(found.text()),
        "loss": None
        if loss is None
        else {
            "first": loss.first,
            "last": loss.last,
            "move": loss.move,
            "proof": str(loss.proof.text()),
            "moves": [
                {
                    "move": each.move.text,
                    "status": each.finding.status,
                    "proof": str(each.finding.text()),
                    "played": each.is_played,
                }
                for each in choices
            ],
        },
        "nodes": found.nodes,
        "turns": turns,
    }


def _write(position: "Position", file: Path) -> None:
    """Writes the game that led to a position."""
    from cadogan.cards import format_cards
    from cadogan.storage import replace_file
    from cadogan.table.game_file import HEADING

    deal = position.deal_name
    facts = [f"game: {position.game.name}", f"digest: {position.game.digest}"]
    facts.append(f"deal: {deal}" if deal else f"deck: {format_cards(position.deck)}")
    moves = [move.text for move in position.line if not move.forced]
    lines = [HEADING, *(f"# {fact}" for fact in facts), *moves]
    replace_file(file, "\n".join(lines) + "\n")
    output.note(f"{file} has the game up to there; 'cadogan play --load {file}' plays on")


class _Live:
    """Progress in positions searched, on a terminal one live line."""

    def __init__(self, wanted: bool) -> None:
        self._wanted = wanted and sys.stderr.isatty()
        self._shown = False

    def __call__(self, found: "Review") -> None:
        if self._wanted:
            text = f"{found.nodes:,} positions searched; {found.text()}"
            sys.stderr.write(f"\r\x1b[K{text[: output.width() - 1]}")
            sys.stderr.flush()
            self._shown = True

    def end(self) -> None:
        """Clears the line."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
