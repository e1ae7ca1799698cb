"""A game in the terminal: reads a line, does what it says, shows the result."""

import contextlib
import io
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cadogan import InvalidMoveError, MoveError
from cadogan.cards import CardError
from cadogan.cli import output
from cadogan.cli.ask import ask_line
from cadogan.cli.choose import Deal, lay_out
from cadogan.cli.draw import Glyphs, draw
from cadogan.cli.listing import gathered
from cadogan.deals import DealError
from cadogan.rules.faults.report import nearest
from cadogan.storage import replace_file
from cadogan.table import Adviser
from cadogan.table.game_file import write_game
from cadogan.table.intent import Intent
from cadogan.table.record import TooLongError
from cadogan.table.service import NothingToDoError, StaleError, Tables
from cadogan.table.store import Conflict
from cadogan.trouble import trouble

if TYPE_CHECKING:
    from cadogan import Move, Position
    from cadogan.table.lenient import LenientStore
    from cadogan.table.record import Record

HELP: Final = """\
3                    play the move with this number
garden.3 > garden.5  play this move; you may shorten names: g.3 > g.5
undo, u              undo the last move              redo, r   play it again
restart              undo all moves                  new DEAL  deal again, or this deal
why MOVE             explain why a move is illegal
hint NODES           search so many positions for a winning move
moves PILE, m        list the moves, or a pile's     show, s   draw the table
rules                explain the rules               line      list the moves played
save FILE            save the game to a file         help, ?   show this text
quit, q              leave; the game stays saved"""

CHANGED: Final = "the table has changed meanwhile"
LOST: Final = ", so moves that were not saved are lost"

MAX_LISTED: Final = 6
"""The largest number of forced moves to list; further ones are counted."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The services that a table in the terminal uses.

    Attributes:
        tables: All tables.
        store: Where they are stored.
        lasting: Whether the store survives the program.
    """

    tables: Tables
    store: "LenientStore"
    lasting: bool


class Table:
    """A table with one player.

    Args:
        seat: The tables.
        record: The game.
        glyphs: How cards are drawn.
        whole: Shows hidden cards too.

    Attributes:
        record: The record that the player last saw.
    """

    def __init__(self, seat: Seat, record: "Record", glyphs: Glyphs, *, whole: bool) -> None:
        self.tables = seat.tables
        self.store = seat.store
        self.lasting = seat.lasting
        self.record = record
        self.glyphs = glyphs
        self.whole = whole
        self.adviser = Adviser()
        self.left = False
        self.commands: dict[str, Callable[[str], bool]] = {
            "undo": self.undo,
            "u": self.undo,
            "redo": self.redo,
            "r": self.redo,
            "restart": self.restart,
            "new": self.new,
            "why": self.why,
            "hint": self.hint,
            "moves": self.moves,
            "m": self.moves,
            "show": self.show,
            "s": self.show,
            "rules": self.rules,
            "line": self.line,
            "save": self.save,
            "help": self.help,
            "?": self.help,
            "quit": self.quit,
            "q": self.quit,
            "exit": self.quit,
        }

    @property
    def position(self) -> "Position":
        """The current position."""
        return self.record.position

    # Reading lines.

    def sit_down(self) -> int:
        """Plays until the player leaves."""
        if isinstance(sys.stdin, io.TextIOWrapper):
            # Input that is not UTF-8 must not end the game.
            sys.stdin.reconfigure(errors="replace")
        if sys.stdin.isatty():
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  (line editing and history)
        self.draw()
        output.note("type the number of a move or its text, or ? for help")
        try:
            while not self.left:
                line = ask_line(self._prompt())
                if line is None:
                    output.data()
                    break
                self.answer(line)
        except KeyboardInterrupt:
            output.data()
            self._farewell()
            raise
        self._farewell()
        return 0

    def follow(self, lines: Iterable[str]) -> bool:
        """Executes the lines of a script, without drawing.

        Returns:
            Whether every line succeeded.
        """
        for line in lines:
            output.data(f"> {line}")
            if not self.answer(line, brief=True):
                return False
            if self.left:
                break
        output.data()
        self.draw()
        return True

    def answer(self, line: str, *, brief: bool = False) -> bool:
        """Executes a line.

        Returns:
            Whether it succeeded.
        """
        word, _, rest = line.strip().partition(" ")
        before, was_behind = self.position, self.store.is_behind
        try:
            if not word:
                done = self.show("")
            elif (command := self.commands.get(word.lower())) is not None:
                done = command(rest.strip())
            else:
                done = self.move(line.strip())
        except MoveError as fault:
            hint = "type ? for help" if isinstance(fault, InvalidMoveError) else None
            output.error(f"{fault.fault} {fault.move!r}: {fault.reason}", hint)
            return False
        except StaleError as stale:
            self.record = stale.record
            output.error(f"{CHANGED}{LOST if was_behind else ''}", "look at it, and try again")
            done = False
        except (
            DealError,
            CardError,
            NothingToDoError,
            TooLongError,
            output.UsageError,
        ) as fault:
            output.error(str(fault), getattr(fault, "hint", None))
            return False
        except Exception as fault:
            if (known := trouble(fault)) is None:
                raise
            output.error(known.text, known.hint)
            return False
        if self.position is not before and not brief:
            output.data()
            self.draw()
        return done

    def _prompt(self) -> str:
        if self.position.outcome is not None:
            return f"{self.position.outcome}> "
        if self.position.pending_choice is not None:
            options = len(self.position.moves())
            return f"you must choose ({self.position.pending_choice}), 1-{options}> "
        return f"move {self.position.move_count + 1}> "

    def leave(self) -> bool:
        """Tries again to save everything, and reports if that fails.

        Returns:
            Whether everything is saved.
        """
        try:
            self.store.flush()
        except Conflict:
            output.warning(f"{CHANGED}{LOST}")
        saved = self.lasting and not self.store.is_behind
        if not saved:
            output.warning("the game is not saved")
        return saved

    def _farewell(self) -> None:
        if self.leave():
            output.note("the game is saved; 'cadogan play --resume' continues it")

    def draw(self, *, brief: bool = False) -> None:
        """Draws the table and lists the moves."""
        width = output.width()
        picture = draw(self.position, width=width, glyphs=self.glyphs, whole=self.whole)
        output.data_text(picture)
        output.data()
        if not brief:
            self.moves("")

    # The commands.

    def move(self, text: str) -> bool:
        """Plays a move."""
        before = self.position
        legal = before.moves()
        if text.isdecimal():
            number = int(text) if len(text) < 6 else 0
            if not 1 <= number <= len(legal):
                are = (
                    f"the moves are numbered 1 to {len(legal)}"
                    if legal
                    else "there are no legal moves"
                )
                raise output.UsageError(f"no move {text[:12]}", are)
            text = legal[number - 1].text
        elif before.outcome is not None:
            raise output.UsageError(
                f"the game is {before.outcome}",
                "type undo to go back, or new to deal again",
            )
        self.record = self.tables.move(self.record.key, self.record.version, Intent(text))[0]
        self._report(self.position.line_since(before))
        return True

    def _report(self, made: "tuple[Move, ...]") -> None:
        """Reports what happened: the player's move, and what followed automatically."""
        move, forced = made[0], [move.text for move in made[1:]]
        turn = self.position.move_count - sum(not each.forced for each in made[1:])
        output.data(f"{turn}. {move.text}")
        if forced:
            more = f", and {len(forced) - MAX_LISTED} more" if len(forced) > MAX_LISTED else ""
            output.data(f"   automatically: {'; '.join(forced[:MAX_LISTED])}{more}")

    def undo(self, _: str) -> bool:
        """Undoes the last move."""
        self.record = self.tables.undo(self.record.key, self.record.version)
        return True

    def redo(self, _: str) -> bool:
        """Plays an undone move again."""
        before = self.position
        self.record = self.tables.redo(self.record.key, self.record.version)[0]
        self._report(self.position.line_since(before))
        return True

    def restart(self, _: str) -> bool:
        """Undoes all moves."""
        self.record = self.tables.restart(self.record.key, self.record.version)
        return True

    def new(self, name: str) -> bool:
        """Deals again; the game so far stays saved."""
        first = lay_out(self.record.game, Deal(deal=name or None))
        self.record = self.tables.begin(first, options=self.tables.options())
        return True

    def why(self, text: str) -> bool:
        """Explains why a move is illegal."""
        if not text:
            raise output.UsageError("no move given", "write, for example: why garden.3 > garden.1")
        reason = self.position.why_not(text)
        output.data("it is legal" if reason is None else reason)
        return True

    def hint(self, text: str) -> bool:
        """Suggests a move."""
        from cadogan.table.hints import BUDGET

        if text and not (text.isdecimal() and len(text) < 12 and int(text)):
            raise output.UsageError(f"{text!r} is not a number of positions", "write: hint 1000000")
        if self.position.outcome is not None:
            raise output.UsageError(f"the game is {self.position.outcome}")
        budget = int(text) if text else BUDGET
        try:
            hint = self.adviser.hint(self.position, budget)
        except KeyboardInterrupt:
            output.note("\nthe search was stopped")
            return False
        seen = any(card is None for pile in self.position.visible_piles().values() for card in pile)
        aside = " (the search sees the hidden cards)" if seen else ""
        if self.position.game.rulebook.is_shuffled:
            aside = " (the search knows the shuffles of this deal)"
        if hint.proved:
            output.data(f"{hint.move}: wins in {hint.left} moves, proved{aside}")
        elif hint.verdict is not None and hint.verdict.status == "unwinnable":
            output.data(f"the game can no longer be won, proved{aside}")
        else:
            advice = "no suggestion" if hint.move is None else f"{hint.move} looks good"
            output.data(
                f"{advice}, not proved: no win found in {budget} positions{aside}; "
                f"'hint {budget * 10}' searches longer"
            )
        return True

    def moves(self, pile: str) -> bool:
        """Lists the moves, or those from and to a pile."""
        if pile and pile not in self.record.game.pile_names:
            near = nearest(pile, self.record.game.pile_names)
            hint = f"did you mean {near!r}?" if near else "write, for example: moves garden.3"
            raise output.UsageError(f"unknown pile {pile!r}", hint)
        listed = gathered(self.position, self.glyphs, output.width(), pile or None)
        if listed.plain:
            output.data_text(listed)
        elif pile:
            output.data(f"no move goes from or to {pile}")
        return True

    def show(self, _: str) -> bool:
        """Draws the table, including what was played elsewhere."""
        record = self.tables.get(self.record.key)
        if record.version != self.record.version:
            output.note(CHANGED)
        if record.position is self.position:
            self.draw()  # A new position is drawn after every command.
        self.record = record
        return True

    def rules(self, _: str) -> bool:
        """Explains the rules."""
        from cadogan.cli.prose import prose
        from cadogan.rules.explain import explain

        output.data_text(prose(explain(self.record.game.rulebook), output.width()))
        return True

    def line(self, _: str) -> bool:
        """Lists the moves played, for ``cadogan replay``."""
        for move in self.position.line:
            if not move.forced:
                output.data(move.text)
        return True

    def save(self, name: str) -> bool:
        """Writes the game to a file."""
        if not name:
            raise output.UsageError("no file given", "write, for example: save evening.txt")
        path = Path(name).expanduser()
        if path.exists():
            raise output.UsageError(f"{name} already exists", "choose another name")
        try:
            replace_file(path, write_game(self.record), private=True)
        except OSError as fault:
            raise output.UsageError(f"{name}: {(fault.strerror or str(fault)).lower()}") from None
        output.data(f"saved to {name}; 'cadogan play --load {name}' continues it")
        return True

    def help(self, _: str) -> bool:
        """Shows what to type."""
        output.data(HELP)
        return True

    def quit(self, _: str) -> bool:
        """Leaves the table."""
        self.left = True
        return True
