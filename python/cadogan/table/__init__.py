"""Games in play: the store of all tables, undo and redo, hints, verdicts.

The terminal and the browser both play through :class:`cadogan.table.service.Tables`, so a game that
begins in one can continue in the other. Nothing here reads keys or draws.
"""

from cadogan.table.hints import Adviser, Hint

__all__ = ["Adviser", "Hint"]
