"""A player's session at a game: undo and redo, hints, and keeping the game on disk.

Every face at which somebody plays uses this; nothing here reads keys or draws.
"""

from cadogan.table.hints import Adviser, Hint
from cadogan.table.save_folder import Saves
from cadogan.table.session import Session

__all__ = ["Adviser", "Hint", "Saves", "Session"]
