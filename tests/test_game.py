import os
import pickle
from pathlib import Path

import pytest

import cadogan
from cadogan import Card, Position, load, perft
from cadogan.deals import DealError, DeckError
from cadogan.rules import RulesError, UnknownGameError, catalogue
from tests.games import TINY, deal_with, play_all, walk, write_game


def test_a_game_tells_what_it_is() -> None:
    game = load("amazons:left-to-right+queens-free")
    assert game.name == "amazons:left-to-right+queens-free"
    assert game.title == "Amazons"
    assert game.active_variants == ("left-to-right", "queens-free")
    assert "chance" in [variant.name for variant in game.variants]
    assert len(game.pack) == 28
    assert game.digest != load("amazons").digest


def test_loading_again_answers_the_same_game() -> None:
    assert load("klondike") is load("klondike")


def test_a_changed_rules_file_is_read_again(tmp_path: Path) -> None:
    game = write_game(tmp_path)
    assert load(tmp_path / "tiny.toml") is game
    write_game(tmp_path, TINY.replace('"Tiny"', '"Changed"'))
    os.utime(tmp_path / "tiny.toml", ns=(1, 1))
    assert load(tmp_path / "tiny.toml").title == "Changed"


def test_unknown_games_and_faulty_files_are_reported(tmp_path: Path) -> None:
    with pytest.raises(UnknownGameError, match="flower-garden"):
        load("flower-gardn")
    with pytest.raises(RulesError):
        load("amazons:no-such-variant")
    with pytest.raises(RulesError):
        write_game(tmp_path, "name = 1", "faulty")
    with pytest.raises(OSError, match="missing"):
        load(tmp_path / "missing.toml")


def test_a_deal_needs_a_name_or_a_deck() -> None:
    game = load("flower-garden")
    with pytest.raises(TypeError):
        game.deal()
    with pytest.raises(TypeError):
        game.deal("cadogan:1", deck=game.pack)
    with pytest.raises(DealError):
        game.deal("nobody:1")
    with pytest.raises(DeckError) as caught:
        game.deal(deck=["AS", "AS", "XX", *map(str, game.pack[4:])])
    assert caught.value.unknown == ("XX",)
    assert [str(card) for card in caught.value.missing] == ["AC", "AD", "AH"]


def test_a_deck_is_dealt_in_its_order() -> None:
    game = load("flower-garden")
    position = game.deal(deck=game.pack)
    assert position.piles["garden.1"] == game.pack[:6]
    assert position.piles["bouquet.16"] == game.pack[51:]
    assert position.deck == game.pack
    assert position.deal_name is None
    assert str(position).startswith("flower-garden [AC AD AH")


def test_the_name_of_a_deal_is_put_in_order() -> None:
    assert load("flower-garden").deal(" Cadogan:01 ").deal_name == "cadogan:1"


def test_what_lies_face_down_is_hidden() -> None:
    position = load("klondike").deal("cadogan:1")
    assert position.visible_piles()["tableau.3"] == (None, None, position.piles["tableau.3"][2])
    assert position.face_down["tableau.3"] == (True, True, False)
    assert set(position.visible_piles()["stock"]) == {None}
    assert all(isinstance(card, Card) for pile in position.piles.values() for card in pile)


def test_of_a_squared_pile_the_top_is_seen() -> None:
    position = load("klondike").deal("cadogan:1").play("deal").play("deal")
    assert position.visible_piles()["waste"] == (None, position.piles["waste"][1])
    assert position.face_down["waste"] == (False, False)
    key = load("the-queens").deal("cadogan:1").visible_piles()["key"]
    assert set(key[:-1]) == {None}
    assert key[-1] is not None


def test_the_place_of_a_pack_without_stock_is_not_shown() -> None:
    position = load("flower-garden").deal("cadogan:1")
    assert set(position.piles) == set(position.game.pile_names)
    assert set(position.visible_piles()) == set(position.face_down) == set(position.piles)


def test_positions_do_not_change() -> None:
    position = load("flower-garden").deal("cadogan:1")
    before = dict(position.piles)
    after = position.play(position.moves()[0])
    assert dict(position.piles) == before != dict(after.piles)
    with pytest.raises(TypeError):
        position.piles["garden.1"] = ()  # type: ignore[index]


def test_positions_are_equal_up_to_interchangeable_piles() -> None:
    game = load("flower-garden")
    fans = [game.pack[i : i + 6] for i in range(0, 36, 6)]
    rest = game.pack[36:]
    one = game.deal(deck=[card for fan in fans for card in fan] + list(rest))
    other = game.deal(deck=[card for fan in reversed(fans) for card in fan] + list(rest)[::-1])
    assert one == other
    assert hash(one) == hash(other)
    assert one.hash == other.hash
    assert one != game.deal("cadogan:1")
    assert one != load("flower-garden:sequences").deal(deck=one.deck)
    assert one != "flower-garden"


def test_the_line_has_the_forced_moves_marked() -> None:
    position = deal_with(load("amazons"), "AS 7S AH 8C 8S 9S TS JS")
    assert [(str(move), move.forced) for move in position.line] == [
        ("columns.1 > foundations.1", True),
        ("columns.3 > foundations.2", True),
    ]
    after = position.play("deal")
    assert [str(move) for move in after.line_since(position)] == ["deal"]
    assert after.line[:2] == position.line
    assert after.move_count == 1


@pytest.mark.parametrize("name", catalogue())
def test_undo_takes_forced_moves_back_too(name: str) -> None:
    for before, after in zip((w := walk(load(name), "cadogan:3", 30)), w[1:], strict=False):
        assert after.undo() is before


def test_there_may_be_no_move_to_undo() -> None:
    position = load("amazons").deal("cadogan:1")
    with pytest.raises(ValueError, match="no move to undo"):
        position.undo()
    with pytest.raises(ValueError, match="was not played from"):
        position.line_since(load("amazons").deal("cadogan:1"))


def test_a_forced_rule_may_leave_a_choice() -> None:
    position = next(
        position
        for deal in range(20)
        for position in walk(load("besieged-city"), f"cadogan:{deal}", 40)
        if position.pending_choice
    )
    assert position.pending_choice == "a breach is filled from its line"
    moves = position.moves()
    assert len({move.target for move in moves}) == 1
    chosen = position.play(moves[0])
    assert not chosen.line_since(position)[0].forced


def test_a_game_is_won_or_lost(tmp_path: Path) -> None:
    game = write_game(tmp_path)
    position = deal_with(game, "3S 3H 2S 2H AS AH")
    assert position.outcome is None
    position = play_all(
        position,
        "row.2 > foundations.1; row.3 > foundations.2; row.3 > foundations.1;"
        "row.1 > foundations.2; row.1 > foundations.1; row.2 > foundations.2",
    )
    assert position.outcome == "won"
    assert position.moves() == []
    assert position.why_not("row.1 > foundations.1") == "the game is won"
    lost = deal_with(load("amazons"), "7S 7C 7D 7H")
    while lost.outcome is None:
        lost = lost.play(lost.moves()[-1])
    assert lost.outcome == "lost"


def test_transfers_tell_what_a_move_does() -> None:
    position = load("klondike").deal("cadogan:1")
    (deal,) = (move for move in position.moves() if move.text == "deal")
    assert position.transfers(deal) == [("stock", 1, "waste")]
    assert (deal.source, deal.target) == (None, None)


def test_counters_and_closed_piles_are_seen() -> None:
    position = load("hochzeitszug").deal("cadogan:1")
    assert position.counters == {"relays": 0}
    assert position.play("gather").counters == {"relays": 1}
    assert position.closed_piles == frozenset()


def test_foundations_tell_what_they_want() -> None:
    position = deal_with(load("canfield"), "")
    base = position.piles["foundations.1"][-1]
    (wanted,) = position.next_cards("foundations.1")
    assert wanted.rank == (base.rank + 1) % 13
    assert wanted.suit == base.suit
    assert {card.rank for card in position.next_cards("foundations.2")} == {base.rank}
    assert position.next_cards("tableau.1") == ()


@pytest.mark.parametrize("name", catalogue())
def test_what_is_listed_is_what_is_played(name: str) -> None:
    for position in walk(load(name), "cadogan:7", 25):
        moves = position.moves()
        assert len({str(move) for move in moves}) == len(moves)
        assert perft(position, 1) == len(moves)
        assert (position.outcome is None) == bool(moves)
        for move in moves[:40]:
            assert position.why_not(move) is None
            assert position.play(str(move)) == position.play(move)


@pytest.mark.parametrize("name", catalogue())
def test_a_note_and_a_pickle_are_the_position(name: str) -> None:
    position = walk(load(name), "cadogan:5", 20)[-1]
    for again in (Position.parse(str(position)), pickle.loads(pickle.dumps(position))):
        assert again == position
        assert again.line == position.line


def test_what_is_no_note_is_reported() -> None:
    with pytest.raises(ValueError, match="not the note of a position"):
        Position.parse("flower-garden")
    game = load("flower-garden")
    position = game.deal(deck=game.pack)
    assert Position.parse(str(position)).deck == game.pack


def test_perft_counts_paths() -> None:
    position = load("flower-garden").deal("cadogan:1")
    assert perft(position, 0) == 1
    assert perft(position, 2) == sum(len(position.play(m).moves()) for m in position.moves())


def test_forced_rules_that_go_on_for_ever_are_an_error(tmp_path: Path) -> None:
    rules = "".join(
        f'[[rule]]\nname = "{one}"\nforced = true\n'
        f'steps = [{{ take = 1, from = "row.{one}", to = "row.{two}" }}]\n'
        for one, two in ((1, 2), (2, 1))
    )
    with pytest.raises(RuntimeError, match="do not come to rest"):
        write_game(tmp_path, TINY + rules).deal("cadogan:1")


def test_all_that_is_promised_is_there() -> None:
    assert all(hasattr(cadogan, name) for name in cadogan.__all__)
