from collections.abc import Callable
from pathlib import Path

import pytest

import cadogan
from cadogan.cli.draw import LETTERS, NO_PICTURE, draw
from tests.games import write_game

from .conftest import Run

GAMES = (
    "amazons",
    "besieged-city",
    "canfield",
    "empress-of-india",
    "flower-garden",
    "freecell",
    "golf",
    "hochzeitszug",
    "klondike",
    "spider",
    "the-queens",
    "yukon",
)


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("game", GAMES)
def test_first_position(
    game: str, width: int, run: Run, golden: Callable[[str, str], None]
) -> None:
    result = run("deal", game, "--deal", "cadogan:1", width=width)
    assert result.status == 0
    assert max(map(len, result.out.splitlines())) <= width
    golden(f"{game}-{width}", result.out)


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("game", GAMES)
def test_no_line_is_wider_than_the_terminal_however_a_game_goes(game: str, width: int) -> None:
    position = cadogan.load(game).deal("cadogan:2")
    for step in range(60):
        moves = position.moves()
        if not moves:
            break
        position = position.play(moves[step * 7 % len(moves)])
        lines = draw(position, width=width).plain.splitlines()
        assert max(map(len, lines[1:])) <= width
        assert not any(line != line.rstrip() for line in lines)


def test_letters_stand_for_suits_where_symbols_cannot(
    run: Run, golden: Callable[[str, str], None]
) -> None:
    result = run("deal", "klondike", "--deal", "cadogan:1", "--ascii")
    assert result.out.isascii()
    golden("klondike-letters", result.out)


def test_the_whole_truth_is_shown_when_asked_for(
    run: Run, golden: Callable[[str, str], None]
) -> None:
    result = run("deal", "canfield", "--deal", "cadogan:1", "--open")
    assert "▒" not in result.out
    golden("canfield-open", result.out)


def test_a_game_under_way(run: Run, golden: Callable[[str, str], None]) -> None:
    """Covered piles, a choice that is open, vacancies and foundations begun."""
    position = cadogan.load("besieged-city").deal("cadogan:1").play("ramparts.1 > ramparts.2")
    assert position.pending_choice is not None
    moves = f"ramparts.1 > ramparts.2; {position.moves()[0]}"
    result = run("deal", "besieged-city", "--deal", "cadogan:1", "--moves", moves)
    golden("besieged-city-under-way", result.out)


def test_hidden_cards_are_not_drawn() -> None:
    position = cadogan.load("klondike").deal("cadogan:1")
    drawn = draw(position, glyphs=LETTERS).plain
    seen = {
        str(card) for pile in position.visible_piles().values() for card in pile if card is not None
    }
    assert {word for word in drawn.split() if word in set(map(str, position.deck))} == seen


def test_four_suits_have_four_colours(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = run("deal", "flower-garden", "--deal", "cadogan:1").out
    styles = set()
    for symbol in "♣♦♥♠":
        before = out[: out.index(symbol)]
        styles.add(before[before.rindex("\x1b[") :].partition("m")[0])
    assert len(styles) == 4


def test_no_color_is_respected(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("deal", "flower-garden", "--deal", "cadogan:1").out


PEAKS = """
name    = "Peaks"
ranks   = "A 2 3 4 5 6 7"
aim     = "peaks is empty"
picture = '''
 . P1 . . P2
 / P3 P4 . P5 P6
 P7 P8 P9 P10 P11 P12
'''

[peaks]
role  = "reserve"
piles = 12
mark  = "P"
deal  = 1

[stock]
deals = "1 to waste"

[waste]
from  = "peaks"
build = "up or down"
"""


def wide(text: str, name: str, folder: Path, width: int) -> list[str]:
    """The drawing of the first position of a game, without its title."""
    position = write_game(folder, text, name).deal("cadogan:1")
    return draw(position, width=width, glyphs=LETTERS).plain.splitlines()[2:]


def test_places_that_are_shifted_by_half_stand_between_others(tmp_path: Path) -> None:
    lines = wide(PEAKS, "peaks", tmp_path, 80)
    assert [lines[0].index("P1"), lines[0].index("P2")] == [10, 40]
    assert [lines[1].index(mark) for mark in ("P3", "P4", "P5", "P6")] == [5, 15, 35, 45]
    assert [lines[2].index(mark) for mark in ("P7", "P8", "P12")] == [0, 10, 50]
    # In a narrow window the columns move together, in a narrower one the marks go.
    lines = wide(PEAKS, "peaks", tmp_path, 48)
    assert [lines[0].index("P1"), lines[1].index("P3"), lines[2].index("P12")] == [8, 4, 40]
    lines = wide(PEAKS, "peaks", tmp_path, 30)
    assert [len(line.split()) for line in lines[:3]] == [3, 5, 7]
    assert [line.split()[0] for line in lines[:3]] == ["P1", "P3", "P7"]
    lines = wide(PEAKS, "peaks", tmp_path, 20)
    assert lines[0] == NO_PICTURE


GRID = """
name    = "A grid"
aim     = "grid is empty"
picture = '''
 .  G1 G2 G3 G4 G5 G6 G7 G8 G9 G10 G11 G12
 .  G13
'''

[grid]
role  = "reserve"
piles = 13
mark  = "G"
deal  = 4

[discard]

[[rule]]
name = "throw out"
from = "grid"
to   = "discard"
"""


def test_columns_are_no_wider_than_they_must_be(tmp_path: Path) -> None:
    """Ten columns for each place would need 130; one without piles needs only two."""
    lines = wide(GRID, "grid", tmp_path, 130)
    assert lines[0].index("G1 ") == 10
    assert lines[0].index("G12") == 120
    lines = wide(GRID, "grid", tmp_path, 120)
    assert lines[0].index("G1 ") == lines[1].index("G13") == 2
    assert lines[0].index("G12") < 110
    # Cards stand in their columns without the marks, too.
    lines = wide(GRID, "grid", tmp_path, 80)
    assert lines[0].startswith("G1 ")
    assert len(lines[0].split()) == 13
    assert lines[0].split()[1].endswith("+3")


CLOCK = """
name = "Hours"
ranks = "A 2 3"
{hours}
[tableau]
piles = 4
deal  = 2
build = "down"
"""


def test_foundations_of_one_pile_stand_side_by_side(tmp_path: Path) -> None:
    names = ("one", "two", "seventeen", "four")
    hour = """
[{name}]
role  = "foundation"
base  = "ace"
build = "up in suit"
start = "the ace of {suit}"
"""
    suits = ("clubs", "diamonds", "hearts", "spades")
    hours = "".join(hour.format(name=n, suit=s) for n, s in zip(names, suits, strict=True))
    lines = wide(CLOCK.format(hours=hours), "hours", tmp_path, 80)
    assert [line.split() for line in lines[:3]] == [
        list(names),
        ["AC", "AD", "AH", "AS"],
        ["next", "2C", "2D", "2H", "2S"],
    ]
    ends = [lines[0].index(name) + len(name) for name in names]
    assert [lines[1].index(card) + 2 for card in ("AC", "AD", "AH", "AS")] == ends
    narrow = wide(CLOCK.format(hours=hours), "hours", tmp_path, 50)
    assert [line.split() for line in narrow[:2]] == [list(names[:3]), ["AC", "AD", "AH"]]


def test_a_base_that_nobody_knows_yet_is_not_reported(tmp_path: Path) -> None:
    text = """
name = "A base to come"
core = true
aim  = "foundations are complete"
layout = [{ deal = 13, from = "pack", to = "row" }]

[foundations]
role  = "foundation"
piles = 4
base  = "dealt"
build = "up in suit, round the corner"

[row]
role  = "tableau"
piles = 4

[counters.base]
cap = 12

[[rule]]
name = "begin"
from = "row"
to   = "vacant foundations"
"""
    position = write_game(tmp_path, text, "to-come").deal("cadogan:1")
    drawn = draw(position, glyphs=LETTERS).plain
    assert "base not known yet" in drawn
    assert "next" not in drawn


def test_the_two_suits_that_a_foundation_takes_are_named(tmp_path: Path) -> None:
    text = """
name = "Red and black"

[foundations]
piles = 4
start = "aces"
base  = "ace"
build = "up in alternate colours"

[tableau]
piles = 8
deal  = 6
build = "down"
"""
    lines = wide(text, "red", tmp_path, 80)
    assert lines[2].split() == ["next", "2DH", "2CS", "2CS", "2DH"]


def test_the_counts_stand_apart_from_their_names(tmp_path: Path) -> None:
    text = GRID.replace('from = "grid"', 'from = "grid"\nadd = { out = 1 }')
    lines = wide(text + "\n[counters.out]\ncap = 52\n", "counted", tmp_path, 30)
    assert lines[-1] == "counts   out 0 of 52"


def test_counters_are_reported(run: Run) -> None:
    assert "relays 0 of 2" in run("deal", "hochzeitszug", "--deal", "cadogan:1").out


def test_a_dealt_base_is_reported_as_a_rank(run: Run) -> None:
    out = run("deal", "canfield", "--deck", " ".join(canfield_deck())).out
    assert "base 7" in out
    # The card after the base of its suit, and the base elsewhere.
    assert "next    8♥  7   7   7" in out


def canfield_deck() -> list[str]:
    """A deck with the seven of hearts as the first card of the foundations."""
    deck = [str(card) for card in cadogan.load("canfield").deal("cadogan:1").deck]
    deck.remove("7H")
    return [*deck[:13], "7H", *deck[13:]]
