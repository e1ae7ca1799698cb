"""Who comes in: the player of each request, and the page for browsers without the token."""

import base64
import hashlib
from html import escape
from typing import Annotated, Final

from fastapi import Depends
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from cadogan.i18n.text import Translatable, gettext, translate
from cadogan.table.accounts import (
    LONGEST_SECRET,
    Accounts,
    NoAccountsError,
    NotAllowedError,
    NotLoggedInError,
    Session,
)
from cadogan.table.schema import PLAYER

TITLE: Final = gettext("This table asks for its token")
WRONG: Final = gettext("That was not the token, or the address has already been used.")
WHY: Final = gettext(
    "Cadogan lets in only those who know the token, because every user of this machine can reach "
    "the table."
)
ADDRESS: Final = gettext(
    "Open the address that cadogan serve has printed where you started it. It ends with ?token=..."
)
OR: Final = gettext("Or enter the token:")
TOKEN: Final = gettext("Token")
ENTER: Final = gettext("Open the table")
ONCE: Final = gettext(
    "A browser needs the token once. For the next 30 days, bookmarks and new windows work without "
    "it."
)
PROGRAMS: Final = gettext(
    "Programs send it as a header: {header}", header="Authorization: Bearer ..."
)

_STYLE: Final = """
:root { color-scheme: light dark; }
body { margin: 0 auto; padding: 8vh 20px; max-width: 34rem; font: 16px/1.5 system-ui, sans-serif;
  background: light-dark(#faf8f3, #171b19); color: light-dark(#1d2420, #ebefea); }
h1 { font: 700 24px Georgia, serif; color: light-dark(#17603f, #8fd6b1); }
form { display: flex; flex-wrap: wrap; gap: 8px; }
input { flex: 1 1 12rem; }
input, button { font: inherit; padding: 8px 12px; border-radius: 6px;
  border: 1px solid light-dark(#8a8f88, #7d8a82); }
button { background: light-dark(#17603f, #8fd6b1); color: light-dark(#ffffff, #0d2117); }
.wrong { color: light-dark(#a31621, #ff9d96); }
"""
_STYLE_HASH: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
POLICY: Final = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""The policy of this page: no scripts, and forms only to this server."""


SESSION: Final = "cadogan-session"
"""The cookie of a session. Behind TLS its name begins with ``__Host-``: then no other site under
the same domain can set it."""

_VISITOR: Final = "cadogan.visitor"
"""Where the session of a request is stored, once it was looked up."""


def accounts_of(connection: HTTPConnection) -> Accounts | None:
    """The accounts of the server, if it has any."""
    found: Accounts | None = connection.app.state.app_state.accounts
    return found


def cookie(connection: HTTPConnection) -> str:
    """The name of the cookie of a session."""
    return f"__Host-{SESSION}" if connection.url.scheme in ("https", "wss") else SESSION


async def visitor(connection: HTTPConnection) -> Session | None:
    """The session of a request or a socket; ``None`` if nobody is logged in."""
    accounts = accounts_of(connection)
    if accounts is None:
        return None
    known = connection.scope
    if _VISITOR not in known:
        secret = connection.cookies.get(cookie(connection), "")
        is_secret = 0 < len(secret) <= LONGEST_SECRET
        known[_VISITOR] = await run_in_threadpool(accounts.session, secret) if is_secret else None
    found: Session | None = known[_VISITOR]
    return found


Visitor = Annotated[Session | None, Depends(visitor)]


async def current_session(connection: HTTPConnection, visitor: Visitor) -> Session | None:
    """The session of a player; ``None`` without accounts.

    Raises:
        NotLoggedInError: If there are accounts, and nobody is logged in.
    """
    if visitor is None and accounts_of(connection) is not None:
        raise NotLoggedInError
    return visitor


CurrentSession = Annotated[Session | None, Depends(current_session)]


async def current_player(connection: HTTPConnection) -> int:
    """The number of the player who sent a request or opened a socket.

    It depends on nothing, since every move asks for it, and each dependency costs time.

    Raises:
        NotLoggedInError: If there are accounts, and nobody is logged in.
    """
    session = await current_session(connection, await visitor(connection))
    return PLAYER if session is None else session.player.id


CurrentPlayer = Annotated[int, Depends(current_player)]


async def logged_in(session: CurrentSession) -> Session:
    """The session of a player with an account.

    Raises:
        NoAccountsError: If the server has no accounts.
    """
    if session is None:
        raise NoAccountsError
    return session


LoggedIn = Annotated[Session, Depends(logged_in)]


async def host(session: LoggedIn) -> Session:
    """The session of a host.

    Raises:
        NotAllowedError: If the player is no host.
    """
    if not session.player.is_host:
        raise NotAllowedError
    return session


Host = Annotated[Session, Depends(host)]


def door(language: str, tried: bool) -> HTMLResponse:
    """The page.

    Args:
        language: The language of its texts.
        tried: Whether a wrong token was given.
    """

    def say(text: Translatable, tag: str = "p", more: str = "") -> str:
        return f"<{tag}{more}>{escape(translate(text, language))}</{tag}>\n"

    label = escape(translate(TOKEN, language), quote=True)
    form = (
        '<form method="get"><input name="token" type="password" required autofocus '
        f'autocomplete="current-password" aria-label="{label}">{say(ENTER, "button")}</form>\n'
    )
    body = "".join(
        (
            say(TITLE, "h1"),
            say(WRONG, "p", ' class="wrong" role="alert"') if tried else "",
            *map(say, (WHY, ADDRESS, OR)),
            form,
            *map(say, (ONCE, PROGRAMS)),
        )
    )
    return HTMLResponse(
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Cadogan</title>\n<style>{_STYLE}</style></head>\n<body>\n{body}</body></html>\n",
        403,
        {"Content-Security-Policy": POLICY},
    )
