"""What piles and rules are called, as texts that can be told in other languages.

In English a pile is called as the rules file names it, and so is a rule; that is how moves are
written, too. In another language the catalogue has words for the names that are usual, and for the
names that roles give to the rules they stand for.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from cadogan.i18n.text import Told, term, told


def pile_label(name: str) -> Told:
    """A pile by its name.

    >>> from cadogan.i18n.text import translate
    >>> pile_label("columns.3"), translate(pile_label("columns.3"), "de")
    ('columns.3', 'Spalte 3')
    >>> translate(pile_label("red-waste"), "de")
    'Abwurf Rot'
    """
    group, dot, number = name.rpartition(".")
    if not dot:
        return term(name, "pile")
    return told("{group}.{number}", group=term(group, "pile"), number=number)


_NAMES: Final[tuple[tuple[re.Pattern[str], Callable[[str, str], Told]], ...]] = (
    (
        re.compile(r"build on (.+?)() in sequence"),
        lambda a, _: told("build on {group} in sequence", group=term(a)),
    ),
    (re.compile("build on (.+)()"), lambda a, _: told("build on {group}", group=term(a))),
    (re.compile("keep in (.+)()"), lambda a, _: told("keep in {group}", group=term(a))),
    (re.compile("play to (.+)()"), lambda a, _: told("play to {group}", group=term(a))),
    (
        re.compile("complete sequences go to (.+)()"),
        lambda a, _: told("complete sequences go to {group}", group=term(a)),
    ),
    (
        re.compile("return from (.+?) to (.+)"),
        lambda a, b: told("return from {start} to {end}", start=term(a), end=term(b)),
    ),
    (re.compile("turn up (.+)()"), lambda a, _: told("turn up {group}", group=term(a))),
    (re.compile("lay off (.+)()"), lambda a, _: told("lay off {group}", group=term(a))),
    (
        re.compile(r"([\w-]+)() is refilled"),
        lambda a, _: told("{group} is refilled", group=term(a)),
    ),
)
"""How roles name the rules that they stand for (see :mod:`cadogan.rules.expand.roles`)."""


@lru_cache(maxsize=4096)
def rule_label(name: str) -> Told:
    """A rule by its name; one that a role has named is known by the form of it.

    >>> from cadogan.i18n.text import translate
    >>> rule_label("build on garden"), translate(rule_label("build on garden"), "de")
    ('build on garden', 'Bauen (Garten)')
    >>> translate(rule_label("redeal"), "de")
    'Neu geben'
    """
    for pattern, make in _NAMES:
        if found := pattern.fullmatch(name):
            return make(found[1], found[2])
    return term(name)


def variant_label(name: str) -> Told:
    """A variant by its name.

    >>> from cadogan.i18n.text import translate
    >>> variant_label("draw-three"), translate(variant_label("draw-three"), "de")
    ('draw three', 'drei Karten auf einmal')
    """
    return term(name.replace("-", " "), "variant")
