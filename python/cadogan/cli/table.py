"""The conversation at the table: reads a line, does what it says, shows what came of it."""

import contextlib
import io
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cadogan import InvalidMoveError, MoveError
from cadogan.cards import CardError
from cadogan.cli import output
from cadogan.cli.choose import Deal, lay_out
from cadogan.cli.draw import Glyphs, draw
from cadogan.cli.listing import gathered
from cadogan.deals import DealError
from cadogan.rules.faults.report import nearest
from cadogan.storage import replace_file
from cadogan.table import Adviser, Session

if TYPE_CHECKING:
    from cadogan import Move, Position
    from cadogan.table.session import Keep

HELP: Final = """\
3                    make the move with this number
garden.3 > garden.5  make this move; beginnings of names will do: g.3 > g.5
undo, u              take the last move back        redo, r   make it again
restart              take all moves back            new DEAL  deal another, or a deal named
why MOVE             why a move is not allowed
hint NODES           a move that wins, if a search of so many positions finds one
moves PILE, m        list the moves, or a pile's    show, s   draw the table
rules                tell the rules                 line      list the moves made
save FILE            write the game to a file       help, ?   this text
quit, q              leave; the game is kept"""

MOST_TOLD: Final = 6
"""Of more forced moves the others are counted."""


def keeper(path: Path) -> "Keep":
    """Keeps a session in a file; a disk that is full does not end the game."""

    def keep(text: str) -> None:
        try:
            replace_file(path, text)
        except OSError as fault:
            output.warning(
                f"the game could not be kept in {path}: {(fault.strerror or str(fault)).lower()}"
            )

    return keep


class Table:
    """A table with one player.

    Args:
        session: The game.
        glyphs: How cards are drawn.
        whole: Shows hidden cards too.
        fresh: Gives the file of a game that begins.
    """

    def __init__(
        self, session: Session, glyphs: Glyphs, *, whole: bool, fresh: Callable[[str], Path]
    ) -> None:
        self.session = session
        self.glyphs = glyphs
        self.whole = whole
        self.fresh = fresh
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
        """Where the game stands."""
        return self.session.position

    # The conversation.

    def sit_down(self) -> int:
        """Plays until the player leaves."""
        if isinstance(sys.stdin, io.TextIOWrapper):
            # What cannot be read is no reason to leave the table.
            sys.stdin.reconfigure(errors="replace")
        if sys.stdin.isatty():
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  (lines can be edited and called back)
        self.draw()
        output.note("type the number of a move or its text; ? for help")
        try:
            while not self.left:
                line = self._ask()
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
        """Does what a script says, without drawing in between.

        Returns:
            Whether all of it could be done.
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
        """Does what a line says.

        Returns:
            Whether it could be done.
        """
        word, _, rest = line.strip().partition(" ")
        before = self.position
        try:
            if not word:
                done = self.show("")
            elif (command := self.commands.get(word.lower())) is not None:
                done = command(rest.strip())
            else:
                done = self.move(line.strip())
        except MoveError as fault:
            hint = "? tells what can be typed" if isinstance(fault, InvalidMoveError) else None
            output.error(f"{fault.fault} {fault.move!r}: {fault.reason}", hint)
            return False
        except (DealError, CardError, output.UsageError) as fault:
            output.error(str(fault), getattr(fault, "hint", None))
            return False
        if self.position is not before and not brief:
            output.data()
            self.draw()
        return done

    def _ask(self) -> str | None:
        """Reads a line; ``None`` at the end of the input."""
        prompt = self._prompt()
        if sys.stdin.isatty():
            try:
                return input(prompt)
            except EOFError:
                return None
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            return None
        # What is read from a file or a pipe does not show by itself.
        output.data(line.rstrip("\n"))
        return line

    def _prompt(self) -> str:
        if self.position.outcome is not None:
            return f"{self.position.outcome}> "
        if self.position.pending_choice is not None:
            options = len(self.position.moves())
            return f"you must choose ({self.position.pending_choice}), 1-{options}> "
        return f"move {self.position.move_count + 1}> "

    def _farewell(self) -> None:
        output.note("the game is kept; 'cadogan play --resume' takes it up again")

    def draw(self, *, brief: bool = False) -> None:
        """Draws the table and lists the moves."""
        width = output.width()
        picture = draw(self.position, width=width, glyphs=self.glyphs, whole=self.whole)
        output.data_text(picture)
        output.data()
        if not brief:
            self.moves("")

    # What can be typed.

    def move(self, text: str) -> bool:
        """Makes a move."""
        before = self.position
        legal = before.moves()
        if text.isdecimal():
            number = int(text) if len(text) < 6 else 0
            if not 1 <= number <= len(legal):
                are = (
                    f"the moves are numbered 1 to {len(legal)}"
                    if legal
                    else "there is no legal move"
                )
                raise output.UsageError(f"there is no move {text[:12]}", are)
            after = self.session.play(legal[number - 1])
        elif before.outcome is not None:
            raise output.UsageError(
                f"the game is {before.outcome}", "undo takes the last move back, new deals again"
            )
        else:
            after = self.session.play(text)
        self._tell(after.line_since(before))
        return True

    def _tell(self, made: "tuple[Move, ...]") -> None:
        """Says what was done: the player's move, and what it forced."""
        move, forced = made[0], [move.text for move in made[1:]]
        output.data(f"{self.position.move_count}. {move.text}")
        if forced:
            more = f", and {len(forced) - MOST_TOLD} more" if len(forced) > MOST_TOLD else ""
            output.data(f"   by itself: {'; '.join(forced[:MOST_TOLD])}{more}")

    def undo(self, _: str) -> bool:
        """Takes a move back."""
        if self.session.undo() is None:
            raise output.UsageError("there is no move to take back")
        return True

    def redo(self, _: str) -> bool:
        """Makes a move again."""
        before = self.position
        if (after := self.session.redo()) is None:
            raise output.UsageError("there is no move to make again")
        self._tell(after.line_since(before))
        return True

    def restart(self, _: str) -> bool:
        """Takes all moves back."""
        self.session.restart()
        return True

    def new(self, name: str) -> bool:
        """Deals again; the game so far stays where it is kept."""
        session = Session(lay_out(self.session.game, Deal(deal=name or None)))
        session.kept_by(keeper(self.fresh(session.game.name)))
        session.keep()
        self.session = session
        return True

    def why(self, text: str) -> bool:
        """Says why a move is not allowed."""
        if not text:
            raise output.UsageError("which move is not told", "as in: why garden.3 > garden.1")
        reason = self.position.why_not(text)
        output.data("it is allowed" if reason is None else reason)
        return True

    def hint(self, text: str) -> bool:
        """Advises a move."""
        from cadogan.table.hints import BUDGET

        if text and not (text.isdecimal() and len(text) < 12 and int(text)):
            raise output.UsageError(f"{text!r} is no number of positions", "as in: hint 1000000")
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
        if hint.proved:
            output.data(f"{hint.move}: proved, it wins in {hint.left} moves{aside}")
        elif hint.verdict is not None and hint.verdict.status == "unwinnable":
            output.data(f"no move wins any more: proved{aside}")
        else:
            told = "no advice" if hint.move is None else f"{hint.move} is likely good"
            output.data(
                f"{told}: not proved, no win was found in {budget} positions{aside}; "
                f"'hint {budget * 10}' searches longer"
            )
        return True

    def moves(self, pile: str) -> bool:
        """Lists the moves, or those from and to a pile."""
        if pile and pile not in self.session.game.pile_names:
            near = nearest(pile, self.session.game.pile_names)
            hint = f"did you mean {near!r}?" if near else "as in: moves garden.3"
            raise output.UsageError(f"there is no pile {pile!r}", hint)
        told = gathered(self.position, self.glyphs, output.width(), pile or None)
        if told.plain:
            output.data_text(told)
        elif pile:
            output.data(f"no move goes from or to {pile}")
        return True

    def show(self, _: str) -> bool:
        """Draws the table."""
        self.draw()
        return True

    def rules(self, _: str) -> bool:
        """Tells the rules."""
        from cadogan.cli.prose import prose
        from cadogan.rules.explain import explain

        output.data_text(prose(explain(self.session.game.rulebook), output.width()))
        return True

    def line(self, _: str) -> bool:
        """Lists the moves made, as ``cadogan replay`` reads them."""
        for move in self.position.line:
            if not move.forced:
                output.data(move.text)
        return True

    def save(self, name: str) -> bool:
        """Writes the game to a file."""
        if not name:
            raise output.UsageError("which file is not told", "as in: save evening.json")
        path = Path(name).expanduser()
        if path.exists():
            raise output.UsageError(f"{name} is there already", "take another name")
        try:
            replace_file(path, self.session.to_json())
        except OSError as fault:
            raise output.UsageError(f"{name}: {(fault.strerror or str(fault)).lower()}") from None
        output.data(f"written to {name}; 'cadogan play --load {name}' takes it up")
        return True

    def help(self, _: str) -> bool:
        """Says what can be typed."""
        output.data(HELP)
        return True

    def quit(self, _: str) -> bool:
        """Leaves the table."""
        self.left = True
        return True
