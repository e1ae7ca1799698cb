"""Challenges: results are replayed, hidden until one's own is in, and bounded."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

import cadogan
from cadogan.table import challenges
from cadogan.table.challenges import DAYS
from cadogan.table.counted import NotCountedError
from cadogan.table.intent import Intent
from cadogan.table.record import Options, Record
from cadogan.table.service import NoTableError
from cadogan.table.store import now
from cadogan.web.state import AppState
from tests.games import TINY

DEAL = "cadogan:1"
FIRST = cadogan.load("golf").deal(DEAL)
ADA = 617


@pytest.fixture
def state(tmp_path: Path) -> Iterator[AppState]:
    made = AppState(folder=tmp_path, workers=0)
    yield made
    made.close()


@pytest.fixture(scope="module")
def line() -> list[str]:
    """A line that wins."""
    return [move.text for move in cadogan.solve(FIRST).line]


def played(state: AppState, line: Sequence[str], deal: str = DEAL) -> Record:
    record = state.tables.deal("golf", deal, options=Options(verdict="none"))
    for text in line:
        record, _ = state.tables.move(record.key, record.version, Intent(text))
    return record


def losing() -> list[str]:
    """The first legal moves, until there are none."""
    at, line = FIRST, []
    while at.outcome is None:
        move = at.moves()[0]
        line.append(move.text)
        at = at.play(move)
    assert at.outcome == "lost"
    return line


def test_a_friend_plays_the_same_deal_and_then_sees_who_is_better(
    state: AppState, line: list[str]
) -> None:
    lost = losing()
    mine = played(state, lost)
    made = state.challenges.make(mine.key, " Ada  of Golf ")
    (result,) = made.results
    assert (result.player, result.won, result.moves, result.first, result.clean) == (
        "Ada of Golf", False, len(lost), True, True,
    )  # fmt: skip
    assert (made.player, made.game.name, made.dealt.deal_name) == ("Ada of Golf", "golf", DEAL)
    theirs = played(state, line)
    assert not state.challenges.may_see(made, theirs.key)
    assert not state.challenges.may_see(made, None)
    assert state.challenges.may_see(made, mine.key)
    done = state.challenges.enter(made.key, "Bea", table=theirs.key)
    assert [(each.player, each.won) for each in done.results] == [
        ("Bea", True), ("Ada of Golf", False),
    ]  # fmt: skip
    assert state.challenges.may_see(done, theirs.key)
    # A line without a table counts, too, but nothing is known of its time.
    done = state.challenges.enter(made.key, "Cleo", moves=line)
    assert [each.player for each in done.results] == ["Bea", "Cleo", "Ada of Golf"]
    assert (done.results[1].seconds, done.results[1].clean) == (None, False)


def test_a_deal_without_a_name_is_dealt_card_by_card(state: AppState, line: list[str]) -> None:
    deck = [str(card) for card in FIRST.deck]
    record = state.tables.deal("golf", deck=deck)
    for text in line:
        record, _ = state.tables.move(record.key, record.version, Intent(text))
    made = state.challenges.make(record.key, "Ada")
    assert [str(card) for card in made.dealt.deck] == deck
    assert state.challenges.enter(made.key, "Bea", moves=line).results[0].won
    with pytest.raises(NotCountedError, match="another deal"):
        state.challenges.enter(made.key, "Cleo", table=played(state, line).key)


def test_only_a_game_that_is_over_makes_a_challenge(state: AppState, line: list[str]) -> None:
    record = played(state, line[:2])
    with pytest.raises(NotCountedError, match="not over"):
        state.challenges.make(record.key, "Ada")
    state.tables.put_away(record.key, record.version)
    assert state.challenges.make(record.key, "Ada").results[0].moves == 2
    with pytest.raises(NoTableError):
        state.challenges.make("0" * 16, "Ada")


def test_forged_results_are_refused(state: AppState, line: list[str]) -> None:
    made = state.challenges.make(played(state, line).key, "Ada")
    other = played(state, (), "cadogan:5")
    state.tables.put_away(other.key, other.version)
    brought = state.tables.deal("golf", DEAL, line=line)
    ended = played(state, line)
    state.challenges.enter(made.key, "Bea", table=ended.key)
    for why, moves, table in (
        ("is illegal", ["fly", *line], None),
        ("do not end the game", line[:-1], None),
        ("do not end the game", [], None),
        ("another deal", None, other.key),
        ("brought from elsewhere", None, brought.key),
        ("counted already", None, ended.key),
    ):
        with pytest.raises(NotCountedError, match=why):
            state.challenges.enter(made.key, "Zoe", moves=moves, table=table)
    for name in ("", " ", "x" * 41, "a\x07b"):
        with pytest.raises(NotCountedError, match="printable"):
            state.challenges.enter(made.key, name, moves=line)
    with pytest.raises(NotCountedError, match="counted already"):
        state.challenges.enter(made.key, "Ada", moves=line)
    assert len(state.challenges.get(made.key).results) == 2


def test_a_long_game_makes_no_result(
    state: AppState, line: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(challenges, "MOST_MOVES", len(line) - 1)
    with pytest.raises(NotCountedError, match="at most"):
        state.challenges.make(played(state, line).key, "Ada")


def test_challenges_are_bounded(
    state: AppState, line: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(challenges, "MOST_CHALLENGES", 3)
    monkeypatch.setattr(challenges, "MOST_RESULTS", 2)
    table = played(state, line).key
    made = [state.challenges.make(table, "Ada").key for _ in range(5)]
    for key in made[:2]:
        with pytest.raises(NoTableError):
            state.challenges.get(key)
    for key in made[2:]:
        assert state.challenges.get(key).key == key
    state.challenges.enter(made[-1], "Bea", moves=line)
    with pytest.raises(NotCountedError, match="at most 2 results"):
        state.challenges.enter(made[-1], "Cleo", moves=line)
    # Others lose nothing by it.
    theirs = state.of(ADA)
    record = theirs.tables.deal("golf", DEAL)
    theirs.tables.put_away(record.key, record.version)
    theirs.challenges.make(record.key, "Somebody else")
    assert state.challenges.get(made[-1]).key == made[-1]
    later = now() + timedelta(days=DAYS + 1)
    monkeypatch.setattr(challenges, "now", lambda: later)
    with pytest.raises(NoTableError, match="expired"):
        state.challenges.get(made[-1])


def test_tables_of_others_show_no_results(state: AppState, line: list[str]) -> None:
    mine = played(state, line)
    made = state.challenges.make(mine.key, "Ada")
    theirs = state.of(ADA)
    assert not theirs.challenges.may_see(made, mine.key)
    with pytest.raises(NoTableError):
        theirs.challenges.make(mine.key, "Bea")
    with pytest.raises(NoTableError):
        theirs.challenges.enter(made.key, "Bea", table=mine.key)
    assert theirs.challenges.get(made.key).dealt.deal_name == DEAL


def test_own_rules_make_no_challenge(state: AppState) -> None:
    name, _ = state.library.add(TINY)
    record = state.tables.deal(name, "cadogan:1")
    state.tables.put_away(record.key, record.version)
    with pytest.raises(NotCountedError, match="catalogue"):
        state.challenges.make(record.key, "Ada")
