"""From a rules file to a program, in stages.

Each stage has a folder of its own:

.. code-block:: text

    text -> Document     what is written, with the line and column of everything       read
         -> (variant)    a named reading laid over it                                  read
         -> (schema)     every key known, every value of its type; the rest removed    validate
         -> core         roles and phrases written out as core rules                   expand
         -> Rulebook     every name resolved, every phrase understood                  check
         -> Program      tables for the kernel                                         compile

:mod:`cadogan.rules.pipeline` takes a file through them.
All faults of a file are reported in one run (:mod:`cadogan.rules.faults`). So each stage continues
after the faults of the one before: every error marks its place as doubtful, and what only follows
from it is not reported. Only a file without errors becomes a rulebook; from there on nothing fails.
:mod:`cadogan.rules.check.lint` warns of what can be played but looks wrong,
:mod:`cadogan.rules.explain` describes a rulebook in prose, and :mod:`cadogan.rules.dump` writes
every stage in lines that can be compared.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cadogan.rules.faults.report import RulesError
    from cadogan.rules.files import UnknownGameError, catalogue
    from cadogan.rules.pipeline import Rules, check_text, expand_text, load_rules

__all__ = [
    "Rules",
    "RulesError",
    "UnknownGameError",
    "catalogue",
    "check_text",
    "expand_text",
    "load_rules",
]


_HOMES = {
    "Rules": "cadogan.rules.pipeline",
    "RulesError": "cadogan.rules.faults.report",
    "UnknownGameError": "cadogan.rules.files",
    "catalogue": "cadogan.rules.files",
    "check_text": "cadogan.rules.pipeline",
    "expand_text": "cadogan.rules.pipeline",
    "load_rules": "cadogan.rules.pipeline",
}


def __getattr__(name: str) -> object:
    """Imports what is asked for when it is: a game that was compiled before needs no compiler."""
    if name in _HOMES:
        home = _HOMES[name]
        found: object = getattr(importlib.import_module(home), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
