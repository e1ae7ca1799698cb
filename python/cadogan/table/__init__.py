"""Games in play: the store of all tables, undo and redo, hints, verdicts.

The terminal and the browser both play through :class:`cadogan.table.service.Tables`, so a game that
begins in one can continue in the other. Nothing here reads keys or draws.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cadogan.table.hints import Adviser, Hint

__all__ = ["Adviser", "Hint"]


def __getattr__(name: str) -> object:
    """Imports a public name on first use: the list of games must not wait for the solver."""
    if name in __all__:
        found: object = getattr(importlib.import_module("cadogan.table.hints"), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
