"""The record of a deal."""

from cadogan.study.record import Record

from .support import record


def test_a_record_is_small() -> None:
    made: Record = record(1)
    assert len(made.line) == 4 * made.length
