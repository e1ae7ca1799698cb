"""English grammar: numbers, ordinals, lists, articles, sentences."""

import pytest

from cadogan.i18n.english import an, counted, join, number, ordinal, sentence, singular, times


@pytest.mark.parametrize(
    ("place", "word"),
    [(2, "second"), (12, "twelfth"), (13, "13th"), (21, "21st"), (22, "22nd"), (111, "111th")],
)
def test_ordinals(place: int, word: str) -> None:
    assert ordinal(place) == word


def test_numbers_are_words_up_to_twelve() -> None:
    assert (number(0), number(12), number(13)) == ("no", "twelve", "13")
    assert (counted(1), counted(2, "pile")) == ("one card", "two piles")
    assert (times(2), times(3)) == ("twice", "three times")


def test_lists_name_nothing_twice() -> None:
    assert join(["a", "b", "a"]) == "a and b"
    assert join(["a and b", "c"]) == "a and b, and c"
    assert join([]) == ""


def test_a_sentence_begins_with_a_capital_and_ends_once() -> None:
    assert sentence(" nothing moves,, it waits, ") == "Nothing moves, it waits."
    assert sentence("Does it?") == "Does it?"
    assert sentence("") == ""


def test_nouns() -> None:
    assert (an("ace"), an("king")) == ("an ace", "a king")
    assert (singular("cells"), singular("galleries"), singular("benches")) == (
        "cell", "gallery", "bench",
    )  # fmt: skip
