"""From a rules file to a program, in stages.

.. code-block:: text

    text -> Document     what is written, with the line and column of everything       document
         -> (variant)    a named reading laid over it                                  variants
         -> (shape)      every key known, every value of its kind; the rest taken out  prune
         -> core         roles and phrases written out as core rules                   expand
         -> Rulebook     every name resolved, every phrase understood                  check
         -> Program      tables for the kernel                                         compile

All faults of a file are reported in one run (:mod:`cadogan.rules.report`). So each stage goes on
behind the faults of the one before: every error notes its place as doubtful, and what only follows
from it is not told. A rulebook is made of a file without errors only; from there on nothing fails.
What looks wrong but is not is warned of (:mod:`cadogan.rules.lint`);
:mod:`cadogan.rules.explain` tells a rulebook in prose, :mod:`cadogan.rules.dump` every stage in
lines that can be compared.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cadogan.rules.load import (
        Rules,
        UnknownGame,
        catalogue,
        check_text,
        expand_text,
        load_rules,
    )
    from cadogan.rules.report import RulesError

__all__ = [
    "Rules",
    "RulesError",
    "UnknownGame",
    "catalogue",
    "check_text",
    "expand_text",
    "load_rules",
]


def __getattr__(name: str) -> object:
    """Imports what is asked for when it is: a game that was compiled before needs no compiler."""
    if name in __all__:
        home = "cadogan.rules.report" if name == "RulesError" else "cadogan.rules.load"
        found: object = getattr(importlib.import_module(home), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
