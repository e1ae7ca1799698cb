"""From a rules file to a program, in stages.

Each stage has a folder of its own:

.. code-block:: text

    text -> Document     the file as data, with the line and column of everything      read
         -> (variant)    the overrides of the chosen variants                          read
         -> (schema)     every key known, every value of its type; the rest removed    validate
         -> core         roles and phrases written out as core rules                   expand
         -> Rulebook     every name resolved, every phrase understood                  check
         -> Program      tables for the kernel                                         compile

:mod:`cadogan.rules.pipeline` takes a file through them.
All faults of a file are reported in one run (:mod:`cadogan.rules.faults`). So each stage continues
after the faults of the one before: every error marks its place as faulty, and mere consequences
of it are not reported. Only a file without errors becomes a rulebook; later stages cannot fail.
:mod:`cadogan.rules.check.lint` warns about rules that can be played but look wrong,
:mod:`cadogan.rules.explain` describes a rulebook in prose, and :mod:`cadogan.rules.dump` writes
the result of every stage as text, for comparisons.
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
    """Imports a public name on first use: a cached game needs no compiler."""
    if name in _HOMES:
        home = _HOMES[name]
        found: object = getattr(importlib.import_module(home), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
