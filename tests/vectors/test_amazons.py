"""Amazons: figures of the sources, and the effects of the readings of its ambiguities."""

import math
from collections import Counter

import pytest

from cadogan import Position, _kernel, load
from cadogan.rules import load_rules
from tests.conftest import THOROUGH
from tests.vectors.table import deck_of, next_first, reached, texts

COLUMNS = [f"columns.{n}" for n in range(1, 5)]
FOUNDATIONS = [f"foundations.{n}" for n in range(1, 5)]
DEALS = 20_000 if THOROUGH else 4_000


def columns(position: Position) -> list[str]:
    return [" ".join(map(str, position.piles[name])) for name in COLUMNS]


def foundations(position: Position) -> list[str]:
    return [" ".join(map(str, position.piles[name])) for name in FOUNDATIONS]


def dealt_out(position: Position) -> Position:
    """Deals row after row and places nothing but the aces."""
    while position.piles["stock"]:
        position = position.play("deal")
    return position


def test_the_pack_is_a_piquet_pack_without_its_kings() -> None:
    pack = load("amazons").pack
    assert Counter(str(card)[0] for card in pack) == dict.fromkeys("A789TJQ", 4)
    assert Counter(str(card)[1] for card in pack) == dict.fromkeys("CDHS", 7)
    assert len(pack) == 28 == 4 * 7


def test_seven_whole_rows_are_dealt_from_left_to_right() -> None:
    game = load("amazons")
    position = game.deal(deck=game.pack[::-1])
    assert columns(position) == ["QS", "QH", "QD", "QC"]
    assert next_first(position) == position.deck[4:]
    for row in range(2, 7):
        position = position.play("deal")
        assert all(len(position.piles[name]) == row for name in COLUMNS)
    position = position.play("deal")
    assert not position.piles["stock"]
    assert foundations(position) == ["AS", "AH", "AD", "AC"]


def test_aces_go_up_at_once_to_the_leftmost_empty_place() -> None:
    game = load("amazons")
    position = game.deal(deck=deck_of(game, {0: "7C AD 8C AS", 4: "9C 9D AC TD"}))
    assert foundations(position) == ["AD", "AS", "", ""]
    assert columns(position) == ["7C", "", "8C", ""]
    assert [(str(move), move.forced) for move in position.line] == [
        ("columns.2 > foundations.1", True),
        ("columns.4 > foundations.2", True),
    ]
    position = position.play("deal")
    assert foundations(position) == ["AD", "AS", "AC", ""]
    assert columns(position) == ["7C 9C", "9D", "8C", "TD"]


def test_four_aces_of_one_row_open_the_places_from_left_to_right() -> None:
    game = load("amazons")
    position = game.deal(deck=deck_of(game, {0: "AH AC AS AD"}))
    assert foundations(position) == ["AH", "AC", "AS", "AD"]
    assert columns(position) == ["", "", "", ""]
    assert texts(position) == {"deal"}


def test_a_card_goes_up_only_on_the_foundation_above_its_column() -> None:
    game = load("amazons")
    deck = deck_of(game, {0: "AD AC TH TS", 4: "7C 7D 9H 9S"})
    position = game.deal(deck=deck).play("deal")
    assert foundations(position) == ["AD", "AC", "", ""]
    assert columns(position) == ["7C", "7D", "TH 9H", "TS 9S"]
    assert texts(position) == {"deal"}
    assert position.why_not("columns.2 > foundations.1") is not None
    other = game.deal(deck=deck_of(game, {0: "AD AC TH TS", 4: "7D 7C 8D 8C"})).play("deal")
    assert texts(other) == {"deal", "columns.1 > foundations.1", "columns.2 > foundations.2"}


def test_a_card_that_goes_up_uncovers_the_one_beneath() -> None:
    game = load("amazons")
    deck = deck_of(game, {0: "AC 9H 9S 9D", 4: "8C TH TS TD", 8: "7C JH JS JD"})
    position = game.deal(deck=deck).play("deal").play("deal")
    for card in ("8C", ""):
        position = position.play("columns.1 > foundations.1")
        assert columns(position)[0] == card
    assert foundations(position)[0] == "AC 7C 8C"


def test_columns_are_not_built_on_and_gaps_wait_for_the_next_row() -> None:
    game = load("amazons")
    position = game.deal(deck=deck_of(game, {0: "AC 8H 7H 9S"}))
    assert columns(position) == ["", "8H", "7H", "9S"]
    assert texts(position) == {"deal"}
    assert position.why_not("columns.3 > columns.2") is not None
    assert position.why_not("columns.2 > columns.1") is not None


def test_nothing_leaves_a_foundation() -> None:
    position = load("amazons").deal(deck=deck_of(load("amazons"), {0: "AC 8H 7H 9S"}))
    assert position.why_not("foundations.1 > columns.1") is not None


@pytest.mark.parametrize(
    ("name", "order"), [("amazons", (0, 1, 2, 3)), ("amazons:left-to-right", (3, 2, 1, 0))]
)
def test_the_columns_are_swept_up_and_turned(name: str, order: tuple[int, ...]) -> None:
    before = dealt_out(load(name).deal("cadogan:3"))
    heap = [before.piles[COLUMNS[column]] for column in order]
    after = before.play("gather")
    assert next_first(after) == tuple(card for column in heap for card in column)
    assert columns(after) == ["", "", "", ""]
    assert foundations(after) == foundations(before)
    assert texts(after) == {"deal"}


def test_the_sweep_card_by_card() -> None:
    game = load("amazons")
    deck = deck_of(
        game,
        {
            0: "AC AD AH AS",
            4: "QC QD QH QS",
            8: "JC JD JH JS",
            12: "TC TD TH TS",
            16: "9C 9D 9H 9S",
            20: "8C 8D 8H 8S",
            24: "7D 7C 7S 7H",
        },
    )
    position = dealt_out(game.deal(deck=deck)).play("gather")
    assert " ".join(map(str, next_first(position))) == (
        "QC JC TC 9C 8C 7D QD JD TD 9D 8D 7C QH JH TH 9H 8H 7S QS JS TS 9S 8S 7H"
    )
    position = position.play("deal")
    assert columns(position) == ["QC", "JC", "TC", "9C"]
    other = dealt_out(load("amazons:left-to-right").deal(deck=deck)).play("gather").play("deal")
    assert columns(other) == ["QS", "JS", "TS", "9S"]


def test_after_two_passes_in_which_no_card_was_placed_the_game_is_lost() -> None:
    game = load("amazons")

    def fits(position: Position) -> bool:
        return any(move.startswith("columns") for move in texts(position))

    lost = open_ = 0
    for number in range(60):
        position = dealt_out(game.deal(f"cadogan:{number}"))
        for _ in range(2):  # The aces were placed in the first pass; now two are barren.
            assert "gather" in texts(position)
            assert position.outcome is None
            position = dealt_out(position.play("gather"))
        assert "gather" not in texts(position)
        if not fits(position):
            assert position.outcome == "lost"
            lost += 1
            continue
        # What can still be placed may be placed, and then the pass was not barren.
        assert position.outcome is None
        placed = position.play(next(iter(texts(position))))
        assert "gather" in texts(placed)
        open_ += 1
    assert lost > 5
    assert open_ > 5


def test_with_unlimited_passes_gathering_goes_on() -> None:
    position = dealt_out(load("amazons:unlimited").deal("cadogan:3"))
    for _ in range(5):
        position = dealt_out(position.play("gather"))
        assert "gather" in texts(position)


def test_a_complete_family_closes_its_column_in_the_next_pass() -> None:
    game = load("amazons")
    deck = deck_of(
        game,
        {
            0: "AC QD QH QS",
            4: "7C JD JH JS",
            8: "8C TD TH TS",
            12: "9C AD AH AS",
            16: "TC 9D 9H 9S",
            20: "JC 8D 8H 8S",
            24: "QC 7H 7S 7D",
        },
    )
    position = game.deal(deck=deck)
    while position.piles["stock"]:
        position = position.play("deal")
        if str(position.piles["columns.1"][-1])[1] == "C":
            position = position.play("columns.1 > foundations.1")
    assert foundations(position) == ["AC 7C 8C 9C TC JC QC", "AD", "AH", "AS"]
    assert position.closed_piles == frozenset()
    position = position.play("gather")
    assert position.closed_piles == {"columns.1"}
    assert len(position.piles["stock"]) == 18
    for row in range(1, 7):
        position = position.play("deal")
        assert [len(position.piles[name]) for name in COLUMNS] == [0, row, row, row]
    # The columns follow one another: QD JD TD 9D 8D 7H, and so on, cut by threes.
    assert columns(position)[1:] == [
        "QD 9D QH 9H QS 9S",
        "JD 8D JH 8H JS 8S",
        "TD 7H TH 7S TS 7D",
    ]


@pytest.mark.parametrize(("name", "grows"), [("amazons", 1), ("amazons:skip-now", 0)])
def test_a_family_that_is_complete_closes_its_column_at_once_in_the_variant(
    name: str, grows: int
) -> None:
    def newly_complete(position: Position) -> bool:
        return len(position.piles["stock"]) >= 4 and any(
            len(position.piles[f"foundations.{n}"]) == 7 and not position.closed_piles
            for n in range(1, 5)
        )

    def willing(position: Position, text: str) -> float:
        return 1 if " > " in text else 0.01

    before = reached(load(name), newly_complete, willing)
    after = before.play("deal")
    for n in range(1, 5):
        full = len(before.piles[f"foundations.{n}"]) == 7
        columns = before.piles[f"columns.{n}"], after.piles[f"columns.{n}"]
        assert len(columns[1]) - len(columns[0]) == (grows if full else 1)


def test_a_short_last_row_is_dealt_from_the_left() -> None:
    def short(position: Position) -> bool:
        return 1 <= len(position.piles["stock"]) <= 3 and not position.closed_piles

    before = reached(load("amazons"), short)
    left = len(before.piles["stock"])
    after = before.play("deal")
    grown = [len(after.piles[name]) - len(before.piles[name]) for name in COLUMNS]
    assert grown == [int(place < left) for place in range(4)]


def test_queens_free_go_up_from_any_column() -> None:
    game = load("amazons:queens-free")

    def below_another(position: Position) -> bool:
        return any("queens from any column" in move.rule for move in position.moves())

    position = reached(game, below_another, lambda position, text: 1 if " > " in text else 0.1)
    for move in position.moves():
        if move.rule == "queens from any column":
            assert move.source is not None
            assert str(position.piles[move.source][-1])[0] == "Q"


def test_an_ace_may_open_any_place_in_the_variant() -> None:
    game = load("amazons:any-place")
    position = game.deal(deck=deck_of(game, {0: "7C AD 8C AS"}))
    assert position.pending_choice == "aces go up"
    assert texts(position) == {f"columns.2 > foundations.{n}" for n in range(1, 5)}
    position = position.play("columns.2 > foundations.3")
    assert texts(position) == {f"columns.4 > foundations.{n}" for n in (1, 2, 4)}


def test_with_every_placement_forced_there_are_no_decisions() -> None:
    position = load("amazons:chance").deal("cadogan:1")
    while moves := texts(position):
        assert moves in ({"deal"}, {"gather"})
        position = position.play(moves.pop())
    assert position.outcome in ("won", "lost")


def share_won(name: str, deals: int) -> float:
    """The share of deals that are won when whatever can be placed is placed.

    Where passes are not limited, a table that was met before is the end.
    """
    rules = load_rules(name)
    program = _kernel.Program(rules.program.to_bytes())
    deck = rules.rulebook.deck
    scripts = {
        index for index, rule in enumerate(rules.rulebook.rules) if rule.verb in ("deal", "gather")
    }
    won = 0
    for number in range(deals):
        state = program.deal(bytes(deck[place] for place in _kernel.shuffle(number, len(deck))))
        met: set[int] = set()
        while moves := state.moves():
            move = next((move for move in moves if move >> 24 not in scripts), moves[0])
            state = state.play(move)[0]
            if not any(state.piles()[4:8]):
                if state.hash128() in met:
                    break
                met.add(state.hash128())
        won += state.outcome() == 1
    return won / deals


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("amazons:chance", 0.116),
        ("amazons:chance+left-to-right", 0.354),
        ("amazons:queens-free+left-to-right", 0.389),
        ("amazons:unlimited", 0.319),
        ("amazons:unlimited+left-to-right", 0.785),
        ("amazons:unlimited+left-to-right+queens-free+skip-now", 0.79),
    ],
)
def test_the_shares_of_deals_won_are_those_that_were_measured(name: str, share: float) -> None:
    # The figures were measured over 20,000 deals, and have an error themselves.
    error = math.sqrt(share * (1 - share) * (1 / DEALS + 1 / 20_000))
    assert share_won(name, DEALS) == pytest.approx(share, abs=3.5 * error + 0.005)
