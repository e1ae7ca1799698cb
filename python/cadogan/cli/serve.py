"""``cadogan serve``: the table in the browser."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from cadogan.cli import output

Host = Annotated[str, Parameter(help="The address to listen at; by default this machine only.")]
Port = Annotated[int | None, Parameter(help="The port; by default 7617, or one that is free.")]
Database = Annotated[
    str | None,
    Parameter(help="The database, such as postgresql://user@host/name; by default a file."),
]
Token = Annotated[
    str | None,
    Parameter(
        help="A secret that every client must know; 'new' makes one. By default that of "
        "CADOGAN_TOKEN, or the one saved in the data folder."
    ),
]
TokenFile = Annotated[Path | None, Parameter(help="A file with the token.")]
NoToken = Annotated[
    bool, Parameter(name="--no-token", negative=(), help="Let in every user of this machine.")
]
Names = Annotated[
    list[str] | None, Parameter(name="--name", help="Another host name of this server.")
]
Workers = Annotated[int | None, Parameter(help="Processes that search for verdicts.")]
Daily = Annotated[
    list[str] | None,
    Parameter(name="--daily", help="A game with a deal of the day; may be given several times."),
]
Accounts = Annotated[
    bool,
    Parameter(
        help="Let players log in instead of asking for a token; 'cadogan accounts' makes accounts."
    ),
]
Proxies = Annotated[
    list[str] | None,
    Parameter(
        name="--proxy",
        help="The address of a proxy in front, which is trusted to name the client and its scheme; "
        "may be given several times.",
    ),
]
Log = Annotated[
    Literal["text", "json"],
    Parameter(help="How to write the log: 'json' writes one object a line, also for each request."),
]
MetricsToken = Annotated[
    Path | None,
    Parameter(help="A file with the token for /metrics, which else only this machine may read."),
]
Drain = Annotated[
    float,
    Parameter(help="For how many seconds to go on after SIGTERM, with /readyz reporting the end."),
]
NoBrowser = Annotated[bool, Parameter(name="--no-browser", help="Do not open the browser.")]
MOST_DRAIN = 300


def serve(
    *,
    host: Host = "127.0.0.1",
    port: Port = None,
    token: Token = None,
    token_file: TokenFile = None,
    no_token: NoToken = False,
    name: Names = None,
    database: Database = None,
    workers: Workers = None,
    daily: Daily = None,
    accounts: Accounts = False,
    no_browser: NoBrowser = False,
    proxy: Proxies = None,
    log: Log = "text",
    metrics_token_file: MetricsToken = None,
    drain: Drain = 0.0,
) -> int:
    """Play in the browser: start a server on this machine.

    Every move is on disk before you see it. Ctrl-C stops the server; all tables stay saved.
    """
    import secrets

    from cadogan.cli.play import report_problems
    from cadogan.table.daily import GAMES, MOST_GAMES
    from cadogan.table.engines import StoreError
    from cadogan.web.guard import LOOPBACK
    from cadogan.web.logs import log_json
    from cadogan.web.page import is_built
    from cadogan.web.serve import listen
    from cadogan.web.serve import serve as run
    from cadogan.web.state import AppState

    if log == "json":
        log_json()
        output.use_log()
    if accounts and (no_token or token is not None or token_file is not None):
        raise output.UsageError("with accounts there is no token", "give only --accounts")
    no_token = no_token and not accounts
    without = accounts or (no_token and _is_alone(host, token, token_file))
    secret = None if without else _given(token, token_file)
    if workers is not None and not 0 <= workers <= 64:
        raise output.UsageError(f"{workers} workers are not possible", "give 0 to 64")
    if port is not None and not 0 <= port <= 65535:
        raise output.UsageError(f"port {port} does not exist", "give one from 0 to 65535")
    if not 0 <= drain <= MOST_DRAIN:
        raise output.UsageError(
            f"{drain:g} seconds are not possible", f"give 0 to {MOST_DRAIN}: --drain 5"
        )
    proxies = [_address(each) for each in proxy or ()]
    metrics_token = None if metrics_token_file is None else _read(metrics_token_file)
    if not is_built():
        output.warning("the web table is not built, so there is no page to show")
        output.note("hint: make web")
    if daily is not None and len(daily) > MOST_GAMES:
        raise output.UsageError(f"there are at most {MOST_GAMES} games of the day")
    bound = listen(host, port)
    try:
        state = AppState(
            database, workers=workers, games_of_the_day=daily or GAMES, accounts=accounts
        )
    except StoreError as fault:
        bound.close()
        raise output.UsageError(str(fault), fault.hint) from None
    try:
        _ = daily and state.daily.games  # All must exist.
    except (LookupError, ValueError):
        bound.close()
        state.close()
        raise
    report_problems(state.problems)
    if state.accounts is not None and not state.accounts.players():
        output.warning("nobody has an account yet, so nobody can log in")
        output.note("hint: cadogan accounts add NAME --host")
    if secret is None and not no_token and not accounts:
        secret = _saved(state.store.folder)
    if no_token:
        output.warning("without a token, every user of this machine can see and play your tables")
    # For a moment, all users can see the arguments of the browser, which include its address.
    ticket = None if secret is None or no_browser else secrets.token_urlsafe(32)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{bound.getsockname()[1]}/"
    known = address if secret is None else f"{address}?token={secret}"
    if log == "text":
        output.note(f"the table is at {known}\nCtrl-C stops it")
    else:  # Logs are read by many, so they contain no token.
        output.note(f"the table is at {address}")
    run(
        state,
        bound,
        token=secret,
        hosts={*LOOPBACK, host, *(name or ())},
        ticket=ticket,
        metrics_token=metrics_token,
        proxies=proxies,
        drain=drain,
        log=log,
        open_at=None if no_browser else address if ticket is None else f"{address}?token={ticket}",
    )
    return 0


def _is_alone(host: str, token: str | None, file: Path | None) -> bool:
    """Whether the server may run without a token."""
    from cadogan.web.guard import LOOPBACK

    if host not in LOOPBACK:
        raise output.UsageError(
            f"others than you can reach the table at {host}", "leave out --no-token"
        )
    if token is not None or file is not None:
        raise output.UsageError("--no-token and a token exclude each other", "give one of them")
    return True


def _given(token: str | None, file: Path | None) -> str | None:
    """The token from an argument, a file or the environment."""
    import os
    import secrets

    if token == "new":
        return secrets.token_urlsafe(32)
    if token is not None:
        output.warning("--token shows its secret to every user of this machine")
        output.note("hint: put it into CADOGAN_TOKEN, or into a file: --token-file FILE")
    elif file is not None:
        return _read(file)
    else:
        token = os.environ.pop("CADOGAN_TOKEN", None)
    return None if token is None else _long_enough(token)


def _read(file: Path) -> str:
    """The token in a file."""
    try:
        return _long_enough(file.read_bytes()[:4096].decode().strip())
    except (OSError, UnicodeDecodeError) as fault:
        raise output.UsageError(f"{file} cannot be read: {fault}", "give a text file") from None


def _long_enough(token: str) -> str:
    from cadogan.web.guard import SHORTEST_TOKEN

    if len(token) < SHORTEST_TOKEN:
        raise output.UsageError(
            f"a token of {len(token)} characters can be guessed",
            f"use at least {SHORTEST_TOKEN}, or --token new",
        )
    return token


def _address(proxy: str) -> str:
    """The address or network of a proxy."""
    import ipaddress

    try:
        read = ipaddress.ip_network if "/" in proxy else ipaddress.ip_address
        return str(read(proxy))
    except ValueError:
        raise output.UsageError(
            f"'{proxy}' is not the address of a proxy", "give it in numbers: --proxy 127.0.0.1"
        ) from None


def _saved(folder: Path) -> str:
    """The token of the data folder."""
    from cadogan.table.token import saved_token

    try:
        return saved_token(folder)
    except OSError as fault:
        raise output.UsageError(
            f"the token cannot be saved: {fault}", "use --token new, or --no-token"
        ) from None
