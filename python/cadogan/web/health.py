"""Routes for those who run the server: is it alive, is it ready, and its figures."""

import hmac
import ipaddress
from typing import Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from cadogan.i18n.text import gettext
from cadogan.web import models
from cadogan.web.problems import Refused, message
from cadogan.web.state import AppState

router = APIRouter(tags=["health"])
OPEN: Final = frozenset({"/healthz", "/readyz", "/metrics"})
"""The paths of these routes. They need neither a token nor a login."""
FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""Headers of requests that came through a proxy."""


@router.get("/healthz")
async def healthz() -> models.Health:
    """The process answers. This says nothing about the database."""
    return models.Health(status="alive")


@router.get("/readyz")
async def readyz(request: Request) -> models.Health:
    """The server can play: its database answers and is up to date. 503 if not, or if it stops."""
    state = _whole(request)
    if state.stopping:
        raise _unready("stopping", gettext("the server is stopping"))
    if not await state.readiness.database():
        why = gettext("the database does not answer, or does not have the format of this version")
        raise _unready("database", why)
    return models.Health(status="ready")


def _whole(request: Request) -> AppState:
    """The state of the server, not what one player sees of it."""
    found: AppState = request.app.state.app_state
    return found


def _unready(key: str, why: str) -> Refused:
    problem = models.Problem.model_construct(code="unavailable", message=message(key, why))
    return Refused(503, problem)


async def _may_read(request: Request) -> None:
    """Lets in this machine, and those with the token of the figures.

    Raises:
        Refused: If the client is neither.
    """
    token: str | None = request.app.state.metrics_token
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if token is not None and scheme.lower() == "bearer":
        if hmac.compare_digest(given.strip().encode(), token.encode()):
            return
    elif not any(name in request.headers for name in FORWARDED) and _is_local(request):
        return
    why = message("forbidden.metrics", gettext("only this machine may read the figures"))
    raise Refused(403, models.Problem(code="forbidden", message=why))


def _is_local(request: Request) -> bool:
    try:
        return ipaddress.ip_address(request.client.host if request.client else "").is_loopback
    except ValueError:
        return False


@router.get(
    "/metrics",
    response_class=PlainTextResponse,
    dependencies=[Depends(_may_read)],
)
def metrics(request: Request) -> PlainTextResponse:
    """The figures of the server for Prometheus; to this machine, or with their token."""
    return PlainTextResponse(_whole(request).metrics.text(), media_type=CONTENT_TYPE_PLAIN_0_0_4)
