"""A session: one game in play, what was taken back, and the promise that it is on disk.

Whatever changes the position is kept before the change is told to anybody.
"""

import json
from collections.abc import Callable
from typing import Any, Final

from cadogan.game import Game, Position
from cadogan.moves import Move, MoveError
from cadogan.savefile import SavedGameError

FORMAT: Final = 1
"""The version of the format of a session on disk."""

Keep = Callable[[str], None]
"""Puts a session, written as text, where it survives."""


class Session:
    """One game in play.

    Args:
        position: Where it stands; what can be undone is the position's own line.
        ahead: Positions that were taken back, the next one last.
        keep: Called with the session as text after every change, before the change is returned.

    Attributes:
        position: Where the game stands.
    """

    def __init__(
        self, position: Position, ahead: list[Position] | None = None, *, keep: Keep | None = None
    ) -> None:
        self.position = position
        self._ahead = list(ahead or [])
        self._keep = keep

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.position.game

    def play(self, move: Move | str) -> Position:
        """Makes a move; what was taken back is forgotten, unless it is the same move again.

        Raises:
            MoveError: If the move cannot be made; nothing has changed then.
        """
        after = self.position.play(move)
        if self._ahead and move_to(self._ahead[-1]) == move_to(after):
            return self._change(self._ahead[-1], self._ahead[:-1])
        return self._change(after, [])

    def undo(self) -> Position | None:
        """Takes the last move back; ``None`` if there is none."""
        if self.position.move_count == 0:
            return None
        return self._change(self.position.undo(), [*self._ahead, self.position])

    def redo(self) -> Position | None:
        """Makes the move again that was taken back last; ``None`` if there is none."""
        if not self._ahead:
            return None
        return self._change(self._ahead[-1], self._ahead[:-1])

    def restart(self) -> Position:
        """Takes all moves back; redoing goes through them again."""
        position, ahead = self.position, list(self._ahead)
        while position.move_count:
            ahead.append(position)
            position = position.undo()
        return self._change(position, ahead)

    def keep(self) -> None:
        """Puts the session on disk as it is."""
        if self._keep is not None:
            self._keep(self.to_json())

    def kept_by(self, keep: Keep | None) -> None:
        """Sets where the session is kept from now on."""
        self._keep = keep

    def to_json(self) -> str:
        """Writes the session, with all that can be undone and redone."""
        data = {
            "session": FORMAT,
            "position": json.loads(self.position.to_json()),
            "redo": [move_to(position).text for position in reversed(self._ahead)],
        }
        return json.dumps(data, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, game: Game | None = None) -> "Session":
        """Takes a session up again.

        Args:
            text: What :meth:`to_json` wrote, or a position's ``to_json``.
            game: The game, if it is not to be loaded by the name that was saved.

        Raises:
            SavedGameError: If the text is damaged, or the rules have changed.
        """
        redo: Any = []
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise SavedGameError(f"not a saved game: {error}") from None
        if isinstance(data, dict) and "session" in data:
            if data["session"] != FORMAT:
                raise SavedGameError(
                    f"saved as session {data['session']!r}, but this version of Cadogan reads "
                    f"session {FORMAT}"
                )
            text, redo = json.dumps(data.get("position")), data.get("redo")
        position = Position.from_json(text, game)
        if not isinstance(redo, list) or not all(isinstance(move, str) for move in redo):
            raise SavedGameError("damaged: the moves to be redone are not a list of texts")
        ahead: list[Position] = []
        for move in redo:
            try:
                ahead.append((ahead[-1] if ahead else position).play(move))
            except MoveError as error:
                raise SavedGameError(f"damaged: a move cannot be redone: {error}") from None
        return cls(position, ahead[::-1])

    def _change(self, position: Position, ahead: list[Position]) -> Position:
        self.position, self._ahead = position, ahead
        self.keep()
        return position


def move_to(position: Position) -> Move:
    """The player's move that led to a position."""
    return position.line_since(position.undo())[0]
