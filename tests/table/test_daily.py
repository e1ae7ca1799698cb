"""The deals of the day: the same everywhere, and only results that were replayed count."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import cadogan
from cadogan.rules import UnknownGameError
from cadogan.table import daily, deal_search, service, workers
from cadogan.table.counted import NotCountedError
from cadogan.table.daily import (
    DAYS,
    DailyDeal,
    DailyResult,
    candidates,
    replay,
    streaks,
)
from cadogan.table.intent import Intent
from cadogan.table.record import Options
from cadogan.table.service import NoTableError
from cadogan.web.state import AppState
from tests.table.support import wait

DAY = date(2026, 11, 23)
GAMES = ("golf", "freecell")
FIRST_TWO = ["cadogan:483328152", "cadogan:432462738"]


class Clock:
    """The clock of the server."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 23, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def go_on(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    for module in (daily, service):
        monkeypatch.setattr(module, "now", made)
    return made


@pytest.fixture
def state(tmp_path: Path, clock: Clock) -> Iterator[AppState]:
    made = AppState(folder=tmp_path / "one", workers=0, games_of_the_day=GAMES)
    yield made
    made.close()


def found(state: AppState, name: str = "golf", day: date = DAY) -> DailyDeal:
    """The deal of a day, when it is known."""
    deals = [state.daily.deal(day, name)]

    def is_known() -> bool:
        deals.append(state.daily.deal(day, name))
        return deals[-1].state != "searching"

    wait(is_known)
    return deals[-1]


def line_of(deal: DailyDeal) -> list[str]:
    return [move.text for move in cadogan.solve(deal.game.deal(deal.deal)).line]


def played(state: AppState, deal: DailyDeal, clock: Clock, *, verdict: Any = "none") -> str:
    """Deals a table and wins at it, with a second for each move."""
    record = state.tables.deal(deal.game.name, deal.deal, options=Options(verdict))
    for text in line_of(deal):
        clock.go_on(1)
        record, _ = state.tables.move(record.key, record.version, Intent(text))
    assert record.won
    return record.key


def enter(state: AppState, player: str = "Ada", **given: Any) -> DailyResult:
    return state.daily.enter(DAY, "golf", player, **given)


def test_candidates_follow_from_the_date_and_the_digest() -> None:
    first = list(candidates(DAY, "a" * 64))
    assert first == list(candidates(DAY, "a" * 64))
    assert len(set(first)) == deal_search.MOST_DEALS
    assert not set(first) & set(candidates(DAY + timedelta(days=1), "a" * 64))
    assert not set(first) & set(candidates(DAY, "b" * 64))
    # The formula never changes: other servers use it.
    assert first[:2] == FIRST_TWO


def test_two_servers_have_the_same_deals(state: AppState, tmp_path: Path) -> None:
    other = AppState(folder=tmp_path / "other", workers=1, games_of_the_day=GAMES)
    try:
        for day in (DAY, DAY - timedelta(days=1), DAY - timedelta(days=200)):
            mine, theirs = found(state, day=day), found(other, day=day)
            assert mine.deal == theirs.deal
            assert cadogan.solve(mine.game.deal(mine.deal)).status == "winnable"
            tried = list(candidates(day, mine.game.digest))
            for name in tried[: tried.index(mine.deal or "")]:
                assert cadogan.solve(mine.game.deal(name), 100_000).status != "winnable"
    finally:
        other.close()


def test_a_deal_is_searched_for_once(state: AppState, monkeypatch: pytest.MonkeyPatch) -> None:
    deal = found(state)
    monkeypatch.setattr(state.searches, "begin", lambda *_: pytest.fail("searched again"))
    assert state.daily.deal(DAY, "golf") == deal


def test_a_dead_worker_skips_no_deal(state: AppState, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = next(candidates(DAY, state.library.choose("freecell").digest))
    nothing = workers.Answer("unknown", (), (), 0, True)
    with monkeypatch.context() as patched:
        patched.setattr(state.searches, "_ask", lambda *_: nothing)
        search = state.searches.begin(state.library.choose("freecell"), [wanted])
        wait(lambda: search.state != "searching")
        assert (search.state, search.tried) == ("cancelled", 0)
    assert found(state, "freecell").deal == wanted


def test_days_and_games_that_have_no_deal(state: AppState) -> None:
    with pytest.raises(NoTableError, match="2026-11-24 are not known yet"):
        state.daily.deals(DAY + timedelta(days=1))
    with pytest.raises(NoTableError, match=f"last {DAYS} days"):
        state.daily.deals(DAY - timedelta(days=DAYS + 1))
    with pytest.raises(NoTableError, match="not a game of the day"):
        state.daily.deal(DAY, "klondike")


def test_the_host_chooses_games_that_there_are(tmp_path: Path) -> None:
    made = AppState(folder=tmp_path, workers=0, games_of_the_day=["golff"])
    with pytest.raises(UnknownGameError):
        made.daily.deals(datetime.now(UTC).date())
    made.close()
    with pytest.raises(ValueError, match="at most 12"):
        AppState(folder=tmp_path, workers=0, games_of_the_day=[f"g{n}" for n in range(13)])


def test_a_clean_win_counts_with_its_time(state: AppState, clock: Clock) -> None:
    deal = found(state)
    key = played(state, deal, clock)
    result = enter(state, "  Ada   Lovelace ", table=key)
    moves = len(line_of(deal))
    assert (result.player, result.moves, result.seconds) == ("Ada Lovelace", moves, moves)
    assert result.clean
    assert not result.late
    assert state.daily.results(DAY, "golf") == [result]
    assert state.daily.calendar("Ada Lovelace") == [result]
    assert state.daily.table(deal) is not None


def test_moves_alone_count_without_a_time(state: AppState) -> None:
    result = enter(state, moves=line_of(found(state)))
    assert (result.seconds, result.clean, result.late) == (None, False, False)


def test_undo_hint_and_verdict_are_not_clean(state: AppState, clock: Clock) -> None:
    deal = found(state)
    line = line_of(deal)
    undone = state.tables.deal("golf", deal.deal, options=Options("none"))
    undone, _ = state.tables.move(undone.key, undone.version, Intent(line[0]))
    undone = state.tables.undo(undone.key, undone.version)
    hinted = state.tables.deal("golf", deal.deal, options=Options("none"))
    state.hint(hinted.key, hinted.version, "en")
    switched = state.tables.deal("golf", deal.deal, options=Options("none"))
    for verdict in ("thoughtful", "none"):
        switched = state.tables.switch(switched.key, switched.version, verdict=verdict)
    for record in (undone, hinted, switched):
        for text in line:
            record, _ = state.tables.move(record.key, record.version, Intent(text))
        assert not enter(state, record.key, table=record.key).clean
    shown = played(state, deal, clock, verdict="thoughtful")
    assert not enter(state, "shown", table=shown).clean
    # What is done after the win does not matter.
    key = played(state, deal, clock)
    record = state.tables.get(key)
    state.hint(key, record.version, "en")
    state.tables.undo(key, record.version)
    assert enter(state, "after", table=key).clean


def test_putting_a_table_away_does_not_stop_the_clock(state: AppState, clock: Clock) -> None:
    deal = found(state)
    line = line_of(deal)
    record = state.tables.deal("golf", deal.deal, options=Options("none"))
    record = state.tables.put_away(record.key, record.version)
    for text in line:
        clock.go_on(2)
        record, _ = state.tables.move(record.key, record.version, Intent(text))
    assert record.seconds == 0
    assert enter(state, table=record.key).seconds == 2 * len(line)


def test_a_result_of_another_day_is_late(state: AppState, clock: Clock) -> None:
    deal = found(state)
    key = played(state, deal, clock)
    clock.go_on(86_400)
    # Won on the day and entered later counts for the day; played later does not.
    assert not enter(state, "Ada", table=key).late
    assert enter(state, "Bea", table=played(state, deal, clock)).late
    assert enter(state, "Cleo", moves=line_of(deal)).late
    assert next(each.player for each in state.daily.results(DAY, "golf", "time")) == "Ada"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda line: ["fly", *line], "move 1 of the line, 'fly', is illegal"),
        (lambda line: line[:3] + line[:3], "of the line, '.*', is illegal"),
        (lambda line: line[:-1], "these moves do not win the game"),
        (lambda line: [*line, line[-1]], "is illegal"),
        (lambda line: [], "these moves do not win the game"),
    ],
)
def test_forged_moves_are_refused(state: AppState, change: Any, why: str) -> None:
    line: Sequence[str] = change(line_of(found(state)))
    with pytest.raises(NotCountedError, match=why):
        enter(state, moves=line)
    assert state.daily.results(DAY, "golf") == []


def test_forged_tables_are_refused(state: AppState, clock: Clock) -> None:
    deal = found(state)
    line = line_of(deal)
    other = state.tables.deal("golf", "cadogan:1")
    with pytest.raises(NotCountedError, match="another deal was played"):
        enter(state, table=other.key)
    record = state.tables.deal("golf", deal.deal)
    with pytest.raises(NotCountedError, match="is not won"):
        enter(state, table=record.key)
    brought = state.tables.deal("golf", deal.deal, line=line)
    with pytest.raises(NotCountedError, match="brought from elsewhere"):
        enter(state, table=brought.key)
    with pytest.raises(NoTableError):
        enter(state, table="0" * 16)
    yesterday = found(state, day=DAY - timedelta(days=1))
    with pytest.raises(NotCountedError, match="another deal was played"):
        enter(state, table=played(state, yesterday, clock))
    for name in ("", "  ", "a" * 41, "a\x00b"):
        with pytest.raises(NotCountedError, match="1 to 40 printable"):
            enter(state, name, moves=line)
    assert state.daily.results(DAY, "golf") == []


def test_a_result_counts_once(state: AppState, clock: Clock) -> None:
    deal = found(state)
    key = played(state, deal, clock)
    first = enter(state, table=key)
    for player, given in (
        ("Ada", {"table": key}),
        ("Bea", {"table": key}),
        ("Ada", {"moves": line_of(deal)}),
        ("Ada", {"table": played(state, deal, clock)}),
    ):
        with pytest.raises(NotCountedError, match="counted already"):
            state.daily.enter(DAY, "golf", player, **given)
    assert state.daily.results(DAY, "golf") == [first]


def test_a_deal_has_a_limited_number_of_results(
    state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daily, "MOST_RESULTS", 2)
    line = line_of(found(state))
    for player in ("Ada", "Bea"):
        enter(state, player, moves=line)
    with pytest.raises(NotCountedError, match="at most 2 results"):
        enter(state, "Cleo", moves=line)


def test_a_replay_ends_with_the_win() -> None:
    first = cadogan.load("freecell").deal("cadogan:48")
    line = [move.text for move in cadogan.solve(first).line]
    assert replay(first, line).outcome == "won"


def result(day: date, late: bool = False) -> DailyResult:
    return DailyResult(day, "golf", "Ada", 1, None, False, late, datetime(2026, 1, 1, tzinfo=UTC))


def test_streaks() -> None:
    def run(*days: int) -> list[DailyResult]:
        return [result(DAY - timedelta(days=day)) for day in days]

    assert streaks([], DAY) == (0, 0)
    assert streaks(run(0), DAY) == (1, 1)
    assert streaks(run(1, 2, 2), DAY) == (2, 2)
    assert streaks(run(2, 3, 4), DAY) == (0, 3)
    assert streaks(run(0, 1, 3, 4, 5, 6), DAY) == (2, 4)
    assert streaks([result(DAY, late=True), *run(1)], DAY) == (1, 1)
