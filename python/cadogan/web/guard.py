"""The guard in front of all routes: checks the client, limits requests, and sets the page's policy.

A page of another site could send requests to this machine and, by DNS rebinding, read the answers.
Therefore requests with a foreign host or origin are refused. If others than the user of this
machine can reach the server, every client must know a token, or players log in.
"""

import hashlib
import hmac
import ipaddress
import threading
import time
from collections.abc import Iterable
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cadogan.i18n.text import gettext, translate
from cadogan.web import door, models, problems
from cadogan.web.health import OPEN
from cadogan.web.problems import answer
from cadogan.web.state import spoken

LARGEST_BODY: Final = 512 * 1024
TOO_LARGE: Final = gettext("a request has at most {number} kB", number=LARGEST_BODY // 1024)
LARGEST_QUERY: Final = 32 * 1024
LONGEST_COOKIES: Final = 64 * 1024
SHORTEST_TOKEN: Final = 16
COOKIE: Final = "cadogan"
"""The prefix of the names of our cookies."""
COOKIE_SECONDS: Final = 30 * 86400
TICKET_SECONDS: Final = 120
FORBIDDEN_SOCKET: Final = 4403
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Guard:
    """Checks every request before the application sees it.

    Args:
        app: The application to protect.
        hosts: The host names of this server, without ports. Numeric addresses are always accepted
            if a token or a login is required: DNS rebinding cannot use them.
        token: The secret that every client must know, if there is one.
        ticket: A secret for one use soon after the start, in place of the token.
        accounts: Whether players log in; the routes see to that.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Iterable[str] = LOOPBACK,
        token: str | None = None,
        ticket: str | None = None,
        accounts: bool = False,
    ) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._token = token
        self._ticket = ticket
        self._accounts = accounts
        self._ticket_until = time.monotonic() + TICKET_SECONDS
        self._once = threading.Lock()
        # Browsers send a cookie to every port of the host. It must not help to guess a short token.
        self._key = b"" if token is None else _derived(token)
        self._cookie = f"{COOKIE}-{hashlib.sha256(self._key).hexdigest()[:8]}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            if scope["type"] == "websocket":
                await receive()
                await send({"type": "websocket.close", "code": FORBIDDEN_SOCKET})
            else:
                _harden(refusal)
                await refusal(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        await self._pass(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        """The answer that refuses a request, if it must be refused."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_ours(_name(host)):
            return _forbidden(
                scope,
                "host",
                gettext("this server does not have the name {name}", name=repr(host[:100])),
                gettext("open the address that cadogan serve printed"),
            )
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != host.lower():
            return _forbidden(scope, "origin", gettext("requests from other sites are refused"))
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and (
            scope["type"] == "websocket" or headers.get("sec-fetch-mode") != "navigate"
        ):
            return _forbidden(scope, "origin", gettext("requests from other sites are refused"))
        if len(scope.get("query_string", b"")) > LARGEST_QUERY:
            problem = models.Problem(
                code="too-large",
                message=problems.message("too-large", gettext("the address is too long")),
            )
            return answer(413, problems.in_language(problem, _spoken(scope)))
        if self._token is not None and scope["path"] not in OPEN:
            return self._unknown(scope)
        return None

    def _is_ours(self, name: str) -> bool:
        if name in self._hosts:
            return True
        if self._token is None and not self._accounts:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _unknown(self, scope: Scope) -> Response | None:
        """The answer to a client without the token, or with the token for the first time."""
        headers = Headers(scope=scope)
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
        given = query.pop("token", [""])[0]
        known = self._has_session(headers.getlist("cookie"))
        if given and (known or self._knows(given) or self._takes(given)):
            if scope["type"] == "websocket" or scope["path"].startswith("/api/"):
                return None
            # Remove the secret from the address, which people copy.
            rest = urlencode(query, doseq=True)
            # Two slashes would begin the name of another host.
            path = "/" + scope["path"].lstrip("/\\")
            redirect = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
            redirect.set_cookie(
                self._cookie,
                self._session(),
                httponly=True,
                samesite="strict",
                secure=scope.get("scheme") == "https",
                max_age=COOKIE_SECONDS,
                path="/",
            )
            return redirect
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self._knows(bearer.strip()):
            return None
        if known:
            return None
        if _reads_pages(scope, headers):
            return door.door(_spoken(scope), bool(given))
        return _forbidden(
            scope,
            "token",
            gettext("this table asks for its token"),
            gettext(
                "open the address that cadogan serve printed; programs send the header "
                "'Authorization: Bearer TOKEN'"
            ),
        )

    def _knows(self, given: str) -> bool:
        assert self._token is not None
        return hmac.compare_digest(given.encode(), self._token.encode())

    def _takes(self, given: str) -> bool:
        """Whether this is the ticket, which can be used only once."""
        with self._once:
            if self._ticket is None or time.monotonic() > self._ticket_until:
                return False
            if not hmac.compare_digest(given.encode(), self._ticket.encode()):
                return False
            self._ticket = None
            return True

    def _session(self, until: int | None = None) -> str:
        """The value of a session cookie: its expiry, signed."""
        if until is None:
            until = int(time.time()) + COOKIE_SECONDS
        signature = hmac.new(self._key, str(until).encode(), hashlib.sha256).hexdigest()
        return f"{until}.{signature}"

    def _has_session(self, cookies: Iterable[str]) -> bool:
        """Whether a valid session cookie is among the cookies, which may be malformed."""
        for cookie in ";".join(cookies)[:LONGEST_COOKIES].split(";"):
            name, _, value = cookie.strip().partition("=")
            until = value.partition(".")[0]
            if name != self._cookie or not (
                until.isascii() and until.isdigit() and len(until) < 16
            ):
                continue
            ours = hmac.compare_digest(value.encode(), self._session(int(until)).encode())
            if ours and int(until) > time.time():
                return True
        return False

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            too_large = _too_large(scope)
            _harden(too_large)
            await too_large(scope, receive, send)
            return
        taken, answered = 0, False

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > LARGEST_BODY:
                if answered:  # the answer was sent already
                    return {"type": "http.disconnect"}
                # FastAPI passes this exception on; it would report any other as an unreadable body.
                raise HTTPException(413, TOO_LARGE)
            return message

        async def hardened(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if scope["path"].startswith("/api/") or scope["path"] in OPEN:
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, counted, hardened)


def _derived(token: str) -> bytes:
    return hashlib.scrypt(token.encode(), salt=b"cadogan session", n=2**14, r=8, p=1)


def _netloc(origin: str) -> str:
    """The host of an ``Origin`` header; empty if it cannot be parsed."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _name(host: str) -> str:
    """The name in a ``Host`` header, without the port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _reads_pages(scope: Scope, headers: Headers) -> bool:
    """Whether a browser sent the request to show a page."""
    if scope["type"] != "http" or scope["method"] != "GET" or scope["path"].startswith("/api/"):
        return False
    return "text/html" in headers.get("accept", "")


def _harden(response: Response) -> None:
    own = response.headers.get("Content-Security-Policy", POLICY)
    response.headers.update(HEADERS)
    response.headers["Content-Security-Policy"] = own
    response.headers["Cache-Control"] = "no-store"


def _forbidden(scope: Scope, what: str, text: str, hint: str | None = None) -> Response:
    language = _spoken(scope)
    problem = models.Problem(
        code="forbidden",
        message=problems.message(f"forbidden.{what}", text),
        hint=None if hint is None else translate(hint, language),
    )
    return answer(403, problems.in_language(problem, language))


def _too_large(scope: Scope) -> Response:
    problem = models.Problem(code="too-large", message=problems.message("too-large", TOO_LARGE))
    return answer(413, problems.in_language(problem, _spoken(scope)))


def _spoken(scope: Scope) -> str:
    """The language of a request that has not reached a route."""
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    wanted = query.get("lang", [""])[0] or Headers(scope=scope).get("accept-language", "")
    return spoken(wanted)
