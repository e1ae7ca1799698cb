"""Texts for people, which can be translated.

A text is written in English where it is created, as a template with values:
``gettext("{pile} is empty", pile="garden.3")``. It is an ordinary English string.
:func:`translate` renders it in another language, including its values. The message catalogues are
those of gettext, in ``locale/LANGUAGE/LC_MESSAGES``: ``cadogan.po`` for the texts of the program,
``games.po`` for the texts of rules files. A test reports missing translations.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent.parent / "locale"
DOMAIN: Final = "cadogan"
"""The catalogue of the texts of the program."""
GAMES: Final = "games"
"""The catalogue of the texts of rules files: names, phrases and descriptions."""
LANGUAGES: Final = ("en", "de")


class Translatable(str):
    """A string with the template and the values that it was made from.

    Attributes:
        template: The template, in English.
        values: The values of its fields; ``None`` for a term, which has none.
        context: Where a term is used, if that matters to a translator; else empty.
        one: The template for one thing, if the text counts things; else empty.
    """

    template: str
    values: Mapping[str, object] | None
    context: str
    one: str

    __slots__ = ("context", "one", "template", "values")

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.template, self.values, self.context, self.one)


def _again(
    template: str, values: Mapping[str, object] | None, context: str, one: str
) -> Translatable:
    if values is None:
        return term(template, context)
    if one:
        return ngettext(one, template, **values)  # type: ignore[arg-type]
    return gettext(template, **values)


def gettext(template: str, /, **values: object) -> Translatable:
    """Makes a translatable text from a template and values.

    >>> gettext("{pile} is empty", pile="stock")
    'stock is empty'
    """
    text = Translatable(template.format(**values))
    text.template, text.values, text.context, text.one = template, values, "", ""
    return text


def ngettext(one: str, many: str, /, *, number: int, **values: object) -> Translatable:
    """Makes a translatable text that counts things, with the plural forms of each language.

    >>> ngettext("{number} deal looked at", "{number} deals looked at", number=1)
    '1 deal looked at'
    """
    text = gettext(one if number == 1 else many, number=number, **values)
    text.template, text.one = many, one
    return text


def term(text: str, context: str = "") -> Translatable:
    """Makes a translatable text from a name or phrase of a rules file.

    Args:
        text: The text.
        context: Where it is used, if the catalogue has a special translation for that.
    """
    made = Translatable(text)
    made.template, made.values, made.context, made.one = text, None, context, ""
    return made


def listed(words: Iterable[str], last: str = "or") -> str:
    """Joins words as in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b or c'
    """
    items = list(dict.fromkeys(words))
    if len(items) < 2:
        return items[0] if items else ""
    head = in_a_row(items[:-1])
    if last == "and":
        return gettext("{head} and {last}", head=head, last=items[-1])
    return gettext("{head} or {last}", head=head, last=items[-1])


def in_a_row(words: Iterable[str]) -> str:
    """Joins words with commas.

    >>> in_a_row(["a", "b", "c"])
    'a, b, c'
    """
    items = list(words)
    row = items[0] if items else ""
    for item in items[1:]:
        row = gettext("{head}, {next}", head=row, next=item)
    return row


def translate(text: str, language: str) -> str:
    """Translates a text; parts without a translation stay English.

    >>> translate(gettext("{pile} is empty", pile="garden.3"), "en")
    'garden.3 is empty'
    """
    if language == "en" or not isinstance(text, Translatable):
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
    """The form of a text that a language needs in a certain context; empty if there is none.

    Some languages have several forms where English has one. The catalogue lists them by gettext
    context: ``declension`` has the cases of the names of piles.

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
def _catalogue(language: str) -> NullTranslations:
    found = translation(DOMAIN, FOLDER, [language], fallback=True)
    found.add_fallback(translation(GAMES, FOLDER, [language], fallback=True))
    return found
