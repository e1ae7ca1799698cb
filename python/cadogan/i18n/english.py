"""English grammar for the rules in words: numbers, lists, articles, sentences."""

from collections.abc import Iterable

_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six",
    "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth",
    "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
_TIMES = ("never", "once", "twice")


def number(count: int, none: str = "no") -> str:
    """A number, in words up to twelve.

    >>> number(0), number(12), number(13), number(0, "none")
    ('no', 'twelve', '13', 'none')
    """
    return none if count == 0 else _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def ordinal(place: int) -> str:
    """The place of a pile in its group, counted from 1.

    >>> ordinal(1), ordinal(12), ordinal(14), ordinal(21), ordinal(113)
    ('first', 'twelfth', '14th', '21st', '113th')
    """
    if place <= len(_ORDINALS):
        return _ORDINALS[place - 1]
    teens = place % 100 in (11, 12, 13)
    return f"{place}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(place % 10, 'th')}"


def times(count: int) -> str:
    """How often.

    >>> times(1), times(2), times(5), times(20)
    ('once', 'twice', 'five times', '20 times')
    """
    return _TIMES[count] if count < len(_TIMES) else f"{number(count)} times"


def counted(count: int, noun: str = "card") -> str:
    """A number of things.

    >>> counted(1), counted(3, "pile"), counted(40)
    ('one card', 'three piles', '40 cards')
    """
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def join(parts: Iterable[str], last: str = "and") -> str:
    """A list in words; parts that have commas of their own are set off more strongly.

    >>> join(["a"]), join(["a", "b"]), join(["a", "b", "c"], "or")
    ('a', 'a and b', 'a, b or c')
    >>> join(["a, b", "c"])
    'a, b, and c'
    >>> join(["a or b", "c"], "or")
    'a or b, or c'
    """
    listed = list(dict.fromkeys(parts))
    if len(listed) < 2:
        return "".join(listed)
    comma = "," if any("," in part or f" {last} " in part for part in listed) else ""
    return f"{', '.join(listed[:-1])}{comma} {last} {listed[-1]}"


def sentence(text: str) -> str:
    """Words as a sentence.

    >>> sentence("the stock is empty"), sentence("Nothing moves.")
    ('The stock is empty.', 'Nothing moves.')
    """
    text = text.strip()
    if not text:
        return ""
    text = text.replace(",,", ",").replace(", :", ":").replace(",;", ";").rstrip(",")
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?" else ".")


def an(noun: str) -> str:
    """A noun with its article.

    >>> an("upper pile"), an("column"), an("eight"), an("hour"), an("european place")
    ('an upper pile', 'a column', 'an eight', 'an hour', 'a european place')
    """
    begins = noun.lower()
    is_vowel = begins[:1] in "aeiou" and not begins.startswith("eu")
    return f"{'an' if is_vowel or begins.startswith('hour') else 'a'} {noun}"


def singular(noun: str) -> str:
    """The singular of a regular plural.

    >>> singular("columns"), singular("balconies"), singular("boxes"), singular("shelves")
    ('column', 'balcony', 'box', 'shelf')
    """
    if noun.endswith("lves"):
        return noun[:-3] + "f"
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    if noun.endswith(("ches", "shes", "xes", "sses")):
        return noun[:-2]
    return noun[:-1]


def held(least: int, most: int) -> str:
    """How many cards a pile holds.

    >>> held(0, 3), held(2, 2), held(2, 3), held(2, 65535)
    ('at most three cards', 'exactly two cards', 'two or three cards', 'at least two cards')
    """
    if least == most:
        return f"exactly {counted(least)}"
    if most == 65535:
        return f"at least {counted(least)}"
    if not least:
        return f"at most {counted(most)}"
    if most == least + 1:
        return f"{number(least)} or {counted(most)}"
    return f"from {number(least)} to {counted(most)}"
