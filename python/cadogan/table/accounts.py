"""Accounts: players, their sessions, and invitations.

Of every secret that gives access (in a cookie, in a link) only a hash is stored, and passwords as
hashes by Argon2id. Attempts are counted in the database, so the limits hold for all processes.
"""

import hashlib
import secrets
import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from cadogan.i18n.text import gettext
from cadogan.table import schema
from cadogan.table.attempts import Attempts, for_name, from_address
from cadogan.table.store import Conflict, Store, new_id, now, utc
from cadogan.trouble import BUSY_SECONDS, BusyError

Role = Literal["player", "host"]
ROLES: Final[tuple[Role, ...]] = ("player", "host")

LONGEST_SECRET: Final = 100
LONGEST_NAME: Final = 40
SHORTEST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 200
MOST_PLAYERS: Final = 10_000
MOST_SESSIONS: Final = 50
"""The largest number of sessions of a player; another one ends the one used longest ago."""
MOST_INVITATIONS: Final = 200
LONGEST_NOTE: Final = 80
SESSION: Final = timedelta(days=30)
"""How long a session lasts that is not used."""
SEEN: Final = timedelta(hours=1)
"""How exactly it is stored when a session was used."""
INVITATION_DAYS: Final = 7
LONGEST_INVITATION: Final = 30

MOST_HASHING: Final = 2
"""Passwords that are hashed at the same time: each takes 64 MB."""


class AccountError(ValueError):
    """Something that cannot be done with accounts; the message says why."""


class NoAccountsError(LookupError):
    """This server has no accounts."""


class NotLoggedInError(Exception):
    """Nobody is logged in."""


class NotAllowedError(Exception):
    """Only hosts may do this."""


class WrongPasswordError(AccountError):
    """The name or the password is wrong."""

    def __init__(self) -> None:
        super().__init__(gettext("the name or the password is wrong"))


class InvitationError(AccountError):
    """The invitation is not valid."""

    def __init__(self) -> None:
        super().__init__(gettext("this invitation has expired, or it was used already"))


@dataclass(frozen=True, slots=True)
class Player:
    """A player with an account.

    Attributes:
        id: The number of the player.
        name: The name, which nobody else has.
        role: What the player may do.
        created: When the account was made.
    """

    id: int
    name: str
    role: Role
    created: datetime

    @property
    def is_host(self) -> bool:
        """Whether the player may invite and remove others."""
        return self.role == "host"


@dataclass(frozen=True, slots=True)
class Session:
    """A browser in which a player is logged in.

    Attributes:
        id: Its key; it gives no access.
        player: Who is logged in.
        agent: The browser, as it names itself.
        begun: When the player logged in.
        seen: When it was used last, to the hour.
    """

    id: str
    player: Player
    agent: str
    begun: datetime
    seen: datetime


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation that nobody has used yet.

    Attributes:
        id: Its key; it gives no access.
        role: The role of the new player.
        note: For whom it is.
        player: Who may choose a new password; ``None`` if it is for a new player.
        made: When it was made.
        until: When it expires.
    """

    id: str
    role: Role
    note: str
    player: int | None
    made: datetime
    until: datetime


class Accounts:
    """The accounts.

    Args:
        store: The database.
        hasher: Hashes passwords; by default with 64 MB of memory, as RFC 9106 advises.
    """

    def __init__(self, store: Store, hasher: PasswordHasher | None = None) -> None:
        self._store = store
        self._attempts = Attempts(store)
        self._hasher = hasher or PasswordHasher()
        self._hashing = threading.BoundedSemaphore(MOST_HASHING)
        # A hash of no password: an unknown name takes as long as a wrong password.
        self._nobodys = self._hash(secrets.token_urlsafe(32))

    # Players.

    def players(self) -> list[Player]:
        """All players, by name."""
        table = schema.players
        with self._store.engine.connect() as connection:
            rows = connection.execute(select(table).order_by(table.c.folded)).mappings()
            return [_player(row) for row in rows]

    def player(self, number: int) -> Player | None:
        """A player."""
        return self._one(schema.players.c.id == number)

    def named(self, name: str) -> Player | None:
        """The player with a name."""
        return self._one(schema.players.c.folded == _folded(name))

    def _one(self, where: ColumnElement[bool]) -> Player | None:
        with self._store.engine.connect() as connection:
            row = connection.execute(select(schema.players).where(where)).mappings().first()
        return None if row is None else _player(row)

    def add(self, name: str, password: str, role: Role = "player") -> Player:
        """Makes an account.

        The first account, if it is that of a host, takes over what the player at the machine has
        played so far.

        Raises:
            AccountError: If the name is taken, or the name or the password is not possible.
        """
        return self._add(None, name, password, role)

    def _add(self, invitation: str | None, name: str, password: str, role: Role) -> Player:
        name = checked_name(name)
        hashed = self._hash(checked_password(password, name))
        number = secrets.randbelow(2**31 - 2) + 2
        found: list[Player] = []

        def change(connection: Connection) -> None:
            found.clear()
            as_role = role
            if invitation is not None:
                as_role = _role(_take(connection, invitation)["role"])
            players = connection.execute(select(func.count()).select_from(schema.players))
            others = players.scalar_one()
            if others >= MOST_PLAYERS:
                raise AccountError(gettext("there are {number} accounts already", number=others))
            first = others == 0 and as_role == "host"
            values = {
                "id": schema.PLAYER if first else number,
                "name": name,
                "folded": _folded(name),
                "password": hashed,
                "role": as_role,
                "created": now(),
            }
            connection.execute(insert(schema.players).values(values))
            found.append(_player(values))

        try:
            self._store.change(change, 2)
        except Conflict:
            raise AccountError(gettext("somebody else has the name {name}", name=name)) from None
        return found[0]

    def set_role(self, number: int, role: Role) -> None:
        """Changes the role of a player.

        Raises:
            AccountError: If there is no such player, or if no host would be left.
        """

        def change(connection: Connection) -> None:
            if role != "host":
                keep_a_host(connection, number)
            where = schema.players.c.id == number
            done = connection.execute(update(schema.players).where(where).values(role=role))
            if done.rowcount != 1:
                raise AccountError(gettext("there is no such player"))

        self._store.change(change, 1)

    # Passwords.

    @contextmanager
    def _one_of_few(self) -> Iterator[None]:
        if not self._hashing.acquire(timeout=BUSY_SECONDS):
            raise BusyError
        try:
            yield
        finally:
            self._hashing.release()

    def _hash(self, password: str) -> str:
        with self._one_of_few():
            return self._hasher.hash(_normal(password))

    def _is_right(self, hashed: str, password: str) -> bool:
        with self._one_of_few():
            try:
                return self._hasher.verify(hashed, _normal(password))
            except (VerificationError, InvalidHashError):
                return False

    def log_in(self, name: str, password: str, *, address: str, agent: str) -> tuple[Player, str]:
        """Begins a session.

        Args:
            name: The name.
            password: The password.
            address: The network address of the client.
            agent: The browser, as it names itself.

        Returns:
            The player, and the secret of the session.

        Raises:
            WrongPasswordError: If the name or the password is wrong.
            TooManyAttemptsError: If there were too many wrong ones before.
        """
        player = self._checked(name, password, address)
        return player, self._begin(player.id, agent)

    def _checked(self, name: str, password: str, address: str) -> Player:
        """The player with this name and password. Attempts count before they are checked."""
        limits = [for_name(_folded(name)), from_address(address)]
        self._attempts.count(limits)
        where = schema.players.c.folded == _folded(name)
        with self._store.engine.connect() as connection:
            row = connection.execute(select(schema.players).where(where)).mappings().first()
        hashed = self._nobodys if row is None else row["password"]
        if not self._is_right(hashed, password) or row is None:
            raise WrongPasswordError
        self._attempts.forgive(limits)
        if self._hasher.check_needs_rehash(hashed):
            self._set_password(row["id"], password)
        return _player(row)

    def _set_password(self, number: int, password: str) -> None:
        values = {"password": self._hash(password)}
        where = schema.players.c.id == number
        self._store.change(
            lambda connection: _run(connection, update(schema.players).where(where).values(values)),
            1,
        )

    def confirm(self, player: Player, password: str, address: str) -> None:
        """Checks the password of a player who is logged in.

        Raises:
            WrongPasswordError, TooManyAttemptsError: As :meth:`log_in`.
        """
        self._checked(player.name, password, address)

    def change_password(self, session: Session, old: str, new: str, address: str) -> None:
        """Changes the password of a player, and ends their other sessions.

        Raises:
            WrongPasswordError, TooManyAttemptsError: As :meth:`log_in`.
            AccountError: If the new password is not possible.
        """
        self.confirm(session.player, old, address)
        self._set_password(session.player.id, checked_password(new, session.player.name))
        self.end_other_sessions(session)

    def set_password(self, player: Player, password: str) -> None:
        """Gives a player a new password, and ends all their sessions.

        Raises:
            AccountError: If the password is not possible.
        """
        self._set_password(player.id, checked_password(password, player.name))
        self._end(schema.sessions.c.player_id == player.id)

    # Sessions.

    def _begin(self, player: int, agent: str) -> str:
        secret, table = secrets.token_urlsafe(32), schema.sessions
        at = now()
        values = {
            "hash": hashed_secret(secret),
            "id": new_id(),
            "player_id": player,
            "agent": _printable(agent, 200),
            "begun": at,
            "seen": at,
            "until": at + SESSION,
        }
        mine = table.c.player_id == player
        newest = select(table.c.hash).where(mine).order_by(table.c.seen.desc())

        def change(connection: Connection) -> None:
            connection.execute(delete(table).where(table.c.until < at))
            kept = connection.execute(newest.limit(MOST_SESSIONS - 1)).scalars().all()
            connection.execute(delete(table).where(mine, table.c.hash.not_in(kept)))
            connection.execute(insert(table).values(values))

        self._store.change(change, 3)
        return secret

    def session(self, secret: str) -> Session | None:
        """The session with a secret, unless it has ended."""
        table, players = schema.sessions, schema.players
        at = now()
        query = select(
            table.c.hash, table.c.id.label("session"), table.c.agent, table.c.begun, table.c.seen,
            table.c.until, players,
        ).join(players, players.c.id == table.c.player_id)  # fmt: skip
        with self._store.engine.connect() as connection:
            where = table.c.hash == hashed_secret(secret)
            row = connection.execute(query.where(where)).mappings().first()
        if row is None or utc(row["until"]) <= at:
            return None
        if utc(row["seen"]) + SEEN < at:
            values = {"seen": at, "until": at + SESSION}
            self._store.change(
                lambda connection: _run(
                    connection, update(table).where(table.c.hash == row["hash"]).values(values)
                ),
                1,
            )
        return _session(row, _player(row))

    def sessions(self, player: Player) -> list[Session]:
        """The sessions of a player, the one used last first."""
        table = schema.sessions
        query = select(table, table.c.id.label("session")).where(
            table.c.player_id == player.id, table.c.until > now()
        )
        with self._store.engine.connect() as connection:
            rows = connection.execute(query.order_by(table.c.seen.desc())).mappings()
            return [_session(row, player) for row in rows]

    def end_session(self, player: Player, key: str) -> bool:
        """Ends a session of a player; returns whether there was one."""
        table = schema.sessions
        return self._end((table.c.id == key) & (table.c.player_id == player.id)) > 0

    def end_other_sessions(self, session: Session) -> None:
        """Ends all sessions of a player but one."""
        table = schema.sessions
        self._end((table.c.player_id == session.player.id) & (table.c.id != session.id))

    def _end(self, where: ColumnElement[bool]) -> int:
        ended: list[int] = []

        def change(connection: Connection) -> None:
            ended[:] = [connection.execute(delete(schema.sessions).where(where)).rowcount]

        self._store.change(change, 1)
        return ended[0]

    # Invitations.

    def invite(
        self,
        role: Role = "player",
        note: str = "",
        days: int = INVITATION_DAYS,
        player: Player | None = None,
    ) -> tuple[Invitation, str]:
        """Makes an invitation.

        Args:
            role: The role of the new player.
            note: For whom it is.
            days: After how many days it expires.
            player: Instead of a new player, who may choose a new password.

        Returns:
            The invitation and its secret, which nobody can find out again.

        Raises:
            AccountError: If there are too many.
        """
        secret, at = secrets.token_urlsafe(32), now()
        found = Invitation(
            id=new_id(),
            role=role if player is None else player.role,
            note=_printable(note, LONGEST_NOTE),
            player=None if player is None else player.id,
            made=at,
            until=at + timedelta(days=days),
        )
        values: dict[str, Any] = {name: getattr(found, name) for name in Invitation.__slots__}
        values |= {"hash": hashed_secret(secret), "player_id": values.pop("player")}

        def change(connection: Connection) -> None:
            table = schema.invitations
            connection.execute(delete(table).where(table.c.until < at))
            number = connection.execute(select(func.count()).select_from(table)).scalar_one()
            if number >= MOST_INVITATIONS:
                raise AccountError(gettext("there are {number} open invitations", number=number))
            connection.execute(insert(table).values(values))

        self._store.change(change, 2)
        return found, secret

    def invitations(self) -> list[Invitation]:
        """The invitations that can still be used, the newest first."""
        table = schema.invitations
        query = select(table).where(table.c.until > now()).order_by(table.c.made.desc())
        with self._store.engine.connect() as connection:
            return [_invitation(row) for row in connection.execute(query).mappings()]

    def withdraw(self, key: str) -> bool:
        """Withdraws an invitation; returns whether there was one."""
        found: list[int] = []

        def change(connection: Connection) -> None:
            table = schema.invitations
            found[:] = [connection.execute(delete(table).where(table.c.id == key)).rowcount]

        self._store.change(change, 1)
        return found[0] > 0

    def invitation(self, secret: str, address: str) -> tuple[Invitation, Player | None]:
        """The invitation with a secret, and whose password it can change.

        Raises:
            InvitationError: If it cannot be used.
            TooManyAttemptsError: If there were too many wrong secrets from this address.
        """
        limits = [from_address(address)]
        self._attempts.count(limits)
        table = schema.invitations
        query = select(table).where(table.c.hash == hashed_secret(secret), table.c.until > now())
        with self._store.engine.connect() as connection:
            row = connection.execute(query).mappings().first()
        if row is None:
            raise InvitationError
        self._attempts.forgive(limits)
        found = _invitation(row)
        if found.player is None:
            return found, None
        player = self.player(found.player)
        if player is None:
            raise InvitationError
        return found, player

    def accept(
        self, secret: str, name: str, password: str, *, address: str, agent: str
    ) -> tuple[Player, str]:
        """Uses an invitation, once, and logs the player in.

        Args:
            secret: The secret of the invitation.
            name: The name of the new player; not used if it is for a new password.
            password: The password.
            address: The network address of the client.
            agent: The browser, as it names itself.

        Returns:
            The player, and the secret of the session.

        Raises:
            InvitationError: If it cannot be used.
            TooManyAttemptsError: If there were too many wrong secrets from this address.
            AccountError: If the name is taken, or the name or the password is not possible.
        """
        _, player = self.invitation(secret, address)
        if player is None:
            player = self._add(secret, name, password, "player")
        else:
            hashed = self._hash(checked_password(password, player.name))
            values, number = {"password": hashed}, player.id

            def change(connection: Connection) -> None:
                _take(connection, secret)
                mine = schema.players.c.id == number
                connection.execute(update(schema.players).where(mine).values(values))
                ended = schema.sessions.c.player_id == number
                connection.execute(delete(schema.sessions).where(ended))

            self._store.change(change, 3)
        return player, self._begin(player.id, agent)


def keep_a_host(connection: Connection, number: int) -> None:
    """Refuses to take the last host away.

    Raises:
        AccountError: If no other player is a host.
    """
    table = schema.players
    # Locked, so that two hosts cannot remove each other at the same time.
    query = select(table.c.id).where(table.c.role == "host").with_for_update()
    hosts = connection.execute(query).scalars().all()
    if number in hosts and len(hosts) == 1:
        raise AccountError(
            gettext("one player at least must be a host: make somebody else one first")
        )


def checked_name(name: str) -> str:
    """A name, as it is stored.

    Raises:
        AccountError: If it is not possible.
    """
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or len(_folded(name)) > 120:
        raise AccountError(
            gettext("a name has 1 to {number} printable characters", number=LONGEST_NAME)
        )
    return name


def checked_password(password: str, name: str) -> str:
    """A new password.

    Raises:
        AccountError: If it is too short or too long, or the name.
    """
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise AccountError(
            gettext(
                "a password has {least} to {most} characters",
                least=SHORTEST_PASSWORD, most=LONGEST_PASSWORD,
            )
        )  # fmt: skip
    if _folded(name) in _folded(password) and len(password) < len(name) + SHORTEST_PASSWORD // 2:
        raise AccountError(gettext("this password is the name, or little more"))
    if len(set(password)) < SHORTEST_PASSWORD // 2:
        raise AccountError(gettext("this password has too few different characters"))
    return password


def hashed_secret(secret: str) -> str:
    """What is stored of a secret. It is long and random, so a fast hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _take(connection: Connection, secret: str) -> dict[str, Any]:
    """Uses an invitation: a second use finds nothing.

    Raises:
        InvitationError: If it is not there.
    """
    table = schema.invitations
    where = (table.c.hash == hashed_secret(secret)) & (table.c.until > now())
    row = connection.execute(select(table).where(where).with_for_update()).mappings().first()
    if row is None or connection.execute(delete(table).where(where)).rowcount != 1:
        raise InvitationError
    return dict(row)


def _run(connection: Connection, statement: Any) -> None:
    connection.execute(statement)


def _normal(password: str) -> bytes:
    """A password as bytes: the same for every way of writing it with a keyboard."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")


def _folded(name: str) -> str:
    """A name, to compare it."""
    # JSON may contain lone surrogates, which no database stores.
    name = name.encode("utf-8", "replace").decode()
    plain = unicodedata.normalize("NFKC", " ".join(name.split())).casefold()
    return unicodedata.normalize("NFKC", plain)


def _printable(text: str, length: int) -> str:
    return "".join(each for each in " ".join(text.split()) if each.isprintable())[:length]


def _role(text: str) -> Role:
    return "host" if text == "host" else "player"


def _player(row: Any) -> Player:
    return Player(row["id"], row["name"], _role(row["role"]), utc(row["created"]))


def _session(row: Any, player: Player) -> Session:
    return Session(row["session"], player, row["agent"], utc(row["begun"]), utc(row["seen"]))


def _invitation(row: Any) -> Invitation:
    return Invitation(
        id=row["id"],
        role=_role(row["role"]),
        note=row["note"],
        player=row["player_id"],
        made=utc(row["made"]),
        until=utc(row["until"]),
    )
