"""Guessing passwords and links is bounded, for names and for addresses."""

import threading
from datetime import timedelta

import pytest

from cadogan.table import attempts
from cadogan.table.accounts import Accounts, WrongPasswordError
from cadogan.table.attempts import MOST_FOR_NAME, MOST_FROM_ADDRESS, TooManyAttemptsError
from cadogan.table.store import now
from tests.table.test_accounts import HERE, OTHER, PASSWORD, club, tables
from tests.table.test_store import opened

__all__ = ["club", "opened", "tables"]


def test_guessing_is_bounded_for_a_name(club: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed = list[str]()
    monkeypatch.setattr(club, "_is_right", lambda found, _: hashed.append(found))
    for number in range(MOST_FOR_NAME + 5):
        wanted = WrongPasswordError if number < MOST_FOR_NAME else TooManyAttemptsError
        with pytest.raises(wanted):
            club.log_in("ada", OTHER, address=f"192.0.2.{number}", agent="")
    # Nothing was hashed for those beyond.
    assert len(hashed) == MOST_FOR_NAME
    monkeypatch.undo()
    # Not even with the right password; but the others can log in.
    club.add("Bea", PASSWORD)
    with pytest.raises(TooManyAttemptsError, match="try again in 15 min") as answer:
        club.log_in("Ada", PASSWORD, **HERE)
    assert 0 < answer.value.seconds <= 900
    club.log_in("Bea", PASSWORD, **HERE)
    after = now() + timedelta(minutes=16)
    monkeypatch.setattr(attempts, "now", lambda: after)
    club.log_in("Ada", PASSWORD, **HERE)


def test_guessing_is_bounded_for_an_address(club: Accounts) -> None:
    club._is_right = lambda *_: False  # type: ignore[method-assign]
    # One network has all of these addresses.
    addresses = [f"2001:db8::{number:x}" for number in range(MOST_FROM_ADDRESS + 1)]
    for number, address in enumerate(addresses):
        wanted = WrongPasswordError if number < MOST_FROM_ADDRESS else TooManyAttemptsError
        with pytest.raises(wanted):
            club.log_in(f"name {number}", OTHER, address=address, agent="")
    with pytest.raises(TooManyAttemptsError):
        club.invitation("x", address=addresses[0])
    with pytest.raises(WrongPasswordError):
        club.log_in("name", OTHER, address="2001:db8:0:1::1", agent="")


def test_successes_are_no_attempts(club: Accounts) -> None:
    for number in range(MOST_FROM_ADDRESS + 1):
        club.log_in("Ada", PASSWORD, **HERE)
        if number % 15 == 0:
            with pytest.raises(WrongPasswordError):
                club.log_in("Ada", OTHER, **HERE)


def test_attempts_at_the_same_moment_are_all_counted(club: Accounts) -> None:
    refused = list[type[Exception]]()

    def guess() -> None:
        for _ in range(5):
            try:
                club.log_in("Ada", OTHER, **HERE)
            except (WrongPasswordError, TooManyAttemptsError) as fault:
                refused.append(type(fault))

    threads = [threading.Thread(target=guess) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 30
    assert refused.count(WrongPasswordError) == MOST_FOR_NAME
