"""The record of a game: a snapshot that never changes, and its clock."""

import itertools
import random
from dataclasses import FrozenInstanceError
from datetime import UTC, datetime, timedelta

import pytest

from cadogan import load
from cadogan.savefile import SavedGameError
from cadogan.table.record import LONGEST_PAUSE, Draft, Event, Options, Record

BEGUN = datetime(2026, 4, 1, 12, tzinfo=UTC)


def dealt() -> Record:
    return Record.dealt("k", load("klondike").deal("cadogan:1"), BEGUN, Options())


def moved(record: Record, text: str, at: datetime = BEGUN) -> Record:
    draft = Draft(record)
    draft.play(text, "player", at)
    return draft.record()


def test_a_record_does_not_change() -> None:
    before = dealt()
    after = moved(before, "deal")
    after = after.after([Event("mark", 0, {"name": "x"}, BEGUN)])
    assert (before.version, before.node, len(before.nodes)) == (0, 0, 1)
    assert (before.nodes[0].name, dict(before.nodes[0].children)) == (None, {})
    assert (after.version, after.nodes[0].name) == (2, "x")
    with pytest.raises(FrozenInstanceError):
        after.version = 3  # type: ignore[misc]


def test_an_event_that_does_not_fit_adds_nothing() -> None:
    draft = Draft(moved(dealt(), "deal"))
    for event in (
        Event("move", 2, {"move": "nonsense", "parent": 1}, BEGUN),
        Event("move", 3, {"move": "deal", "parent": 1}, BEGUN),
        Event("move", 2, {"move": "deal", "parent": 2}, BEGUN),
        Event("goto", 2, {}, BEGUN),
        Event("goto", -1, {}, BEGUN),
        Event("mark", 1, {}, BEGUN),
        Event("options", 1, {}, BEGUN),
    ):
        with pytest.raises(SavedGameError, match="event 2 of the record cannot be replayed"):
            draft.add(event)
    assert (draft.record().version, len(draft.record().nodes)) == (1, 2)


def test_redo_goes_the_way_that_was_visited_last() -> None:
    """Compared with walking the whole way at every visit, and noting it."""
    dice = random.Random(3)
    record, noted = dealt(), dict[int, int]()
    for _ in range(300):
        if dice.random() < 0.5 and record.position.moves():
            record = moved(record, dice.choice(record.position.moves()).text)
        else:
            node = dice.randrange(len(record.nodes))
            record = record.after([Event("goto", node, {"how": "goto"}, BEGUN)])
        path = record.path()
        noted.update(itertools.pairwise(path))
        ahead, node = list[int](), record.node
        while node in noted:
            node = noted[node]
            ahead.append(node)
        assert record.ahead() == ahead
        assert record.next == (ahead[0] if ahead else None)


@pytest.mark.parametrize("jump", [timedelta(days=365), timedelta(days=-30)])
def test_a_clock_that_was_wrong_for_a_while_stops_nothing(jump: timedelta) -> None:
    at, record = BEGUN, dealt()
    for _ in range(2):
        at += timedelta(seconds=3)
        record = moved(record, "deal", at)
    record = moved(record, "deal", at + jump)
    wrong = record.seconds
    assert 6 <= wrong <= 6 + LONGEST_PAUSE
    for _ in range(3):
        at += timedelta(seconds=3)
        record = moved(record, "deal", at)
    assert record.played == at
    assert record.seconds - wrong >= 6
    assert record.seconds <= 2 * LONGEST_PAUSE + 12
