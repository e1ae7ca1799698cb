"""A game goes on when it cannot be stored, and is stored when it can."""

import errno
from pathlib import Path

import pytest

from cadogan.table.intent import Intent
from cadogan.table.lenient import LenientStore
from cadogan.table.library import Library
from cadogan.table.record import Record
from cadogan.table.service import Tables
from cadogan.table.store import Store
from cadogan.trouble import Trouble


def play(tables: Tables, record: Record) -> Record:
    text = record.position.moves()[0].text
    return tables.move(record.key, record.version, Intent(text))[0]


def test_what_a_full_disk_refused_is_stored_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports: list[Trouble | None] = []
    store = LenientStore(folder=tmp_path, report=reports.append)
    tables = Tables(store, Library(store))
    record = play(tables, tables.deal("golf", "cadogan:1"))
    assert reports == []

    def full(*args: object, **options: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(Store, "append", full)
        record = play(tables, play(tables, record))
        assert store.is_behind
        assert [report and report.key for report in reports] == ["disk.full", "disk.full"]
        assert record.position.move_count == 3
    # The next change takes with it what was waiting.
    record = play(tables, record)
    assert reports[-1] is None
    store.close()
    again = Store(folder=tmp_path)
    loaded = Tables(again, Library(again)).get(record.key)
    assert loaded.position == record.position
    assert loaded.version == record.version
    again.close()


def test_a_bug_is_not_taken_for_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = LenientStore(folder=tmp_path, report=lambda _: None)
    tables = Tables(store, Library(store))
    record = tables.deal("golf", "cadogan:1")

    def broken(*args: object, **options: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Store, "append", broken)
    with pytest.raises(ZeroDivisionError):
        play(tables, record)
    store.close()
