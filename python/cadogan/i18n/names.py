"""Names of piles and rules, as texts that can be translated.

In English, piles and rules have the names of the rules file, which moves also use. For other
languages, the message catalogue has words for the usual names and for the names that roles give to
the rules that they stand for.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from cadogan.i18n.text import Translatable, gettext, term


def pile_label(name: str) -> Translatable:
    """The name of a pile, for a translator.

    >>> from cadogan.i18n.text import translate
    >>> pile_label("columns.3"), translate(pile_label("columns.3"), "de")
    ('columns.3', 'Spalte 3')
    >>> translate(pile_label("red-waste"), "de")
    'Abwurf Rot'
    """
    group, dot, number = name.rpartition(".")
    if not dot:
        return term(name, "pile")
    return gettext("{group}.{number}", group=term(group, "pile"), number=number)


_NAMES: Final[tuple[tuple[re.Pattern[str], Callable[[str, str], Translatable]], ...]] = (
    (
        re.compile(r"build on (.+?)() in sequence"),
        lambda a, _: gettext("build on {group} in sequence", group=term(a)),
    ),
    (re.compile("build on (.+)()"), lambda a, _: gettext("build on {group}", group=term(a))),
    (re.compile("keep in (.+)()"), lambda a, _: gettext("keep in {group}", group=term(a))),
    (re.compile("play to (.+)()"), lambda a, _: gettext("play to {group}", group=term(a))),
    (
        re.compile("complete sequences go to (.+)()"),
        lambda a, _: gettext("complete sequences go to {group}", group=term(a)),
    ),
    (
        re.compile("return from (.+?) to (.+)"),
        lambda a, b: gettext("return from {start} to {end}", start=term(a), end=term(b)),
    ),
    (re.compile("turn up (.+)()"), lambda a, _: gettext("turn up {group}", group=term(a))),
    (re.compile("lay off (.+)()"), lambda a, _: gettext("lay off {group}", group=term(a))),
    (
        re.compile(r"([\w-]+)() is refilled"),
        lambda a, _: gettext("{group} is refilled", group=term(a)),
    ),
)
"""Rule names given by roles (see :mod:`cadogan.rules.expand.roles`)."""


@lru_cache(maxsize=4096)
def rule_label(name: str) -> Translatable:
    """The name of a rule, for a translator. Names given by roles are recognised by their form.

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


def variant_label(name: str) -> Translatable:
    """The name of a variant, for a translator.

    >>> from cadogan.i18n.text import translate
    >>> variant_label("draw-three"), translate(variant_label("draw-three"), "de")
    ('draw three', 'drei Karten auf einmal')
    """
    return term(name.replace("-", " "), "variant")
