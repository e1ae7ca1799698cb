"""Texts for people that can be told in other languages.

A text is written in English where it arises, as a template with values: ``told("{pile} is empty",
pile="garden.3")``. It is an ordinary string, in English, for everybody who does not ask for more;
:func:`translate` tells it again in another language, values and all. The catalogues are those of
gettext, in ``locale/LANGUAGE/LC_MESSAGES``: ``cadogan.po`` for what the program says, ``games.po``
for what rules files say. A test tells what they lack.
"""

import gettext
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent.parent / "locale"
DOMAIN: Final = "cadogan"
"""What the program says."""
GAMES: Final = "games"
"""The words of rules files: names and phrases, and what their authors say."""
LANGUAGES: Final = ("en", "de")


class Told(str):
    """A text that remembers how it was made.

    Attributes:
        template: The template, in English.
        values: What stands in its gaps; ``None`` if it is no template but a term.
        context: Where a term stands, if that matters to a translator; else empty.
        one: The template for one thing, if the text counts things; else empty.
    """

    template: str
    values: Mapping[str, object] | None
    context: str
    one: str

    __slots__ = ("context", "one", "template", "values")

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.template, self.values, self.context, self.one)


def _again(template: str, values: Mapping[str, object] | None, context: str, one: str) -> Told:
    if values is None:
        return term(template, context)
    if one:
        return told_of(one, template, **values)  # type: ignore[arg-type]
    return told(template, **values)


def told(template: str, /, **values: object) -> Told:
    """A text with values in it.

    >>> told("{pile} is empty", pile="stock")
    'stock is empty'
    """
    text = Told(template.format(**values))
    text.template, text.values, text.context, text.one = template, values, "", ""
    return text


def told_of(one: str, many: str, /, *, number: int, **values: object) -> Told:
    """A text that counts things, with the plural forms of each language.

    >>> told_of("{number} deal looked at", "{number} deals looked at", number=1)
    '1 deal looked at'
    """
    text = told(one if number == 1 else many, number=number, **values)
    text.template, text.one = many, one
    return text


def term(text: str, context: str = "") -> Told:
    """A text that a rules file has: a name, or a phrase. Those that are usual can be translated.

    Args:
        text: The text.
        context: Where it stands, if the catalogue has another word for it there.
    """
    made = Told(text)
    made.template, made.values, made.context, made.one = text, None, context, ""
    return made


def listed(words: Iterable[str], last: str = "or") -> str:
    """Words as people list them.

    >>> listed(["a", "b", "c"])
    'a, b or c'
    """
    items = list(dict.fromkeys(words))
    if len(items) < 2:
        return items[0] if items else ""
    head = in_a_row(items[:-1])
    if last == "and":
        return told("{head} and {last}", head=head, last=items[-1])
    return told("{head} or {last}", head=head, last=items[-1])


def in_a_row(words: Iterable[str]) -> str:
    """Words with commas between them.

    >>> in_a_row(["a", "b", "c"])
    'a, b, c'
    """
    items = list(words)
    row = items[0] if items else ""
    for item in items[1:]:
        row = told("{head}, {next}", head=row, next=item)
    return row


def translate(text: str, language: str) -> str:
    """A text in a language; what has no translation stays English.

    >>> translate(told("{pile} is empty", pile="garden.3"), "en")
    'garden.3 is empty'
    """
    if language == "en" or not isinstance(text, Told):
        return str(text)
    catalogue = _catalogue(language)
    if text.context and (word := inflected(text.context, text.template, language)):
        return word
    if text.one and text.values is not None:
        number = text.values["number"]
        assert isinstance(number, int)
        found = catalogue.ngettext(text.one, text.template, number)
    else:
        found = catalogue.gettext(text.template) if text.template else ""
    if text.values is None:
        return found
    values = {
        name: translate(value, language) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    return found.format(**values)


def inflected(context: str, text: str, language: str) -> str:
    """A text as a language needs it in a certain place, if the catalogue has it.

    Some languages have several forms for what is one in English; the catalogue keeps them by the
    context of gettext: ``declension`` has the cases of the names of piles.

    >>> inflected("declension", "garden", "de")
    'der Garten, des Gartens, dem Garten, den Garten'
    >>> inflected("declension", "no such name", "de")
    ''
    """
    if language == "en" or not text:
        return ""
    found = _catalogue(language).pgettext(context, text)
    return "" if found == text else found


def declension(name: str, language: str) -> str:
    """The forms of a name of piles, if the catalogue has them."""
    return inflected("declension", name, language)


@lru_cache(maxsize=8)
def _catalogue(language: str) -> gettext.NullTranslations:
    found = gettext.translation(DOMAIN, FOLDER, [language], fallback=True)
    found.add_fallback(gettext.translation(GAMES, FOLDER, [language], fallback=True))
    return found
