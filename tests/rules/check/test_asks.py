"""What few rules ask for: bases, directions, ranks that a counter gives, places by rank."""

import random
from pathlib import Path

import pytest

from cadogan import Card, load
from cadogan.rules.check.extent import most_moves
from cadogan.rules.explain import explain
from cadogan.rules.kinds import Move
from cadogan.rules.rulebook.condition import Condition
from tests.rules.reading import BASE, book_of, rule_of

MOVE = 'from = "waste"\nto = "garden"\n'


def move(keys: str) -> Move:
    action = rule_of(keys).action
    assert isinstance(action, Move)
    return action


def condition(phrase: str) -> Condition:
    (found,) = rule_of(f'{MOVE}when = "{phrase}"').when
    return found


@pytest.mark.parametrize(
    ("phrase", "compare", "number"),
    [
        ("garden holds at least 3 red kings", "at-least", 3),
        ("garden holds more than three red kings", "at-least", 4),
        ("garden holds at most 1 king", "below", 2),
        ("garden holds fewer than 2 kings", "below", 2),
        ("garden holds exactly no kings", "equal", 0),
    ],
)
def test_numbers_of_cards(phrase: str, compare: str, number: int) -> None:
    found = condition(phrase)
    assert (found.kind, found.compare, found.number) == ("holds", compare, number)


@pytest.mark.parametrize(
    ("phrase", "kind", "number"),
    [
        ("at least 2 of garden are vacant", "vacant", 2),
        ("at most 2 of garden are vacant", "filled", 4),
        ("at least two of garden are not vacant", "filled", 2),
        ("at most one of garden is not empty", "vacant", 5),
    ],
)
def test_numbers_of_vacancies(phrase: str, kind: str, number: int) -> None:
    found = condition(phrase)
    assert (found.kind, found.number) == (kind, number)


def test_two_piles_are_compared() -> None:
    more, fewer = (condition(f"waste holds {how} cards than stock") for how in ("more", "fewer"))
    assert more.piles is not None
    assert more.than is not None
    assert (more.compare, more.piles.text, more.than.text) == ("below", "stock", "waste")
    assert (fewer.compare, fewer.piles and fewer.piles.text) == ("below", "waste")
    assert condition("waste holds as many cards as stock").compare == "equal"


def test_the_pile_that_a_counter_selects_is_empty() -> None:
    first, last = (condition(f"garden at passes{end} is empty") for end in ("", " from the end"))
    assert first.piles is not None
    assert last.piles is not None
    assert first.kind == last.kind == "by-counter"
    assert last.piles.piles == first.piles.piles[::-1]
    assert last.any_of[0].piles == first.any_of[-1].piles


def test_one_of_several_conditions() -> None:
    found = condition("either stock holds kings or queens or waste is empty or garden.1 is vacant")
    assert [each.text for each in found.any_of] == [
        "stock holds kings or queens",
        "waste is empty",
        "garden.1 is vacant",
    ]
    rule = f'{MOVE}name = "x"\nwhen = "either stock is empty or waste holds more cards than stock"'
    book = book_of(f"{BASE}\n[[rule]]\n{rule}")
    assert "when either the stock is empty or the stock holds fewer cards than the waste" in (
        " ".join(explain(book).split())
    )
    assert (
        "wenn entweder der Talon leer ist oder der Talon weniger Karten als der Abwurf enthält"
        in (" ".join(explain(book, "de").split()))
    )


def test_ranks_that_are_counted_from_a_fixed_base() -> None:
    # The foundations begin with aces.
    assert move(f'{MOVE}space = "one rank below the base"').space.text == "kings"
    assert move(f'{MOVE}which = "cards of the base rank"').which.text == "aces"


DEALT = """
name = "Base"
[foundations]
piles = 4
base  = "dealt"
build = "up in suit, round the corner"
[tableau]
piles = 3
deal  = 17
build = "down, round the corner, never on the base"
moves = "sequences"
uncovers = ["aces", "a card for foundations or no card of the sequence"]
"""


@pytest.mark.parametrize("number", range(1, 6))
def test_what_is_laid_and_uncovered_is_as_the_file_says(number: int, tmp_path: Path) -> None:
    """A naive reading of a game in which nothing is laid on the base, on a walk."""
    file = tmp_path / "base.toml"
    file.write_text(DEALT, encoding="utf-8")
    position = load(str(file)).deal(f"cadogan:{number}")
    chance = random.Random(number)
    names = [f"tableau.{place}" for place in (1, 2, 3)]
    for _ in range(60):
        base = position.counters["base"]
        wanted = {c for place in range(1, 5) for c in position.next_cards(f"foundations.{place}")}
        piles = {name: [c for c in position.piles[name] if c is not None] for name in names}
        built = set()
        for source, cards in piles.items():
            longest = len(cards) and 1
            while longest < len(cards) and goes_on(cards[-longest], cards[-longest - 1], base):
                longest += 1
            for count in range(1, longest + 1):
                below = cards[-count - 1] if count < len(cards) else None
                is_right = count == longest or below in wanted or (below and below.rank == 0)
                if not is_right:
                    continue
                vacant = [name for name in names if not piles[name]]
                built |= {
                    (source, target, count)
                    for target in names
                    if target != source and piles[target]
                    if goes_on(cards[-count], piles[target][-1], base)
                }
                if vacant and below is not None:
                    built.add((source, vacant[0], count))
        moves = position.moves()
        found = {(m.source, m.target, m.count) for m in moves if m.target in names}
        assert found == built
        if not moves:
            break
        position = position.play(chance.choice(moves))


def goes_on(card: Card, under: Card, base: int) -> bool:
    return under.rank != base and (card.rank + 1) % 13 == under.rank


def following(card: Card, step: int) -> int:
    return (card.rank + step) % 13


@pytest.mark.parametrize("number", [1, 2, 3])
def test_all_foundations_go_the_way_of_the_first(number: int) -> None:
    """A naive reading of Stalactites, whose foundations all go up by ones or all by twos."""
    chance = random.Random(number)
    position = load("stalactites").deal(f"cadogan:{number}")
    names = [f"foundations.{place}" for place in range(1, 5)]
    way = None
    for _ in range(200):
        for name in names:
            pile = [card for card in position.piles[name] if card is not None]
            steps = {1, 2} if way is None else {way}
            ranks = {following(pile[-1], step) for step in steps}
            wanted = {card.rank for card in position.next_cards(name)}
            assert wanted == (ranks if len(pile) < 13 else set())
        moves = position.moves()
        if not moves:
            break
        chosen = chance.choice([m for m in moves if m.target in names] or moves)
        if way is None and chosen.target in names:
            laid = position.piles[chosen.source or ""][-1]
            below = position.piles[chosen.target or ""][-1]
            assert laid is not None
            assert below is not None
            way = (laid.rank - below.rank) % 13
        position = position.play(chosen)
    assert way in (1, 2)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_rank_lies_in_the_row_before(number: int) -> None:
    """A naive reading of Osmosis."""
    chance = random.Random(number)
    position = load("osmosis").deal(f"cadogan:{number}")
    rows = [f"rows.{place}" for place in range(1, 5)]
    for _ in range(150):
        held = [[card for card in position.piles[row] if card is not None] for row in rows]
        base = held[0][0].rank
        legal = {(m.source, m.target) for m in position.moves() if m.target in rows}
        expected = set()
        for name in (*(f"reserve.{place}" for place in range(1, 5)), "waste"):
            top = position.piles[name][-1] if position.piles[name] else None
            if top is None:
                continue
            for place, row in enumerate(held):
                fits = row[0].suit == top.suit if row else top.rank == base
                if fits and (not place or top.rank in {card.rank for card in held[place - 1]}):
                    expected.add((name, rows[place]))
        assert legal == expected
        moves = position.moves()
        if not moves:
            break
        position = position.play(chance.choice(moves))


def test_any_card_may_begin_while_the_base_is_not_known() -> None:
    position = load("chessboard").deal("cadogan:1")
    book = position.game.rulebook
    index = next(at for at, rule in enumerate(book.rules) if rule.name == "play to foundations")
    plays = [move for move in position.moves() if move.rule == "play to foundations"]
    assert len(plays) == 10 <= most_moves(book)[index]
