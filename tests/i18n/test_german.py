"""German grammar: nouns in their cases, articles, contractions, lists."""

import pytest

from cadogan.i18n.german import ACC, CARD, DAT, GEN, NOM, after, join, read_noun


def test_a_noun_must_have_four_forms_of_one_gender() -> None:
    with pytest.raises(ValueError, match="four forms"):
        read_noun("der Talon, der Talon, dem Talon, den Talon")


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (NOM, "jeder andere leere Wall"),
        (GEN, "jedes anderen leeren Walls"),
        (DAT, "jedem anderen leeren Wall"),
        (ACC, "jeden anderen leeren Wall"),
    ],
)
def test_adjectives_are_declined(case: int, words: str) -> None:
    noun = read_noun("der Wall, des Walls, dem Wall, den Wall")
    assert noun("any other", case, "leer") == words  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("preposition", "words", "text"),
    [
        ("von", "dem Talon", "vom Talon"),
        ("in", "dem Garten", "im Garten"),
        ("zu", "der ersten Karte", "zur ersten Karte"),
        ("auf", "den Talon", "auf den Talon"),
    ],
)
def test_prepositions_draw_in_the_article(preposition: str, words: str, text: str) -> None:
    assert after(preposition, words) == text


def test_adjectives_follow_the_article() -> None:
    assert CARD("the", DAT, "oberst") == "der obersten Karte"
    assert CARD("a", NOM, "rot") == "eine rote Karte"


def test_lists_name_nothing_twice() -> None:
    assert join(["a", "b", "a"]) == "a und b"
