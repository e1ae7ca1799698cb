"""Players: every game is legal and can be repeated, and the fair player does not peek."""

import random

import pytest

from cadogan import Card, Game, Position, load
from cadogan.solver.fair import play_fair
from cadogan.study.errors import StudyError
from cadogan.study.players import PLAYERS, Player, play, seed_of
from cadogan.study.record import pack_line
from cadogan.study.verify import wrong_line
from tests.catalogue import GAMES

from .support import record

FAIR = "fair samples=3 budget=3000 moves=60"


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("player", ["random moves=300", "greedy moves=300", FAIR])
def test_every_game_can_be_played_and_repeated(name: str, player: str) -> None:
    game = load(name)
    who = Player.parse(player)
    first = [play(game, f"cadogan:{number}", who, 0) for number in range(3)]
    assert first == [play(game, f"cadogan:{number}", who, 0) for number in range(3)]
    for number, played in enumerate(first):
        assert played.verdict in ("won", "lost")
        if played.verdict == "won":
            line = pack_line(played.line)
            kept = record(number, "won", line=line, length=len(played.line))
            assert wrong_line(game, kept) is None


def test_what_chance_decides_hangs_on_the_seed() -> None:
    game = load("amazons")
    lines = {play(game, "cadogan:4", Player.parse(f"random seed={n}"), 0).nodes for n in range(20)}
    assert len(lines) > 5
    assert seed_of(0, "cadogan:1") != seed_of(1, "cadogan:1") != seed_of(0, "cadogan:2")


def observed(game: Game, deck: list[int], codes: list[int]) -> list[object]:
    """What a person sees and may do after the deal and after each move."""
    position = game.deal(deck=[Card(code) for code in deck])
    seen: list[object] = [_look(position)]
    for code in codes:
        move = next((move for move in position.moves() if move.code == code), None)
        if move is None:
            break
        position = position.play(move)
        seen.append((*_look(position), [str(each) for each in position.line_since(position)]))
    return seen


def _look(position: Position) -> tuple[object, ...]:
    moves = tuple(move.text for move in position.moves())
    return dict(position.visible_piles()), dict(position.counters), moves


def exchanged(
    game: Game, deck: list[int], codes: list[int], chance: random.Random
) -> list[int] | None:
    """The deck with the cards mixed that nobody has seen; none if that could be seen."""
    position = game.deal(deck=[Card(code) for code in deck])
    # There is one pack, so a card is identified by its face.
    seen: set[int] = set()
    for code in [None, *codes]:
        if code is not None:
            position = position.play(next(m for m in position.moves() if m.code == code))
        seen |= {card.code for pile in position.visible_piles().values() for card in pile if card}
    hidden = [place for place, code in enumerate(deck) if code not in seen]
    cards = [deck[place] for place in hidden]
    chance.shuffle(cards)
    other = list(deck)
    for place, code in zip(hidden, cards, strict=True):
        other[place] = code
    return other if observed(game, other, codes) == observed(game, deck, codes) else None


def fair_line(game: Game, deck: list[int], moves: int) -> list[int]:
    """The first moves of a fair player who asks the solver."""
    position = game.deal(deck=[Card(code) for code in deck])
    options = {"budget": 8000, "samples": 4, "playouts": 1, "solver": 60, "moves": moves}
    return list(play_fair(position, 5, options).codes)


@pytest.mark.parametrize("name", ["klondike:draw-three", "amazons", "canfield", "yukon", "golf"])
def test_the_fair_player_does_not_peek(name: str) -> None:
    """Exchanging cards that nobody has seen does not change any decision up to then."""
    game = load(name)
    chance = random.Random(name)
    compared = exchanged_cards = 0
    for number in range(12):
        deck = [card.code for card in game.deal(f"cadogan:{number}").deck]
        until = chance.randrange(10)
        codes = fair_line(game, deck, until + 1)
        other = exchanged(game, deck, codes[:until], chance)
        if other is None:
            continue
        compared += 1
        exchanged_cards += sum(a != b for a, b in zip(deck, other, strict=True))
        assert fair_line(game, other, until + 1)[: until + 1] == codes[: until + 1]
    assert compared >= 6
    assert exchanged_cards > (40 if name != "golf" else 20)


@pytest.mark.parametrize("name", ["klondike:draw-three", "canfield"])
def test_no_decision_of_a_game_looks_at_hidden_cards(name: str) -> None:
    """At each position, two deals that differ only in hidden cards have the same answer."""
    game = load(name)
    chance = random.Random(name)
    deck = [card.code for card in game.deal("cadogan:5").deck]
    codes = fair_line(game, deck, 24)
    compared = 0
    for until in range(len(codes)):
        other = exchanged(game, deck, codes[:until], chance)
        if other is not None:
            compared += other != deck
            assert fair_line(game, other, until + 1) == codes[: until + 1], f"after {until} moves"
    assert compared >= len(codes) // 2


def test_what_can_be_played_comes_before_another_deal() -> None:
    """Where only a deal shows cards, few nodes do not make a player deal at once."""
    game = load("fortunes-favor")
    fair, greedy = (
        sum(
            play(game, f"cadogan:{number}", Player.parse(text), 0).verdict == "won"
            for number in range(12)
        )
        for text in ("fair samples=8 solver=500 budget=60000", "greedy")
    )
    assert fair >= greedy > 8


def test_hindsight_wins_more_than_greed() -> None:
    game = load("klondike")
    won = {
        text: sum(
            play(game, f"cadogan:{number}", Player.parse(text), 0).verdict == "won"
            for number in range(32)
        )
        for text in ("greedy", "fair samples=6 solver=300 budget=150000")
    }
    assert list(won.values()) == sorted(won.values()), won
    assert len(set(won.values())) == 2, won


def test_a_player_who_knows_all_plans_to_the_end() -> None:
    """If nothing is hidden, a fair player is a thoughtful one."""
    game, fair = load("flower-garden"), Player.parse("fair budget=20000")
    assert play(game, "cadogan:1", fair, 0).verdict == "won"


def test_the_ladder_goes_up() -> None:
    game = load("amazons")
    won = {
        text: sum(
            play(game, f"cadogan:{number}", Player.parse(text), 2000).verdict in ("won", "winnable")
            for number in range(40)
        )
        for text in ("random", "greedy", "fair samples=4 budget=2000", "thoughtful")
    }
    assert list(won.values()) == sorted(won.values())
    assert won["random"] < won["thoughtful"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "unknown player ''"),
        ("greddy", "unknown player 'greddy'"),
        ("thoughtful seed=1", "thoughtful has no option 'seed'"),
        ("fair samples", "samples of fair is a number"),
        ("fair samples=many", "not 'many'"),
        ("fair samples=1001", "up to 1,000"),
        ("random seed=-1", "not '-1'"),
    ],
)
def test_a_player_that_is_none_is_reported(text: str, said: str) -> None:
    with pytest.raises(StudyError, match=said) as error:
        Player.parse(text)
    assert error.value.hint


def test_a_player_is_written_as_it_is_read() -> None:
    for text in (*PLAYERS, "fair samples=32 seed=3", "greedy moves=10"):
        assert str(Player.parse(text)) == text
    assert str(Player.parse("fair  samples=16 seed=0")) == "fair"


def test_how_much_memory_there_is_belongs_to_the_player() -> None:
    game, deal = load("flower-garden:worrying-back"), "cadogan:0"
    little = play(game, deal, Player.parse("thoughtful memory=1"), 100_000)
    usual = play(game, deal, Player.parse("thoughtful"), 100_000)
    assert little == play(game, deal, Player.parse("thoughtful memory=1"), 100_000)
    assert little.nodes != usual.nodes, "a full memory changes how the search continues"
    assert usual == play(game, deal, Player.parse("thoughtful memory=1024"), 100_000)
