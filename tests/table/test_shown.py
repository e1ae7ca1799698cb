"""Tables that are shown to others by a link."""

from datetime import datetime, timedelta

import pytest

from cadogan.table import shown
from cadogan.table.accounts import Accounts
from cadogan.table.service import NoTableError, Tables
from cadogan.table.store import now
from tests.table.test_accounts import PASSWORD, club, tables
from tests.table.test_store import opened

__all__ = ["club", "opened", "tables"]


def test_a_table_is_shown_by_a_link_until_it_is_withdrawn(club: Accounts, tables: Tables) -> None:
    bea = club.add("Bea", PASSWORD)
    own = tables.of(bea.id)
    record = own.deal("golf", "cadogan:1")
    assert not shown.is_shown(own.store, record.key)
    with pytest.raises(NoTableError):
        shown.show(tables.store, record.key)
    secret = shown.show(own.store, record.key)
    found = shown.shown_table(tables.store, secret)
    assert (found.key, found.player) == (record.key, bea.id)
    assert shown.is_shown(own.store, record.key)
    # Others cannot withdraw it.
    shown.hide(tables.store, record.key)
    assert shown.shown_table(tables.store, secret) == found
    again = shown.show(own.store, record.key)
    for wrong in (secret, "x", "\ud800"):
        with pytest.raises(NoTableError):
            shown.shown_table(tables.store, wrong)
    assert shown.shown_table(tables.store, again) == found
    own.put_away(record.key, None)
    with pytest.raises(NoTableError, match="not any more"):
        shown.shown_table(tables.store, again)
    own.put_away(record.key, None, closed=False)
    assert shown.shown_table(tables.store, again) == found
    shown.hide(own.store, record.key)
    with pytest.raises(NoTableError):
        shown.shown_table(tables.store, again)


def test_a_player_shows_a_limited_number_of_tables(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shown, "MOST_SHOWN", 2)
    keys = [tables.deal("golf", f"cadogan:{number}").key for number in range(3)]
    for number, key in enumerate(keys):
        at: datetime = now() + timedelta(seconds=number)
        monkeypatch.setattr(shown, "now", lambda at=at: at)
        shown.show(tables.store, key)
    assert [shown.is_shown(tables.store, key) for key in keys] == [False, True, True]
