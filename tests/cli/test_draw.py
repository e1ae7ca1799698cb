from collections.abc import Callable

import pytest

import cadogan
from cadogan.cli.draw import LETTERS, draw

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
