import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan import (
    AmbiguousMoveError,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    MoveError,
    Position,
    load,
)
from tests.games import TINY, deal_with, play_all, walk, write_game


def texts(position: Position) -> list[str]:
    return [str(move) for move in position.moves()]


@pytest.fixture
def garden() -> Position:
    """Open fans whose upper cards are 2S AH 8D 5C 9H KS; the bouquet begins with 4S QC."""
    game = load("flower-garden")
    tops = ["2S", "AH", "8D", "5C", "9H", "KS"]
    fans = [f"{low} {top}" for low, top in zip(FILLERS, tops, strict=True)]
    return deal_with(game, " ".join(fans) + " 4S QC")


FILLERS = (
    "AC KC JC TC 9C",
    "AD KD QD JD TD",
    "KH QH JH TH 8H",
    "QS JS TS 9S 8S",
    "7C 7D 7H 7S 6C",
    "6D 6H 6S 5D AS",
)


# Writing.


def test_a_move_is_the_piles_it_goes_between(garden: Position) -> None:
    assert "garden.2 > foundations.1" in texts(garden)
    assert "bouquet.1 > garden.4" in texts(garden)


def test_what_leaves_no_choice_is_a_verb() -> None:
    assert texts(load("amazons").deal("cadogan:1")) == ["deal"]
    assert "gather" in texts(load("hochzeitszug").deal("cadogan:1"))
    assert "turn" in texts(load("the-queens").deal("cadogan:1"))
    golf = load("golf").deal("cadogan:1")
    assert "deal" in texts(golf)


def test_every_move_has_a_text_of_its_own(tmp_path: Path) -> None:
    again = '[[rule]]\nname = "again"\nfrom = "row"\nto = "foundations"\nset = { times = 1 }\n'
    position = write_game(tmp_path, TINY + again + "[counters.times]\ncap = 1\n", "twice").deal(
        "cadogan:1"
    )
    for one in walk(position.game, "cadogan:1", 8):
        assert len(set(texts(one))) == len(texts(one))
        for move in one.moves():
            assert one.play(str(move)).last_move == move


def test_moves_are_values(garden: Position) -> None:
    move = garden.moves()[0]
    assert pickle.loads(pickle.dumps(move)) == move
    assert hash(pickle.loads(pickle.dumps(move))) == hash(move)
    with pytest.raises(AttributeError):
        move.text = "deal"  # type: ignore[misc]


def test_a_move_of_another_game_is_read_by_its_text(garden: Position) -> None:
    move = garden.moves()[0]
    stranger = Move(str(move), "no rule", False, None, None, 0, 0xFFFFFFFF)
    assert garden.play(stranger) == garden.play(move)
    with pytest.raises(InvalidMoveError):
        garden.play(Move("deal", "deal", False, None, None, 0, move.code))


# Reading.


@pytest.mark.parametrize(
    "text",
    [
        "garden.2 > foundations.1",
        "garden.2>foundations.1",
        "  GARDEN.2   > Foundations.1 ",
        "garden.2 -> foundations.1",
        "garden.2 --> foundations.1",
        "garden.2 → foundations.1",
        "garden.2 to foundations.1",
        "g.2 > f.1",
        "gard 2 to found 1",
        "g2>f1",
        "g2>f",
        "garden.2 AH > foundations.1",
        "garden.2 ah > foundations",
        "garden.2 A♥ > foundations.1",
        "garden > foundations.1",
        "garden AH > foundations.1",
        "g.2 > f.1 x1",
        "g.2 > f.3",
        "g.2 > f.1 (play to foundations)",
        "play to foundations",
    ],
)
def test_reading_is_lenient(garden: Position, text: str) -> None:
    assert garden.why_not(text) is None
    assert str(garden.play(text).last_move) == "garden.2 > foundations.1"


def test_the_pile_of_a_group_of_one_may_have_its_number() -> None:
    position = load("besieged-city").deal("cadogan:1").play("turn")
    assert position.play("hand.1 > waste.1") == position.play("hand > waste")
    assert position.play("h>w") == position.play("lay off")


def test_a_verb_may_be_told_by_its_piles() -> None:
    position = load("besieged-city").deal("cadogan:1")
    assert str(position.play("stock > hand").last_move) == "turn"


def test_a_named_card_tells_the_length_of_a_unit() -> None:
    for position in walk(load("yukon"), "cadogan:1", 30):
        for move in position.moves():
            if move.count > 1:
                assert move.source is not None
                card = position.piles[move.source][-move.count]
                after = position.play(f"{move.source} {card} > {move.target}")
                assert after.last_move == move


def test_a_number_may_be_missing_if_one_fits() -> None:
    position = load("yukon").deal("cadogan:1")
    assert "tableau.2 > tableau.3 x5" in texts(position)
    last = position.play("tableau.2 > tableau.3").last_move
    assert last is not None
    assert last.count == 5


def test_of_equal_vacancies_the_listed_one_is_meant() -> None:
    position = load("freecell").deal("cadogan:1")
    assert "tableau.1 > cells.1" in texts(position)
    assert "tableau.1 > cells.3" not in texts(position)
    assert position.why_not("tableau.1 > cells.3") is None
    assert str(position.play("tableau.1 > cells.3").last_move) == "tableau.1 > cells.1"


WORDS = (
    *(">", "->", "<>", "+", "x2", "(", ")", "to", "turn", "up", "deal", "gather", "lay", "off"),
    *("army.1", "navy", "generals", "admirals.3", "tableau.2", "tableau", "stock", "waste"),
    *("hand.1", "reserve.4", "ramparts", "upper.1", "lower.", ".3", "9H", "AS", "x", "a", "r", "u"),
)


@pytest.mark.parametrize("name", ["klondike", "empress-of-india", "besieged-city", "hochzeitszug"])
@given(
    words=st.lists(
        st.sampled_from(WORDS) | st.text(max_size=4),
        max_size=9,
    ),
    glue=st.sampled_from(["", " "]),
)
def test_whatever_is_written_is_understood_or_refused(
    name: str, words: list[str], glue: str
) -> None:
    position = walk(load(name), "cadogan:1", 3)[-1]
    text = glue.join(words)
    try:
        told = position.why_not(text)
    except (InvalidMoveError, AmbiguousMoveError) as error:
        assert error.reason
    else:
        assert told != ""
        if told is None:
            position.play(text)


def test_long_texts_take_no_time(garden: Position) -> None:
    for text in ("garden.1" + " " * 100_000 + "!", "a " * 450 + "> b", " " * 900, "x" * 900):
        with pytest.raises(InvalidMoveError):
            garden.play(text)


# The three errors.


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "it is empty"),
        ("   ", "it is empty"),
        ("garden.2", "does not say where to"),
        ("garden.2 >", "a pile is missing"),
        ("> garden.2", "a pile is missing"),
        ("garden.2 > garden.3 > garden.4", "too many '>'"),
        ("gardn.2 > foundations.1", "did you mean 'garden'?"),
        ("xyz.2 > foundations.1", "the piles are foundations.1-4, garden.1-6, bouquet.1-16"),
        ("garden.7 > foundations.1", "there is no garden.7: of garden there are 6"),
        ("garden.0 > foundations.1", "there is no garden.0"),
        ("garden.2 1X > foundations.1", "'garden.2 1X' is not a pile"),
        ("gather", "does not say where to|there are no piles"),
        ("garden.1 <> garden.2 <> garden.3", "two piles change places"),
        ("garden.2 > foundations.1 (nonsense)", "there is no rule 'nonsense'"),
        ("\x00 > ☃", "is not a pile"),
    ],
)
def test_what_cannot_be_read_is_reported(garden: Position, text: str, told: str) -> None:
    with pytest.raises(InvalidMoveError, match=told):
        garden.play(text)
    with pytest.raises(InvalidMoveError):
        garden.why_not(text)


def test_several_moves_may_fit(garden: Position) -> None:
    with pytest.raises(AmbiguousMoveError) as caught:
        garden.play("bouquet > garden")
    assert "bouquet.1 > garden.4" in map(str, caught.value.moves)
    assert "it may be 'bouquet.1 > garden.4'" in str(caught.value)


def test_the_beginning_of_a_name_may_be_too_short() -> None:
    position = load("hochzeitszug").deal("cadogan:1")
    assert position.why_not("u.1 > u.1") is not None
    queens = load("the-queens").deal("cadogan:1")
    with pytest.raises(AmbiguousMoveError, match="'s' may be shutter or stock"):
        queens.play("s.1 > f.1")


def test_a_card_must_lie_where_it_is_said_to(garden: Position) -> None:
    assert garden.why_not("garden.2 2H > foundations.1") == "the card of garden.2 is AH, not 2H"
    assert garden.why_not("bouquet.1 > garden.4 6C") == "the card of garden.4 is 5C, not 6C"
    assert garden.why_not("garden.2 > foundations.1 KS") == "foundations.1 is empty: there is no KS"


def test_errors_hold_all_that_a_report_needs(garden: Position) -> None:
    position = garden.game.deal("cadogan:1")
    position = position.play(position.moves()[0])
    with pytest.raises(IllegalMoveError) as caught:
        position.play("garden.1 > bouquet.1")
    error = caught.value
    assert isinstance(error, MoveError)
    assert isinstance(error, ValueError)
    assert error.position is position
    assert error.move == "garden.1 > bouquet.1"
    assert error.reason == "the bouquet takes no cards"
    assert str(error) == f"illegal move {error.move!r}: {error.reason} (in {position})"
    pasted = str(error).rpartition("(in ")[2].removesuffix(")")
    assert Position.parse(pasted) == position
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)


def test_an_ambiguous_error_can_be_sent(garden: Position) -> None:
    position = garden.game.deal("cadogan:1")
    with pytest.raises(AmbiguousMoveError) as caught:
        position.play("bouquet > garden")
    assert pickle.loads(pickle.dumps(caught.value)).moves == caught.value.moves


def test_a_line_can_be_played_from_texts(garden: Position) -> None:
    after = play_all(garden, "g2 > f; b1 > g4")
    assert [str(move) for move in after.line] == [
        "garden.2 > foundations.1",
        "bouquet.1 > garden.4",
    ]


def test_names_of_groups_may_end_in_digits(tmp_path: Path) -> None:
    text = TINY.replace("[row]", "[row2]") + '[row1]\nrole = "cell"\n[row3]\nrole = "cell"\n'
    position = write_game(tmp_path, text).deal("cadogan:1")
    for name in ("row1", "ROW1", "row1.1", "row1 1"):
        assert str(position.play(f"row2.1 to {name}").last_move) == "row2.1 > row1"
    assert str(position.play("row2 3 to row3").last_move) == "row2.3 > row3"


def test_an_arrow_is_not_the_plus_of_a_pair(tmp_path: Path) -> None:
    pair = """
    [discard]
    [[rule]]
    name  = "pair"
    pair  = "row"
    match = "any card"
    to    = "discard"
    [[rule]]
    name  = "build again"
    from  = "row"
    to    = "row"
    add   = { n = 1 }
    [counters.n]
    cap   = 3
    """
    text = TINY.replace('build = "down in suit"\n', 'build = "any card"\n') + pair
    position = write_game(tmp_path, text).deal("cadogan:1")
    (move,) = (move for move in position.moves() if move.text == "row.2 > row.1")
    for arrow in (">", "->", " → ", " to "):
        assert position.play(f" row.2{arrow}row.1").last_move == move


def test_marks_of_the_picture_are_names_too() -> None:
    position = load("besieged-city").deal("cadogan:1")
    assert position.play("T2 > T1") == position.play("ramparts.2 > ramparts.1")
