"""Every scheme deals as docs/deals.md says."""

import re
from pathlib import Path

import pytest

from cadogan import load
from cadogan.cards import format_cards, pack
from cadogan.deals import (
    SCHEMES,
    parse_deal,
    shuffled,
)
from cadogan.deals.own import _below, _permutation, _split_mix
from cadogan.deals.programs import _twister

DOCS = Path(__file__).parents[2] / "docs" / "deals.md"

_VECTOR = re.compile(
    r"^(\w+:\d+)(?:, (?:(\d) packs|([\w:-]+)))?\n((?:    [A-KQTJ2-9CDHS ]+\n)+)", re.MULTILINE
)


def documented() -> list[tuple[str, int, str, str]]:
    """The vectors of the documentation: deal, packs, game (if its table is meant), cards."""
    return [
        (deal, int(packs or 1), game, " ".join(cards.split()))
        for deal, packs, game, cards in _VECTOR.findall(DOCS.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(("deal", "packs", "game", "cards"), documented())
def test_documented_vectors_are_true(deal: str, packs: int, game: str, cards: str) -> None:
    if game:
        assert format_cards(load(game).deal(deal).deck) == cards
    else:
        assert format_cards(shuffled(deal, pack(packs))) == cards


def test_every_scheme_is_documented() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert {parse_deal(deal).scheme for deal, _, _, _ in documented()} == set(SCHEMES)
    for scheme in SCHEMES.values():
        assert f"\n## {scheme.name}\n" in text
        numbers = scheme.highest or "the number of arrangements"
        assert f"| `{scheme.name}` | {scheme.lowest} to {numbers} " in text


def test_documented_draws_are_true() -> None:
    draws = re.findall(r"(\d+) for number (\d+)", DOCS.read_text(encoding="utf-8"))
    assert len(draws) == 2
    for draw, number in draws:
        assert next(_twister(int(number))) == int(draw)


def test_worked_example_is_true() -> None:
    rows = re.findall(
        r"^\| (\d) \| (\d) \| `([0-9a-f]{16})` \| (\d) \| ([\d ]+) \|$",
        DOCS.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert [int(row[0]) for row in rows] == [4, 3, 2, 1]
    places = list(range(5))
    for (last, bound, drawn, other, after), draw in zip(rows, _split_mix(1), strict=False):
        assert int(bound) == int(last) + 1
        assert int(drawn, 16) == draw
        assert _below(int(bound), iter([draw])) == int(other)
        places[int(last)], places[int(other)] = places[int(other)], places[int(last)]
        assert after == " ".join(map(str, places))
    assert places == _permutation(1, 5)
