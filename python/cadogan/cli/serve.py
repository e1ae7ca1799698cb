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
NoBrowser = Annotated[bool, Parameter(name="--no-browser", help="Do not open the browser.")]


def table(
    *,
    host: Host = "127.0.0.1",
    port: Port = None,
    database: Database = None,
    no_browser: NoBrowser = False,
) -> int:
    """Play in the browser."""
    from cadogan.web.house import House
    from cadogan.web.serve import listen, serve

    bound = listen(host, port)
    address = f"http://{host}:{bound.getsockname()[1]}/"
    house = House(database)
    output.note(f"the table is at {address}; Ctrl-C ends it")
    serve(house, bound, open_at=None if no_browser else address)
    return 0
