"""``cadogan accounts``: the accounts of a server."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.output import UsageError

if TYPE_CHECKING:
    from cadogan.table.accounts import Accounts, Player
    from cadogan.table.store import Store

Name = Annotated[str, Parameter(help="The name of the player.")]
AsHost = Annotated[
    bool, Parameter(name="--host", help="As a host, who may invite and remove players.")
]
Database = Annotated[
    str | None,
    Parameter(help="The database, such as postgresql://user@host/name; by default a file."),
]
At = Annotated[str, Parameter(name="--at", help="The address of the server, for the link.")]
Days = Annotated[int, Parameter(help="After how many days the link expires.")]
Note = Annotated[str, Parameter(help="For whom it is; hosts see it.")]
Json = Annotated[bool, Parameter(help="Write JSON.")]
LOCAL = "http://127.0.0.1:7617"


def add(name: Name, /, *, host: AsHost = False, database: Database = None) -> int:
    """Make an account.

    The password is asked for. If standard input is no terminal, it is its first line. The first
    account of a host takes over what was played on this database so far.
    """
    with _opened(database) as (_, accounts):
        password = _password()
        player = accounts.add(name, password, "host" if host else "player")
        output.note(f"{player.name} can log in as a {player.role}")
    return 0


def invite(
    *,
    host: AsHost = False,
    note: Note = "",
    days: Days = 7,
    at: At = LOCAL,
    database: Database = None,
) -> int:
    """Make a link by which somebody makes their own account. It can be used once."""
    with _opened(database) as (_, accounts):
        _, secret = accounts.invite("host" if host else "player", note, _days(days))
        output.data(_link(at, secret))
    return 0


def password(name: Name, /, *, days: Days = 7, at: At = LOCAL, database: Database = None) -> int:
    """Make a link by which a player chooses a new password. It can be used once."""
    with _opened(database) as (_, accounts):
        _, secret = accounts.invite(player=_known(accounts, name), days=_days(days))
        output.data(_link(at, secret))
    return 0


def list(*, database: Database = None, json: Json = False) -> int:
    """List the accounts."""
    with _opened(database) as (_, accounts):
        players = accounts.players()
    if json:
        output.data_json(
            [
                {"name": each.name, "role": each.role, "created": each.created.isoformat()}
                for each in players
            ]
        )
        return 0
    for each in players:
        output.data(f"{each.name}\t{each.role}\t{each.created:%Y-%m-%d}")
    return 0


def remove(name: Name, /, *, database: Database = None) -> int:
    """Remove an account with everything that is stored of it.

    Results of daily deals stay, without the name.
    """
    from cadogan.table.account_data import remove as remove_all

    with _opened(database) as (store, accounts):
        player = _known(accounts, name)
        remove_all(store, player)
        output.note(f"the account of {player.name} is removed")
    return 0


@contextmanager
def _opened(database: str | None) -> "Iterator[tuple[Store, Accounts]]":
    from cadogan.table.accounts import AccountError, Accounts
    from cadogan.table.engines import StoreError
    from cadogan.table.store import Store

    try:
        store = Store(database)
    except StoreError as fault:
        raise UsageError(str(fault), fault.hint) from None
    try:
        yield store, Accounts(store)
    except AccountError as fault:
        raise UsageError(str(fault)) from None
    finally:
        store.close()


def _known(accounts: "Accounts", name: str) -> "Player":
    player = accounts.named(name)
    if player is None:
        raise UsageError(f"nobody has the name {name}", "'cadogan accounts list' shows all names")
    return player


def _days(days: int) -> int:
    from cadogan.table.accounts import LONGEST_INVITATION

    if not 1 <= days <= LONGEST_INVITATION:
        raise UsageError(f"{days} days are not possible", f"give 1 to {LONGEST_INVITATION}")
    return days


def _link(at: str, secret: str) -> str:
    """A link. Browsers do not send what stands behind the #, so no log has the secret."""
    return f"{at.rstrip('/')}/#/invitation/{secret}"


def _password() -> str:
    import getpass

    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    given = getpass.getpass("Password: ")
    if getpass.getpass("The same again: ") != given:
        raise UsageError("these are two different passwords")
    return given
