"""Rules of building: phrases, and the tables made of them."""

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.cards import Card
from cadogan.rules.explain.english.prose import Cards
from cadogan.rules.explain.german.cards import GermanCards
from cadogan.rules.rulebook.relations import Relation, parse_term
from cadogan.rules.rulebook.words import WordError

PHRASES = [
    "up",
    "down",
    "up or down",
    "down in suit",
    "up in alternate colours",
    "down in colour, round the corner",
    "up or down in another suit, round the corner",
    "up in the next suit of clubs, diamonds, hearts and spades, round the corner",
    "up by twos in suit",
    "down by threes, round the corner",
    "same rank",
    "same rank in colour",
    "any rank in suit",
    "adding to 13",
    "adding to 14 in suit",
    "any card",
    "down in suit, never on kings",
    "any card, never on red cards",
]


def on(text: str, card: str, ranks: tuple[int, ...] = tuple(range(13))) -> str:
    """The cards that may lie on a card."""
    row = Relation((parse_term(text),), ranks).table()[Card.parse(card).code]
    return " ".join(str(Card(code)) for code in range(52) if row >> code & 1)


@pytest.mark.parametrize(
    ("text", "card", "expected"),
    [
        ("down in suit", "5H", "4H"),
        ("up in suit", "5H", "6H"),
        ("up or down in suit", "5H", "4H 6H"),
        ("down", "5H", "4C 4D 4H 4S"),
        ("down regardless of suit", "5H", "4C 4D 4H 4S"),
        ("down in alternate colors", "5H", "4C 4S"),
        ("down in alternating colours", "5C", "4D 4H"),
        ("down in colour", "5H", "4D 4H"),
        ("down in another suit", "5H", "4C 4D 4S"),
        ("down in the next suit of hearts, spades and clubs", "5H", "4S"),
        ("down in the next suit of hearts, spades and clubs", "5C", "4H"),
        ("down in the next suit of hearts, spades and clubs", "5D", ""),
        ("up by twos in suit", "5H", "7H"),
        ("down in suit", "AH", ""),
        ("down in suit, round the corner", "AH", "KH"),
        ("up in suit round the corner", "KH", "AH"),
        ("up by twos in suit, round the corner", "QH", "AH"),
        ("same rank in colour", "5H", "5D 5H"),
        ("adding to 13 in suit", "5H", "8H"),
        ("adding to 2 in suit", "AH", "AH"),
        ("adding to 14 in suit", "KH", "AH"),
        ("any card in suit", "2H", "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"),
        ("lower in suit", "4H", "AH 2H 3H"),
        ("higher in suit", "JH", "QH KH"),
        ("down in suit, never on kings", "KH", ""),
        ("down in suit, never on red kings", "KS", "QS"),
    ],
)
def test_what_goes_on_a_card(text: str, card: str, expected: str) -> None:
    assert on(text, card) == expected


def test_ranks_count_in_the_order_of_the_game() -> None:
    piquet = (0, 6, 7, 8, 9, 10, 11)
    assert on("up in suit", "AS", piquet) == "7S"
    assert on("down in suit, round the corner", "AS", piquet) == "QS"
    assert on("up in suit", "2S", piquet) == ""


def test_the_order_of_a_foundation_can_be_followed() -> None:
    orders = {"foundations": (0, 12, 1, 11)}
    term = parse_term("beside in the order of the foundations, in suit", orders.get)
    row = Relation((term,)).table()
    for card, expected in {"AC": "KC", "KC": "AC 2C", "2C": "QC KC", "QC": "2C", "5C": ""}.items():
        assert row[Card.parse(card).code] == sum(
            1 << Card.parse(word).code for word in expected.split()
        )
    with pytest.raises(WordError, match="no order"):
        parse_term("beside in the order of garden", orders.get)


@pytest.mark.parametrize("text", PHRASES)
@pytest.mark.parametrize("ranks", [tuple(range(13)), (0, 6, 7, 8, 9, 10, 11), (2, 0, 1)])
def test_the_table_is_the_single_test(text: str, ranks: tuple[int, ...]) -> None:
    term = parse_term(text)
    table = Relation((term,), ranks).table()
    for lower, upper in itertools.product(range(52), repeat=2):
        assert bool(table[lower] >> upper & 1) == term.allows(upper, lower, ranks)


def test_several_terms_are_a_union() -> None:
    terms = tuple(parse_term(text) for text in ("up in suit", "down in alternate colours"))
    one, two = (Relation((term,)).table() for term in terms)
    assert Relation(terms).table() == [a | b for a, b in zip(one, two, strict=True)]
    assert Relation(terms).texts == ("up in suit", "down in alternate colours")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("down in siut", "siut"),
        ("upp in suit", "upp"),
        ("up by tows", "by tows"),
        ("up by sevens", "by sevens"),
        ("same rank by threes", "by threes"),
        ("adding to 13 by twos", "by twos"),
        ("adding to 40", "40"),
        ("adding to 0", "0"),
        ("any card, round the corner", "round the corner"),
        ("down in suit, never on kinsg", "kinsg"),
        ("down never", "down"),
        ("", ""),
    ],
)
def test_the_word_that_is_the_trouble(text: str, word: str) -> None:
    with pytest.raises(WordError) as caught:
        parse_term(text)
    assert caught.value.word == word
    assert text[caught.value.start :].startswith(word)


WAYS: dict[str, Callable[[int, int, int], bool]] = {
    "up": lambda upper, lower, step: upper - lower == step,
    "down": lambda upper, lower, step: lower - upper == step,
    "up or down": lambda upper, lower, step: abs(upper - lower) == step,
    "higher": lambda upper, lower, step: upper > lower,
    "lower": lambda upper, lower, step: upper < lower,
    "same rank": lambda upper, lower, step: upper == lower,
    "any rank": lambda upper, lower, step: True,
    "any card": lambda upper, lower, step: True,
    "adding to 13": lambda upper, lower, step: upper + 1 + lower + 1 == 13,
    "adding to 25": lambda upper, lower, step: upper + 1 + lower + 1 == 25,
}
STEPS = {"": 1, " by twos": 2, " by threes": 3, " by fours": 4, " by fives": 5, " by sixes": 6}
SUITS: dict[str, Callable[[str, str], bool]] = {
    "": lambda upper, lower: True,
    " regardless of suit": lambda upper, lower: True,
    " in suit": lambda upper, lower: upper == lower,
    " in the same suit": lambda upper, lower: upper == lower,
    " in another suit": lambda upper, lower: upper != lower,
    " in colour": lambda upper, lower: (upper in "DH") == (lower in "DH"),
    " in the next suit of spades, hearts, clubs and diamonds": lambda upper, lower: (
        lower + upper in ("SH", "HC", "CD", "DS")
    ),
    " in alternating colors": lambda upper, lower: (upper in "DH") != (lower in "DH"),
}
CORNERS = ("", ", round the corner")
NEVER = {"": "", ", never on kings": "K", ", never on aces": "A"}


def naive(parts: tuple[str, ...], upper: Card, lower: Card) -> bool:
    """What a phrase says, read word by word."""
    way, step, suit, corner, never = parts
    high, low = ("A23456789TJQK".index(str(card)[0]) for card in (upper, lower))
    if str(lower)[0] == (NEVER[never] or None):
        return False
    if not SUITS[suit](str(upper)[1], str(lower)[1]):
        return False
    turns = (-13, 0, 13) if corner else (0,)
    return any(WAYS[way](high + turn, low, STEPS[step]) for turn in turns)


def test_every_part_of_a_phrase_counts_or_is_refused() -> None:
    """No word is ignored: what is accepted is played and explained as it reads."""
    pack = [Card(code) for code in range(52)]
    explained: dict[tuple[str, str, str, str], list[int]] = {}
    for parts in itertools.product(WAYS, STEPS, SUITS, CORNERS, NEVER):
        way, step, _, corner, _ = parts
        phrase = "".join(parts)
        if (step or corner) and way not in ("up", "down", "up or down"):
            with pytest.raises(WordError, match="says nothing"):
                parse_term(phrase)
            continue
        relation = Relation((parse_term(phrase),))
        table = relation.table()
        for lower in pack:
            cards = {upper for upper in pack if table[lower.code] >> upper.code & 1}
            assert cards == {upper for upper in pack if naive(parts, upper, lower)}, phrase
        english, german = Cards(range(13), range(4)), GermanCards(range(13), range(4))
        words = (english.fits(relation), english.ends(relation))
        worte = (german.may_lie(relation), german.limits(relation))
        # Phrases that are explained alike are played alike.
        assert explained.setdefault((*words, *worte), table) == table, phrase


@given(st.lists(st.sampled_from(" ".join(PHRASES).split()), max_size=8).map(" ".join))
def test_any_words_are_a_rule_or_an_error(text: str) -> None:
    try:
        term = parse_term(text)
    except WordError as error:
        assert 0 <= error.start <= len(text)
    else:
        assert parse_term(term.text) == term
