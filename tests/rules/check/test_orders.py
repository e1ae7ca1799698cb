"""Orders of foundations."""

import pytest

from cadogan.rules.rulebook.group import BuildOrder
from cadogan.rules.rulebook.words import RANKS
from tests.rules.reading import book_of, codes_of

GAME = 'name = "A"\n{head}\n[foundations]\npiles = 4\n{keys}\n[cells]\n'


def order(keys: str, head: str = "") -> BuildOrder:
    found = book_of(GAME.format(keys=keys, head=head)).groups[0].build_order
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("base", "build", "ranks"),
    [
        ("ace", "up in suit", "A23456789TJQK"),
        ("king", "down in suit", "KQJT98765432A"),
        ("A", "up", "A23456789TJQK"),
        ("two", "up by twos in suit", "2468TQ"),
        ("ace", "up by twos in suit", "A3579JK"),
        ("seven", "up in suit, round the corner", "789TJQKA23456"),
        ("three", "down in suit, round the corner", "32AKQJT987654"),
        ("ace", "up by threes, round the corner", "A47TK369Q258J"),
        ("Queen", "down in alternate colours", "QJT98765432A"),
    ],
)
def test_built(base: str, build: str, ranks: str) -> None:
    found = order(f'base = "{base}"\nbuild = "{build}"')
    assert "".join(RANKS[rank] for rank in found.ranks) == ranks
    assert found.wants == tuple(0b1111 << 4 * RANKS.index(rank) for rank in ranks)
    assert (found.relation is None) == (build.endswith("up") or "threes" in build)
    assert found.base is None


def test_ranks_follow_the_order_of_the_game() -> None:
    found = order('base = "ace"\nbuild = "up in suit"', 'ranks = "A 7 8 9 10 J Q"')
    assert "".join(RANKS[rank] for rank in found.ranks) == "A789TJQ"
    assert order('base = "8"\nbuild = "up"', 'ranks = "8 4 A"').ranks == (7, 3, 0)


def test_written() -> None:
    found = order('order = "A K 2, Q 10 2"\nbuild = "in suit"\nsuits = "one each"')
    assert "".join(RANKS[rank] for rank in found.ranks) == "AK2QT2"
    assert found.relation is not None
    assert found.one_suit_each
    assert order('order = "ace king"').relation is None


def test_dealt() -> None:
    found = order('base = "dealt"\nbuild = "up in suit, round the corner"')
    assert found.base == 0
    assert "".join(RANKS[rank] for rank in found.ranks) == RANKS


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ("", ["missing-key"]),
        ('base = "ace"', ["missing-key"]),
        ('build = "up"', ["missing-key"]),
        ('biuld = "up"\nbase = "ace"', ["unknown-key"]),
        ('build = "up"\nbase = "ase"', ["unknown-rank"]),
        ('build = "upp"\nbase = "ase"', ["unknown-rank", "unknown-build"]),
        ('build = "same rank"\nbase = "ace"', ["unknown-build"]),
        ('build = "up, never on kings"\nbase = "ace"', ["unknown-build"]),
        ('build = ["up", "down"]\nbase = "ace"', ["one-phrase-wanted"]),
        ('order = "A 2"\nbase = "ace"', ["base-and-order"]),
        ('order = "A 2"\nbuild = "up in suit"', ["unknown-build"]),
        ('order = "A 2"\nbase = "dealt"\nbuild = "in suit"', ["base-and-order"]),
        ('order = "A 2"\nbase = "dealt"\nbuild = "round the corner"', ["out-of-range"]),
        ('order = "A zwei"', ["unknown-rank"]),
        ('order = ""', ["out-of-range"]),
        (f'order = "{"A " * 65}"', ["out-of-range"]),
        ('base = "dealt"\nbuild = "up in suit"', ["base-needs-corner"]),
        ('base = "dealt"\nbuild = "down in suit"', ["base-needs-corner"]),
        ('start = "kings"\nbase = "ace"\nbuild = "up"', ["start-does-not-fit"]),
        ('start = "red aces"\nbase = "ace"\nbuild = "up"', ["wrong-count"]),
        ('takes = "sequences"', ["unknown-phrase"]),
        ('takes = "complete sequences down"\nbuild = "up"', ["key-does-not-fit"]),
    ],
)
def test_faults(keys: str, codes: list[str]) -> None:
    found = codes_of(GAME.format(keys=keys, head=""))
    assert sorted(found) == sorted(codes)


def test_a_dealt_base_needs_a_counter_that_reaches_the_king() -> None:
    keys = 'base = "dealt"\nbuild = "up in suit, round the corner"'
    head = "counters = { base = { cap = 5 } }"
    assert codes_of(GAME.format(keys=keys, head=head)) == ["out-of-range"]
    head = 'ranks = "A 2 3 4"'
    keys = keys.replace("up", "up by twos")
    assert codes_of(GAME.format(keys=keys, head=head)) == ["base-needs-corner"]
