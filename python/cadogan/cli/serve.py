"""``cadogan table``: the table in the browser."""

from typing import Annotated

from cyclopts import Parameter

from cadogan.cli import output

Host = Annotated[str, Parameter(help="The address to listen at; by default this machine only.")]
Port = Annotated[int | None, Parameter(help="The port; by default 7617, or one that is free.")]
Database = Annotated[
    str | None,
    Parameter(help="Where tables are kept, as postgresql://user@host/name; by default a file."),
]
Token = Annotated[
    str | None,
    Parameter(help="A secret that everybody must know who comes; 'new' makes one and prints it."),
]
Names = Annotated[
    list[str] | None, Parameter(name="--name", help="Another name this server goes by.")
]
Workers = Annotated[int | None, Parameter(help="Processes that search for verdicts.")]
NoBrowser = Annotated[bool, Parameter(name="--no-browser", help="Do not open the browser.")]


def table(
    *,
    host: Host = "127.0.0.1",
    port: Port = None,
    token: Token = None,
    name: Names = None,
    database: Database = None,
    workers: Workers = None,
    no_browser: NoBrowser = False,
) -> int:
    """Play in the browser.

    Every move is on disk before it is shown. Ctrl-C ends the server; the tables are kept.
    """
    from cadogan.table.store import StoreError
    from cadogan.web.guard import LOOPBACK
    from cadogan.web.page import is_built
    from cadogan.web.serve import listen, serve
    from cadogan.web.state import AppState

    secret = _secret(host, token)
    if workers is not None and not 0 <= workers <= 64:
        raise output.UsageError(f"{workers} workers cannot be had", "give 0 to 64")
    if not is_built():
        output.warning("the web table is not built, so there is no page to show")
        output.note("hint: make web")
    bound = listen(host, port)
    try:
        state = AppState(database, workers=workers)
    except StoreError as fault:
        bound.close()
        raise output.UsageError(str(fault), fault.hint) from None
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{bound.getsockname()[1]}/"
    if secret is not None:
        address += f"?token={secret}"
    output.note(f"the table is at {address}\nCtrl-C ends it")
    serve(
        state,
        bound,
        token=secret,
        hosts={*LOOPBACK, host, *(name or ())},
        open_at=None if no_browser else address,
    )
    return 0


def _secret(host: str, token: str | None) -> str | None:
    """The token that is asked for."""
    import secrets

    from cadogan.web.guard import LOOPBACK, SHORTEST_TOKEN

    if token == "new":
        return secrets.token_urlsafe(32)
    if token is None and host not in LOOPBACK:
        raise output.UsageError(
            f"at {host} others than you can reach the table",
            "add --token new, or --token with a long secret of your own",
        )
    if token is not None and len(token) < SHORTEST_TOKEN:
        raise output.UsageError(
            f"a token of {len(token)} characters can be guessed",
            f"take at least {SHORTEST_TOKEN}, or --token new",
        )
    return token
