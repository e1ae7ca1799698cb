"""Accounts: passwords, sessions, invitations."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from argon2 import PasswordHasher
from sqlalchemy import select, update

from cadogan.table import account_data, accounts, schema
from cadogan.table.accounts import (
    AccountError,
    Accounts,
    InvitationError,
    Player,
    Session,
    WrongPasswordError,
)
from cadogan.table.service import Tables
from cadogan.table.store import now
from tests.table.test_store import Open, opened

__all__ = ["opened"]
PASSWORD = "a long sentence"
OTHER = "another long sentence"
HERE: dict[str, str] = {"address": "192.0.2.1", "agent": "a browser"}
QUICK = PasswordHasher(1, 8, 1)
"""Real hashes are slow on purpose."""


@pytest.fixture
def tables(opened: Open) -> Tables:
    return opened()


@pytest.fixture
def club(tables: Tables) -> Accounts:
    found = Accounts(tables.store, QUICK)
    found.add("Ada", PASSWORD, "host")
    return found


def session_of(club: Accounts, name: str = "Ada", password: str = PASSWORD) -> Session:
    _, secret = club.log_in(name, password, **HERE)
    found = club.session(secret)
    assert found is not None
    return found


def later(monkeypatch: pytest.MonkeyPatch, **time: float) -> None:
    at = now() + timedelta(**time)
    monkeypatch.setattr(accounts, "now", lambda: at)


def test_a_player_logs_in_by_name_and_password(club: Accounts, tables: Tables) -> None:
    for name in ("Ada", "ada", " ADA ", "\uff21da"):
        player, secret = club.log_in(name, PASSWORD, **HERE)
        assert (player.name, player.role) == ("Ada", "host")
        session = club.session(secret)
        assert session is not None
        assert (session.player, session.agent) == (player, "a browser")
    assert club.session(secret + "x") is None
    assert len(club.sessions(player)) == 4
    for name, password in (("Ada", OTHER), ("Bea", PASSWORD), ("Ada", ""), ("\ud800", PASSWORD)):
        with pytest.raises(WrongPasswordError, match="the name or the password is wrong"):
            club.log_in(name, password, **HERE)
    with tables.store.engine.connect() as connection:
        stored = str(connection.execute(select(schema.sessions)).all())
        stored += str(connection.execute(select(schema.players)).all())
    assert "$argon2id$" in stored
    assert secret not in stored
    assert PASSWORD not in stored


def test_the_first_host_takes_over_what_was_played(club: Accounts) -> None:
    (ada,) = club.players()
    assert ada.id == schema.PLAYER
    bea = club.add("Bea", PASSWORD, "host")
    assert bea.id != schema.PLAYER


def test_passwords_are_hashed_as_advised() -> None:
    # RFC 9106, section 4, the second recommended option: 64 MiB, three passes.
    hasher = PasswordHasher()
    assert (hasher.memory_cost, hasher.time_cost) == (65536, 3)
    assert hasher.hash("x").startswith("$argon2id$")


@pytest.mark.parametrize(
    ("name", "password", "why"),
    [
        ("ADA", PASSWORD, "somebody else has the name"),
        ("", PASSWORD, "1 to 40 printable"),
        ("x" * 41, PASSWORD, "1 to 40 printable"),
        ("a\x07", PASSWORD, "1 to 40 printable"),
        ("\ufdfa" * 40, PASSWORD, "1 to 40 printable"),
        ("Bea", "short", "10 to 200 characters"),
        ("Bea", "x" * 201, "10 to 200 characters"),
        ("Bea", "ababababab", "too few different"),
        ("Adelaide Cadogan", "adelaide cadogan1", "is the name"),
    ],
)
def test_what_is_no_name_or_no_password(club: Accounts, name: str, password: str, why: str) -> None:
    with pytest.raises(AccountError, match=why):
        club.add(name, password)
    assert [player.name for player in club.players()] == ["Ada"]


def test_an_unknown_name_takes_as_long(club: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not measured, but counted: the same work is done."""
    seen = list[str]()
    right = club._is_right

    def look(hashed: str, password: str) -> bool:
        seen.append(hashed)
        return right(hashed, password)

    monkeypatch.setattr(club, "_is_right", look)
    for name in ("Ada", "nobody"):
        with pytest.raises(WrongPasswordError):
            club.log_in(name, OTHER, **HERE)
    known, unknown = seen
    # Algorithm, version and costs.
    assert known.split("$")[1:4] == unknown.split("$")[1:4]


def test_sessions_end(club: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = [club.log_in("Ada", PASSWORD, **HERE)[1] for _ in range(3)]
    (one, two, three) = (club.session(secret) for secret in secrets)
    assert one is not None
    assert two is not None
    assert three is not None
    bea = club.add("Bea", PASSWORD)
    assert not club.end_session(bea, one.id)
    assert club.end_session(one.player, one.id)
    assert not club.end_session(one.player, one.id)
    assert club.session(secrets[0]) is None
    club.end_other_sessions(three)
    assert [club.session(secret) for secret in secrets] == [None, None, three]
    # One that is used goes on; the others end.
    later(monkeypatch, days=20)
    assert club.session(secrets[2]) is not None
    later(monkeypatch, days=40)
    assert club.session(secrets[2]) is not None
    later(monkeypatch, days=80)
    assert club.session(secrets[2]) is None


def test_a_player_has_a_limited_number_of_sessions(
    club: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "MOST_SESSIONS", 3)
    secrets = list[str]()
    for number in range(5):
        later(monkeypatch, minutes=number)
        secrets.append(club.log_in("Ada", PASSWORD, **HERE)[1])
    assert [club.session(secret) is not None for secret in secrets] == [False] * 2 + [True] * 3


def test_a_new_password_ends_the_other_sessions(club: Accounts) -> None:
    old, here = session_of(club), session_of(club)
    with pytest.raises(WrongPasswordError):
        club.change_password(here, OTHER, OTHER, HERE["address"])
    with pytest.raises(AccountError, match="10 to 200"):
        club.change_password(here, PASSWORD, "short", HERE["address"])
    club.change_password(here, PASSWORD, OTHER, HERE["address"])
    assert [each.id for each in club.sessions(here.player)] == [here.id]
    assert old.id != here.id
    with pytest.raises(WrongPasswordError):
        club.log_in("Ada", PASSWORD, **HERE)
    club.log_in("Ada", OTHER, **HERE)


def test_an_invitation_is_used_once(club: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    made, secret = club.invite(note=" for  Bea ")
    assert (made.note, club.invitations()) == ("for Bea", [made])
    assert club.invitation(secret, "") == (made, None)
    # A name that is taken does not use it up.
    with pytest.raises(AccountError, match="has the name"):
        club.accept(secret, "ada", PASSWORD, **HERE)
    player, session = club.accept(secret, "Bea", PASSWORD, **HERE)
    assert (player.name, player.role) == ("Bea", "player")
    assert club.session(session) is not None
    with pytest.raises(InvitationError):
        club.accept(secret, "Cea", PASSWORD, **HERE)
    assert club.invitations() == []
    made, secret = club.invite("host", days=2)
    assert club.withdraw(made.id)
    assert not club.withdraw(made.id)
    with pytest.raises(InvitationError):
        club.accept(secret, "Cea", PASSWORD, **HERE)
    _, secret = club.invite("host", days=2)
    later(monkeypatch, days=3)
    with pytest.raises(InvitationError):
        club.accept(secret, "Cea", PASSWORD, **HERE)
    assert {player.name for player in club.players()} == {"Ada", "Bea"}


def test_of_two_who_use_an_invitation_one_gets_in(club: Accounts) -> None:
    _, secret = club.invite("host")
    done = list[Player]()
    failed = list[Exception]()

    def use(name: str) -> None:
        try:
            done.append(club.accept(secret, name, PASSWORD, **HERE)[0])
        except AccountError as fault:
            failed.append(fault)

    threads = [threading.Thread(target=use, args=(f"new {number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(done), len(failed)) == (1, 3)
    assert done[0].is_host
    assert len(club.players()) == 2


def test_a_forgotten_password_is_replaced_by_a_link(club: Accounts) -> None:
    ada = session_of(club).player
    _, secret = club.invite(player=ada)
    assert club.invitation(secret, "")[1] == ada
    with pytest.raises(AccountError, match="10 to 200"):
        club.accept(secret, "", "short", **HERE)
    player, _ = club.accept(secret, "another name", OTHER, **HERE)
    assert player == ada
    assert len(club.sessions(ada)) == 1
    club.log_in("Ada", OTHER, **HERE)
    with pytest.raises(InvitationError):
        club.accept(secret, "", OTHER, **HERE)


def test_one_host_always_stays(club: Accounts, tables: Tables) -> None:
    (ada,) = club.players()
    bea = club.add("Bea", PASSWORD)
    with pytest.raises(AccountError, match="one player at least must be a host"):
        club.set_role(ada.id, "player")
    with pytest.raises(AccountError, match="one player at least must be a host"):
        account_data.remove(tables.store, ada)
    club.set_role(bea.id, "host")
    club.set_role(ada.id, "player")
    assert [player.role for player in club.players()] == ["player", "host"]
    account_data.remove(tables.store, ada)
    assert club.players() == [Player(bea.id, "Bea", "host", bea.created)]
    with pytest.raises(AccountError, match="no such player"):
        club.set_role(ada.id, "player")


def test_old_hashes_are_replaced(tables: Tables) -> None:
    old = Accounts(tables.store, QUICK)
    old.add("Ada", PASSWORD, "host")
    new = Accounts(tables.store, PasswordHasher(2, 16, 1))
    read: Callable[[], str] = lambda: stored(tables)  # noqa: E731
    before = read()
    new.log_in("Ada", PASSWORD, **HERE)
    assert "m=8,t=1" in before
    assert "m=16,t=2" in read()
    new.log_in("Ada", PASSWORD, **HERE)
    with tables.store.engine.execution_options(writes=True).begin() as connection:
        connection.execute(update(schema.players).values(password="nonsense"))
    with pytest.raises(WrongPasswordError):
        new.log_in("Ada", PASSWORD, **HERE)


def stored(tables: Tables) -> str:
    with tables.store.engine.connect() as connection:
        return str(connection.execute(select(schema.players.c.password)).scalar())
