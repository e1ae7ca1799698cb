"""Limits on failed attempts to log in, per name and per address of a client.

They are counted in the database before the password is checked. So the limits hold for all
processes together, and for requests that come at the same moment.
"""

import hashlib
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, case, delete, insert, select, update

from cadogan.i18n.text import gettext
from cadogan.table import schema
from cadogan.table.store import Conflict, Store, now, utc
from cadogan.trouble import BusyError

PERIOD: Final = timedelta(minutes=15)
"""The time in which attempts are counted."""
MOST_FOR_NAME: Final = 20
"""Failed attempts for a name in that time, from all addresses."""
MOST_FROM_ADDRESS: Final = 60
"""Failed attempts from an address in that time, for all names."""


class TooManyAttemptsError(Exception):
    """Too many attempts have failed.

    Attributes:
        seconds: After how many seconds another one is possible.
    """

    def __init__(self, seconds: int) -> None:
        minutes = -(-seconds // 60)
        super().__init__(
            gettext("too many attempts have failed; try again in {minutes} min", minutes=minutes)
        )
        self.seconds = seconds


@dataclass(frozen=True, slots=True, order=True)
class Limit:
    """What attempts are counted for.

    Attributes:
        key: The hash of a name or of an address.
        most: How many may fail.
        is_name: Whether a success forgets all failed ones.
    """

    key: str
    most: int
    is_name: bool


def for_name(name: str) -> Limit:
    """The limit for a name, as names are compared."""
    return Limit(_hashed(f"name {name}"), MOST_FOR_NAME, True)


def from_address(address: str) -> Limit:
    """The limit for a client. A client with an address of IPv6 usually has 2**64 of them."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        pass
    else:
        if isinstance(found, ipaddress.IPv6Address):
            net = ipaddress.ip_network((int(found), 64), strict=False)
            address = str(net if found.ipv4_mapped is None else found.ipv4_mapped)
    return Limit(_hashed(f"address {address}"), MOST_FROM_ADDRESS, False)


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Attempts:
    """The attempts of the last minutes.

    Args:
        store: The database.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def count(self, limits: Sequence[Limit]) -> None:
        """Counts an attempt.

        Args:
            limits: What it is counted for.

        Raises:
            TooManyAttemptsError: If there were too many.
        """
        at, table = now(), schema.attempts
        is_over = table.c.since <= at - PERIOD
        counted: dict[Limit, tuple[int, datetime]] = {}

        def change(connection: Connection) -> None:
            for limit in sorted(limits):
                here = table.c.key == limit.key
                values: dict[str, Any] = {
                    "number": case((is_over, 1), else_=table.c.number + 1),
                    "since": case((is_over, at), else_=table.c.since),
                }
                if connection.execute(update(table).where(here).values(values)).rowcount == 0:
                    connection.execute(delete(table).where(is_over))
                    connection.execute(insert(table).values(key=limit.key, number=1, since=at))
                row = connection.execute(select(table).where(here)).one()
                counted[limit] = row.number, utc(row.since)

        for _ in range(3):
            try:
                self._store.change(change, 2 * len(limits))
                break
            except Conflict:
                continue  # Another request has counted the first attempt at the same moment.
        else:
            raise BusyError
        waits = [
            (since + PERIOD - at).total_seconds()
            for limit, (number, since) in counted.items()
            if number > limit.most
        ]
        if waits:
            raise TooManyAttemptsError(max(1, round(max(waits))))

    def forgive(self, limits: Sequence[Limit]) -> None:
        """Takes an attempt back that was no failure. A name forgets its failures, too."""
        table = schema.attempts

        def change(connection: Connection) -> None:
            for limit in sorted(limits):
                here = table.c.key == limit.key
                if limit.is_name:
                    connection.execute(delete(table).where(here))
                else:
                    values = {"number": table.c.number - 1}
                    connection.execute(update(table).where(here).values(values))

        self._store.change(change, len(limits))
