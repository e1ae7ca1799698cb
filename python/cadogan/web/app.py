"""The application: all routes, behind the guard."""

from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from fastapi import Depends, FastAPI
from fastapi.routing import APIRoute

from cadogan.web import (
    accounts,
    admission,
    challenges,
    daily,
    events,
    games,
    guard,
    health,
    models,
    page,
    pictures,
    player,
    problems,
    puzzles,
    replays,
    reviews,
    tables,
    watch,
    watching,
    writing,
)
from cadogan.web.door import current_player
from cadogan.web.state import AppState

TITLE = "Cadogan"


def create_app(
    state: AppState,
    *,
    token: str | None = None,
    hosts: Iterable[str] = guard.LOOPBACK,
    ticket: str | None = None,
    metrics_token: str | None = None,
    is_behind_proxy: bool = False,
) -> FastAPI:
    """Creates the application.

    Args:
        state: The state of the application.
        token: The secret that every client must know, if there is one. With accounts there is none.
        hosts: The host names of this server.
        ticket: A secret for one use soon after the start, in place of the token.
        metrics_token: The secret with which other machines may read the figures.
        is_behind_proxy: Whether requests come from a proxy, which gives them identifiers.
    """
    app = FastAPI(
        title=TITLE,
        version=version("cadogan"),
        description="The table in the browser.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=problems.RESPONSES,
        generate_unique_id_function=_operation,
        separate_input_output_schemas=False,
    )
    app.state.app_state = state
    app.state.metrics_token = metrics_token
    page.preload()
    problems.install(app)
    app.state.queues = admission.Queues()
    logged_in = Depends(current_player)
    # The router tries one route after the other, and most requests are moves.
    for part in (tables, games, writing, reviews, replays, puzzles, daily, challenges, player):
        app.include_router(part.router, dependencies=[logged_in])
    # Their routes say themselves who may use them.
    for part in (accounts, watching, pictures):
        app.include_router(part.router)
    for part in (health, events, page):
        app.include_router(part.router)
    # An ordinary middleware would not see the answers to internal errors.
    inside = app.build_middleware_stack
    app.build_middleware_stack = lambda: watch.Watch(  # type: ignore[method-assign]
        guard.Guard(
            inside(),
            hosts=hosts,
            token=token,
            ticket=ticket,
            accounts=state.accounts is not None,
        ),
        state.metrics,
        is_behind_proxy=is_behind_proxy,
    )
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]
    return app


def _operation(route: APIRoute) -> str:
    return f"{route.tags[0]}_{route.name}" if route.tags else route.name


def _document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the messages of the WebSocket."""
    if app.openapi_schema is None:
        document = FastAPI.openapi(app)
        schemas = document["components"]["schemas"]
        for model in (models.TableEvent, models.VerdictEvent):
            schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
            for name, part in schema.pop("$defs", {}).items():
                schemas.setdefault(name, part)
            schemas[model.__name__] = schema
        schemas.pop("HTTPValidationError", None)
        schemas.pop("ValidationError", None)
        app.openapi_schema = document
    return app.openapi_schema
