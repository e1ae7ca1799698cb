"""Reviews of games at tables, found by worker processes."""

from pathlib import Path

import pytest

from cadogan import load, solve
from cadogan.solver.review import review
from cadogan.storage import CATALOGUE
from cadogan.table import reviews
from cadogan.table.record import Options, Record
from cadogan.table.reviews import NotOverError, Reviews, Seen, TooManyReviewsError
from cadogan.table.store import now
from cadogan.web.state import AppState
from tests.table.support import play, wait

pytestmark = pytest.mark.timeout(240)  # processes start slowly on a busy machine


def lost(state: AppState, deal: str = "cadogan:2") -> Record:
    """A table at which the last legal move was always made."""
    record = state.tables.deal("amazons", deal)
    while record.position.outcome is None:
        record = play(state, record, record.position.moves()[-1].text)
    assert record.position.outcome == "lost"
    return record


def complete(state: AppState, record: Record) -> Seen:
    def is_complete() -> bool:
        return state.reviews.look(record, record.node).is_complete

    wait(is_complete)
    return state.reviews.look(record, record.node)


def test_a_review_at_a_table_is_that_of_the_solver(state: AppState) -> None:
    record = lost(state)
    first = state.reviews.look(record, record.node)
    assert first.is_searching
    assert not first.is_complete
    seen = complete(state, record)
    alone = review(record.position)
    assert seen.loss is not None
    found = alone.loss()
    assert found is not None
    assert (seen.loss.first, seen.loss.last) == (found.first, found.last)
    assert [(turn.legal, turn.kept, turn.lost) for turn in seen.turns] == [
        (turn.legal, turn.kept, turn.lost) for turn in alone.turns()
    ]
    assert not seen.is_searching
    assert seen.nodes > 0
    # What it found is known to the verdict of the table.
    record = state.tables.switch(record.key, record.version, verdict="thoughtful")
    standing = state.verdicts.standing(record)
    assert (standing.since, standing.exact) == (seen.loss.move, True)


def test_what_the_verdict_knows_is_not_searched_again(state: AppState) -> None:
    record = state.tables.deal("flower-garden", "cadogan:1", options=Options("thoughtful"))
    state.opened(record)
    wait(lambda: state.verdicts.standing(record).status == "winnable")
    seen = state.reviews.look(record, record.node)
    assert [turn.finding.how for turn in seen.turns] == ["line"]
    assert str(seen.text) == "the game could still be won at its end"


def test_a_game_in_play_is_not_reviewed_unless_its_verdict_is_shown(state: AppState) -> None:
    record = state.tables.deal("flower-garden", "cadogan:1")
    with pytest.raises(NotOverError, match="still being played"):
        state.reviews.look(record, record.node)
    closed = state.tables.put_away(record.key, record.version)
    assert state.reviews.look(closed, closed.node).turns
    shown = state.tables.deal("flower-garden", "cadogan:1", options=Options("thoughtful"))
    assert state.reviews.look(shown, shown.node).turns


def test_a_game_of_points_has_no_review(state: AppState, tmp_path: Path) -> None:
    # Without a number of points that wins, it has no win.
    file = tmp_path / "square.toml"
    file.write_text((CATALOGUE / "poker-square.toml").read_text().replace("won_from = 200", ""))
    first = load(file).deal("cadogan:1")
    record = Record.dealt("a" * 16, first, now(), Options("thoughtful"))
    with pytest.raises(NotOverError, match="points decide"):
        state.reviews.look(record, record.node)


def test_a_long_game_is_not_reviewed(state: AppState, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "MOST_MOVES", 3)
    record = lost(state)
    with pytest.raises(NotOverError, match="more than 3 moves"):
        state.reviews.look(record, record.node)
    assert state.reviews.look(record, record.path()[3]).turns


def test_nobody_looks_any_more_and_the_search_ends(
    state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "LEASE", -1.0)
    record = lost(state)
    seen = state.reviews.look(record, record.node)
    assert not seen.is_searching
    assert not seen.is_complete
    assert seen.nodes == 0


def test_there_is_a_limit_of_reviews(state: AppState, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "MOST_RUNNING", 1)
    monkeypatch.setattr(reviews, "BUDGETS", (10**9,))
    first = state.tables.deal("spider", "cadogan:1", options=Options("thoughtful"))
    assert state.reviews.look(first, first.node).is_searching
    second = state.tables.deal("spider", "cadogan:2", options=Options("thoughtful"))
    with pytest.raises(TooManyReviewsError, match="1 reviews are already running"):
        state.reviews.look(second, second.node)
    # The one that runs can still be looked at.
    assert state.reviews.look(first, first.node).is_searching


def test_old_reviews_are_forgotten(state: AppState, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "MOST_KNOWN", 1)
    monkeypatch.setattr(reviews, "BUDGETS", (10**9,))
    made: Reviews = state.reviews
    tables = [
        state.tables.deal("spider", f"cadogan:{number}", options=Options("thoughtful"))
        for number in (1, 2)
    ]
    for record in tables:
        assert made.look(record, record.node).is_searching
    assert [key for key, _ in made._known] == [tables[1].key]


def test_the_deal_is_not_searched_where_a_later_position_can_be_won(state: AppState) -> None:
    record = state.tables.deal("flower-garden", "cadogan:1")
    for move in solve(record.position).line:
        record = play(state, record, move.text)
        if record.won:
            break
    seen = state.reviews.look(record, record.node)
    assert str(seen.text) == "the game was won"
    assert {turn.finding.status for turn in seen.turns} == {"winnable"}
