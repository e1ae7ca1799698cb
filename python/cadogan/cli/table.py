"""A game in the terminal: reads a line, does what it says, shows the result."""

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
3                    play the move with this number
garden.3 > garden.5  play this move; you may shorten names: g.3 > g.5
undo, u              take back the last move         redo, r   play it again
restart              take back all moves             new DEAL  deal again, or this deal
why MOVE             explain why a move is illegal
hint NODES           search so many positions for a winning move
moves PILE, m        list the moves, or a pile's     show, s   draw the table
rules                explain the rules               line      list the moves played
save FILE            save the game to a file         help, ?   show this text
quit, q              leave; the game stays saved"""

MOST_TOLD: Final = 6
"""Of more forced moves the others are counted."""


def keeper(path: Path) -> "Keep":
    """Saves a session in a file. A full disk does not end the game."""

    def keep(text: str) -> None:
        try:
            replace_file(path, text, private=True)
        except OSError as fault:
            output.warning(
                f"cannot save the game in {path}: {(fault.strerror or str(fault)).lower()}"
            )

    return keep


class Table:
    """A table with one player.

    Args:
        session: The game.
        glyphs: How cards are drawn.
        whole: Shows hidden cards too.
        fresh: Returns the file for a new game.
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
        """The current position."""
        return self.session.position

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
        """Follows a script, without drawing in between.

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
        """Does what a line says.

        Returns:
            Whether it succeeded.
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
            hint = "type ? for help" if isinstance(fault, InvalidMoveError) else None
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
        # Input from a file or a pipe is not echoed automatically.
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
            after = self.session.play(legal[number - 1])
        elif before.outcome is not None:
            raise output.UsageError(
                f"the game is {before.outcome}",
                "type undo to take back the last move, or new to deal again",
            )
        else:
            after = self.session.play(text)
        self._tell(after.line_since(before))
        return True

    def _tell(self, made: "tuple[Move, ...]") -> None:
        """Reports what happened: the player's move, and what it forced."""
        move, forced = made[0], [move.text for move in made[1:]]
        output.data(f"{self.position.move_count}. {move.text}")
        if forced:
            more = f", and {len(forced) - MOST_TOLD} more" if len(forced) > MOST_TOLD else ""
            output.data(f"   automatically: {'; '.join(forced[:MOST_TOLD])}{more}")

    def undo(self, _: str) -> bool:
        """Takes back a move."""
        if self.session.undo() is None:
            raise output.UsageError("no move to take back")
        return True

    def redo(self, _: str) -> bool:
        """Plays a move again."""
        before = self.position
        if (after := self.session.redo()) is None:
            raise output.UsageError("no move to play again")
        self._tell(after.line_since(before))
        return True

    def restart(self, _: str) -> bool:
        """Takes back all moves."""
        self.session.restart()
        return True

    def new(self, name: str) -> bool:
        """Deals again; the game so far stays saved."""
        session = Session(lay_out(self.session.game, Deal(deal=name or None)))
        session.kept_by(keeper(self.fresh(session.game.name)))
        session.keep()
        self.session = session
        return True

    def why(self, text: str) -> bool:
        """Explains why a move is illegal."""
        if not text:
            raise output.UsageError("no move given", "as in: why garden.3 > garden.1")
        reason = self.position.why_not(text)
        output.data("it is legal" if reason is None else reason)
        return True

    def hint(self, text: str) -> bool:
        """Suggests a move."""
        from cadogan.table.hints import BUDGET

        if text and not (text.isdecimal() and len(text) < 12 and int(text)):
            raise output.UsageError(f"{text!r} is not a number of positions", "as in: hint 1000000")
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
        if pile and pile not in self.session.game.pile_names:
            near = nearest(pile, self.session.game.pile_names)
            hint = f"did you mean {near!r}?" if near else "as in: moves garden.3"
            raise output.UsageError(f"unknown pile {pile!r}", hint)
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
        """Explains the rules."""
        from cadogan.cli.prose import prose
        from cadogan.rules.explain import explain

        output.data_text(prose(explain(self.session.game.rulebook), output.width()))
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
            raise output.UsageError("no file given", "as in: save evening.json")
        path = Path(name).expanduser()
        if path.exists():
            raise output.UsageError(f"{name} already exists", "choose another name")
        try:
            replace_file(path, self.session.to_json(), private=True)
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
