"""German grammar for the rules in words: cases, articles, endings, numbers, lists.

A noun is given as its forms with the definite article, as one would find them in a table of
declension; what else is needed (the gender, the form without an article) is read off them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal


class Case(IntEnum):
    """The four cases, in the order of the forms of a noun."""

    NOM = 0
    GEN = 1
    DAT = 2
    ACC = 3


NOM, GEN, DAT, ACC = Case
Gender = Literal["m", "f", "n", "p"]
"""Masculine, feminine, neuter; the plural has the same endings for all three."""

_ARTICLES: dict[Gender, tuple[str, str, str, str]] = {
    "m": ("der", "des", "dem", "den"),
    "f": ("die", "der", "der", "die"),
    "n": ("das", "des", "dem", "das"),
    "p": ("die", "der", "den", "die"),
}
_STRONG: dict[Gender, tuple[str, str, str, str]] = {
    "m": ("er", "es", "em", "en"),
    "f": ("e", "er", "er", "e"),
    "n": ("es", "es", "em", "es"),
    "p": ("e", "er", "en", "e"),
}
_ONE: dict[Gender, tuple[str, str, str, str]] = {
    "m": ("", "es", "em", "en"),
    "f": ("e", "er", "er", "e"),
    "n": ("", "es", "em", ""),
    "p": ("e", "er", "en", "e"),
}
_WEAK: dict[Gender, tuple[str, str, str, str]] = {
    "m": ("e", "en", "en", "en"),
    "f": ("e", "en", "en", "e"),
    "n": ("e", "en", "en", "e"),
    "p": ("en", "en", "en", "en"),
}
_MIXED: dict[Gender, tuple[str, str, str, str]] = {
    "m": ("er", "en", "en", "en"),
    "f": ("e", "en", "en", "e"),
    "n": ("es", "en", "en", "es"),
    "p": ("en", "en", "en", "en"),
}

Determiner = Literal["the", "a", "any", "any other", "another", "no", "the first", ""]


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun in its four cases, without an article.

    Attributes:
        gender: Its gender, or that it is a plural.
        forms: Nominative, genitive, dative, accusative.
    """

    gender: Gender
    forms: tuple[str, str, str, str]

    @property
    def is_plural(self) -> bool:
        """Whether it takes a plural verb."""
        return self.gender == "p"

    def __call__(self, determiner: Determiner, case: Case, *adjectives: str) -> str:
        """The noun with what stands before it.

        >>> card = read_noun("die Karte, der Karte, der Karte, die Karte")
        >>> card("the", DAT, "oberst"), card("another", ACC), card("no", NOM)
        ('der obersten Karte', 'eine andere Karte', 'keine Karte')
        """
        stems = list(adjectives)
        if determiner in ("any other", "another"):
            stems.insert(0, "ander")
        if determiner == "the first":
            stems.insert(0, "erst")
        words: list[str] = []
        endings = _WEAK
        if determiner in ("the", "the first"):
            words.append(_ARTICLES[self.gender][case])
        elif determiner in ("any", "any other"):
            words.append(("all" if self.is_plural else "jed") + _STRONG[self.gender][case])
        elif determiner in ("a", "another", "no"):
            stem = "kein" if determiner == "no" else "ein"
            endings = _MIXED
            if self.is_plural and stem == "ein":
                endings = _STRONG
            else:
                words.append(stem + _ONE[self.gender][case])
        else:
            endings = _STRONG
        words += [
            stem + ("" if stem.endswith(".") else endings[self.gender][case]) for stem in stems
        ]
        return " ".join([*words, self._form(case, endings)])

    def _form(self, case: Case, endings: dict[Gender, tuple[str, str, str, str]]) -> str:
        """The form of a case, its own adjectives with the endings that they need.

        >>> place = read_noun(
        ...     "der obere Platz, des oberen Platzes, dem oberen Platz, den oberen Platz"
        ... )
        >>> place("a", NOM, "leer"), place("the", NOM), place("a", ACC)
        ('ein leerer oberer Platz', 'der obere Platz', 'einen oberen Platz')
        >>> pile = read_noun(
        ...     "der Stapel der Damen, des Stapels der Damen, dem Stapel der Damen, "
        ...     "den Stapel der Damen"
        ... )
        >>> pile("no", NOM)
        'kein Stapel der Damen'
        """
        weak, wanted = _WEAK[self.gender][case], endings[self.gender][case]
        if self.is_plural or weak == wanted:
            return self.forms[case]
        *own, noun = self.forms[case].split(" ")
        # What never changes is an adverb, such as "beiseite"; "Grundstapel der Könige" has none.
        fixed = set.intersection(*(set(form.split(" ")) for form in self.forms))
        fixed.update(word for word in own if word[:1].isupper())
        declined = [w if w in fixed else w.removesuffix(weak) + wanted for w in own]
        return " ".join([*declined, noun])


def read_noun(text: str) -> Noun:
    """Reads a noun's forms.

    Args:
        text: Nominative, genitive, dative and accusative, each with the definite article.

    Raises:
        ValueError: If they are not four, or have not the articles of one gender.

    >>> read_noun("der Talon, des Talons, dem Talon, den Talon").gender
    'm'
    """
    forms = [form.strip().partition(" ") for form in text.split(",")]
    articles = tuple(article for article, _, _ in forms)
    for gender, wanted in _ARTICLES.items():
        if articles == wanted:
            one, two, three, four = (rest for _, _, rest in forms)
            return Noun(gender, (one, two, three, four))
    raise ValueError(f"not the four forms of a German noun: {text!r}")


CARD = read_noun("die Karte, der Karte, der Karte, die Karte")
CARDS = read_noun("die Karten, der Karten, den Karten, die Karten")
PILE = read_noun("der Stapel, des Stapels, dem Stapel, den Stapel")
PILES = read_noun("die Stapel, der Stapel, den Stapeln, die Stapel")
PLACE = read_noun("der Platz, des Platzes, dem Platz, den Platz")
FOUNDATION = read_noun("der Grundstapel, des Grundstapels, dem Grundstapel, den Grundstapel")

_NUMBERS = (
    "null", "eins", "zwei", "drei", "vier", "fünf", "sechs",
    "sieben", "acht", "neun", "zehn", "elf", "zwölf",
)  # fmt: skip
_ORDINALS = (
    "erst", "zweit", "dritt", "viert", "fünft", "sechst",
    "siebt", "acht", "neunt", "zehnt", "elft", "zwölft",
)  # fmt: skip
_TIMES = (
    "kein einziges Mal", "einmal", "zweimal", "dreimal", "viermal", "fünfmal", "sechsmal",
    "siebenmal", "achtmal", "neunmal", "zehnmal", "elfmal", "zwölfmal",
)  # fmt: skip


def number(count: int) -> str:
    """A number without a noun, in words up to twelve.

    >>> number(0), number(1), number(12), number(13)
    ('null', 'eins', 'zwölf', '13')
    """
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def counted(count: int, one: Noun = CARD, many: str = "Karten", case: Case = NOM) -> str:
    """A number of things.

    >>> counted(1), counted(3, PILE, "Stapel"), counted(40), counted(1, case=DAT)
    ('eine Karte', 'drei Stapel', '40 Karten', 'einer Karte')
    """
    return one("a", case) if count == 1 else f"{number(count)} {many}"


def ordinal(place: int) -> str:
    """The stem of the adjective for the place of a pile, counted from 1.

    >>> ordinal(1), ordinal(12), ordinal(14)
    ('erst', 'zwölft', '14.')
    """
    return _ORDINALS[place - 1] if place <= len(_ORDINALS) else f"{place}."


def times(count: int) -> str:
    """How often.

    >>> times(1), times(3), times(20)
    ('einmal', 'dreimal', '20-mal')
    """
    return _TIMES[count] if count < len(_TIMES) else f"{count}-mal"


def join(parts: Iterable[str], last: str = "und") -> str:
    """A list in words; what two parts have in common is not said twice.

    >>> join(["a", "b", "c"], "oder"), join(["a, b", "c"])
    ('a, b oder c', 'a, b und c')
    >>> join(["der oberen Reihe", "der unteren Reihe"], "oder")
    'der oberen oder unteren Reihe'
    >>> join(["die Grundstapel der Damen", "die Grundstapel der Könige"])
    'die Grundstapel der Damen und der Könige'
    >>> join(["den Grundstapel der Damen", "den Grundstapel der Könige"])
    'den Grundstapel der Damen und den der Könige'
    >>> join(["eine rote Karte", "eine schwarze Karte"])
    'eine rote Karte und eine schwarze Karte'
    """
    listed = list(dict.fromkeys(parts))
    if len(listed) < 2:
        return "".join(listed)
    words = [part.split() for part in listed]
    # "Eine rote und schwarze Karte" would be one card.
    counts = words[0][0].startswith("ein") or words[0][0] in _NUMBERS
    several = last != "und" or not counts
    if several and all(
        len(each) == 3 and each[0] == words[0][0] and each[2] == words[0][2] for each in words
    ):
        return f"{words[0][0]} {join((each[1] for each in words), last)} {words[0][2]}"
    piles = words[0][1:2] and words[0][1].startswith(("Grundstapel", "Stapel"))
    alike = piles and all(len(each) > 3 and each[:2] == words[0][:2] for each in words)
    if alike and all(each[2] in ("der", "des") for each in words):
        one = words[0][:2] in (
            ["der", "Grundstapel"], ["des", "Grundstapels"],
            ["dem", "Grundstapel"], ["den", "Grundstapel"],
        )  # fmt: skip
        listed[1:] = [" ".join([*each[:1], *each[2:]] if one else each[2:]) for each in words[1:]]
    return f"{', '.join(listed[:-1])} {last} {listed[-1]}"


def either(parts: Sequence[str]) -> str:
    """Alternatives, set off by commas where they have clauses of their own.

    >>> either(["a, die oben liegt", "b"]), either(["a", "b"])
    ('a, die oben liegt, oder b', 'a oder b')
    """
    if len(parts) == 2 and stands_open(parts[0]):
        return f"{parts[0]}, oder {parts[1]}"
    return join(parts, "oder")


_CLAUSES = re.compile(
    r", (?:die (?!(?:Karte|oberste|unterste) )|(?:was|sofern|wenn|ob|zusammen|höchstens) )[^,]*$"
    r"|, sofern sie keine? .* ist$"
)


def stands_open(text: str) -> bool:
    """Whether a clause at the end of words wants a comma after it.

    >>> stands_open("eine Karte, die oben liegt"), stands_open("a, b oder c")
    (True, False)
    """
    return _CLAUSES.search(text) is not None


_CONTRACTED = {
    "in dem": "im", "in das": "ins", "an dem": "am", "von dem": "vom", "zu dem": "zum",
    "zu der": "zur", "bei dem": "beim",
}  # fmt: skip


def after(preposition: str, words: str) -> str:
    """Words after a preposition, which takes in their article where people do so.

    >>> after("von", "dem Talon"), after("auf", "den Talon")
    ('vom Talon', 'auf den Talon')
    """
    first, _, rest = words.partition(" ")
    short = _CONTRACTED.get(f"{preposition} {first}")
    return f"{short} {rest}" if short and rest else f"{preposition} {words}"


def sentence(text: str) -> str:
    """Words as a sentence.

    >>> sentence("der Talon ist leer"), sentence("es ist so, ,"), sentence("")
    ('Der Talon ist leer.', 'Es ist so.', '')
    """
    text = re.sub(r"(?<!\s)(?:\s*,)+", ",", text.strip())
    text = re.sub(r",\s*([;:.)])", r"\1", text).rstrip(", ")
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?" else ".")


def so_many(least: int, most: int) -> str:
    """How many cards a pile holds, after "mit"."""
    if least == most:
        return f"genau {counted(least, case=DAT)}"
    if least <= 1:
        return f"höchstens {counted(most, case=DAT)}"
    if most == 65535:
        return f"mindestens {counted(least, case=DAT)}"
    return f"{number(least)} bis {counted(most, case=DAT)}"
