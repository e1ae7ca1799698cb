"""From a rules file to a program, in stages.

.. code-block:: text

    text -> Document     what is written, with the line and column of everything       document
         -> (variant)    a named reading laid over it                                  variants
         -> (shape)      every key known, every value of its kind                      shape
         -> core         roles and phrases written out as core rules                   expand
         -> Rulebook     every name resolved, every phrase understood                  check
         -> Program      tables for the kernel                                         compile

Each stage may assume that the one before found nothing wrong. All faults of a file are reported in
one run (:mod:`cadogan.rules.report`); what looks wrong but is not, as warnings
(:mod:`cadogan.rules.lint`). :mod:`cadogan.rules.explain` tells a rulebook in prose.
"""

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
