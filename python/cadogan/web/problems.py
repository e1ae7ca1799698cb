"""Converts every exception that a request may raise into an answer with a status."""

import re
from collections.abc import Callable
from typing import Any

from alembic.util import CommandError
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from cadogan.cards import CardError
from cadogan.deals import DealError, DeckError
from cadogan.i18n.text import Translatable, gettext, ngettext, translate
from cadogan.moves import AmbiguousMoveError, InvalidMoveError, MoveError
from cadogan.rules import RulesError, UnknownGameError
from cadogan.savefile import SavedGameError
from cadogan.table.accounts import (
    AccountError,
    NoAccountsError,
    NotAllowedError,
    NotLoggedInError,
)
from cadogan.table.attempts import TooManyAttemptsError
from cadogan.table.counted import NotCountedError
from cadogan.table.deal_search import TooManySearchesError
from cadogan.table.drawings import NoPictureError, TooManyPicturesError
from cadogan.table.game_file import GameFileError
from cadogan.table.library import FaultyGameError, faults
from cadogan.table.record import TooLongError
from cadogan.table.reviews import NotOverError, TooManyReviewsError
from cadogan.table.service import NoTableError, NothingToDoError, StaleError
from cadogan.table.trials import NoTrialsError, TooManyTrialsError
from cadogan.trouble import BUSY_SECONDS, BusyError, Trouble, trouble
from cadogan.web import models
from cadogan.web.state import AppState, asked

Answered = tuple[int, models.Problem]


class Refused(Exception):  # noqa: N818 - an answer, not an error
    """A request that is answered with a problem.

    Args:
        status: The HTTP status.
        problem: The problem.
    """

    def __init__(self, status: int, problem: models.Problem) -> None:
        super().__init__(problem.message.text)
        self.status = status
        self.problem = problem


def message(key: str, text: str) -> models.Message:
    """A message."""
    # It is translated when the answer is written; until then it must stay a `Translatable`.
    return models.Message.model_construct(key=key, text=text)


def in_language(problem: models.Problem, language: str) -> models.Problem:
    """A problem, translated."""
    text = translate(problem.message.text, language)
    told_so = models.Message(key=problem.message.key, text=text)
    hint = None if problem.hint is None else translate(problem.hint, language)
    return problem.model_copy(update={"message": told_so, "hint": hint})


def _reason(fault: Exception) -> str:
    """The message of an exception, still translatable."""
    first = fault.args[0] if fault.args else None
    return first if isinstance(first, Translatable) else str(fault)


def answer(status: int, problem: models.Problem) -> JSONResponse:
    """A response with a problem."""
    return JSONResponse(problem.model_dump(mode="json", by_alias=True), status)


def problem_of(request: Request, fault: Exception) -> Answered:
    """The status and the problem that describe an exception."""
    match fault:
        case Refused():
            return fault.status, fault.problem
        case StaleError():
            state: AppState = request.app.state.app_state
            text = gettext("the table has changed meanwhile, perhaps in another tab")
            table = state.table(fault.record, asked(request))
            return 409, models.Problem(code="stale", message=message("stale", text), table=table)
        case NotLoggedInError():
            return 401, models.Problem(
                code="login", message=message("login", gettext("log in to see this"))
            )
        case NotAllowedError():
            return 403, models.Problem(
                code="forbidden",
                message=message("forbidden.host", gettext("only hosts may do this")),
            )
        case NoAccountsError():
            return 404, models.Problem(
                code="not-found",
                message=message("accounts.none", gettext("this server has no accounts")),
            )
        case TooManyAttemptsError():
            return 429, models.Problem(
                code="too-large", message=message("accounts.attempts", _reason(fault))
            )
        case AccountError():
            return 422, models.Problem(code="refused", message=message("accounts", _reason(fault)))
        case NoTableError() | UnknownGameError():
            return 404, models.Problem(
                code="not-found", message=message("not-found", _reason(fault))
            )
        case AmbiguousMoveError():
            moves = [move.text for move in fault.moves]
            why = message("move.ambiguous", fault.reason)
            return 422, models.Problem(code="ambiguous", message=why, moves=moves)
        case InvalidMoveError():
            return 422, models.Problem(
                code="invalid", message=message("move.unreadable", fault.reason)
            )
        case MoveError():
            return 422, models.Problem(
                code="refused", message=message("move.refused", fault.reason)
            )
        case NothingToDoError() | NotOverError():
            return 422, models.Problem(
                code="refused", message=message("nothing-to-do", _reason(fault))
            )
        case NotCountedError():
            return 422, models.Problem(code="refused", message=message("daily", _reason(fault)))
        case RulesError():
            why = message("rules.faults", gettext("the rules file has faults"))
            found = faults(fault.report, asked(request))
            listed = [models.Fault(**each) for each in found]
            return 422, models.Problem(code="rules", message=why, faults=listed)
        case DealError() | DeckError() | CardError():
            return 422, models.Problem(code="invalid", message=message("deal", _reason(fault)))
        case GameFileError():
            return 422, _unreadable(fault, asked(request))
        case SavedGameError():
            return 422, models.Problem(
                code="unreadable", message=message("unreadable", _reason(fault))
            )
        case TooManyPicturesError():
            return 429, models.Problem(code="too-large", message=message("picture", _reason(fault)))
        case NoPictureError():
            return 503, models.Problem(
                code="unavailable", message=message("picture", _reason(fault))
            )
        case TooManySearchesError() | TooManyReviewsError():
            return 429, models.Problem(
                code="too-large", message=message("search.many", _reason(fault))
            )
        case TooManyTrialsError():
            return 429, models.Problem(
                code="too-large", message=message("rules.many", _reason(fault))
            )
        case NoTrialsError():
            return 503, models.Problem.model_construct(
                code="unavailable",
                message=message("rules.untried", _reason(fault)),
                hint=gettext("try again in a minute, or start the server again"),
            )
        case FaultyGameError():
            return 422, models.Problem(
                code="rules", message=message("rules.faulty", _reason(fault))
            )
        case TooLongError():
            return 413, models.Problem(
                code="too-large", message=message("too-large", _reason(fault))
            )
    if (world := trouble(fault)) is not None:
        return world.status, _of_world(world)
    return 500, models.Problem(
        code="internal",
        message=message(
            "internal", gettext("an internal error: {name}", name=type(fault).__name__)
        ),
    )


def _of_world(world: Trouble) -> models.Problem:
    # Not validated: both texts must stay translatable.
    return models.Problem.model_construct(
        code="unavailable", message=message(world.key, world.text), hint=world.hint
    )


def _unreadable(fault: GameFileError, language: str) -> models.Problem:
    """The faults of a game file, as a problem."""
    listed = [
        models.Fault(
            severity="error",
            code="game-file",
            title=translate(each.reason, language),
            line=each.line or 1,
            column=each.column,
            end=each.end,
            hint=None,
        )
        for each in fault.faults
    ]
    why: str = ngettext(
        "the file of the game has {number} fault",
        "the file of the game has {number} faults",
        number=len(listed),
    )
    if len(listed) == 1:
        why = fault.faults[0].reason
    return models.Problem(code="unreadable", message=message("unreadable", why), faults=listed)


def _of_validation(request: Request, fault: Exception) -> JSONResponse:
    assert isinstance(fault, RequestValidationError)
    why = "; ".join(
        f"{'.'.join(str(step) for step in each['loc'])}: {each['msg']}"
        for each in fault.errors()[:8]
    )
    message_text = gettext("the request is invalid: {why}", why=why[:2000])
    problem = models.Problem(code="invalid", message=message("invalid", message_text))
    return answer(422, in_language(problem, asked(request)))


def allowed(request: Request) -> str:
    """The methods that a path supports; the router would name those of one route only."""
    # A path without parameters takes precedence over one with parameters.
    paths = sorted(request.app.openapi()["paths"].items(), key=lambda item: "{" in item[0])
    for path, methods in paths:
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), request.url.path):
            return ", ".join(sorted(method.upper() for method in methods))
    return ""


def _of_http(request: Request, fault: Exception) -> JSONResponse:
    assert isinstance(fault, HTTPException)
    code: Any = {404: "not-found", 405: "invalid", 413: "too-large", 403: "forbidden"}.get(
        fault.status_code, "invalid"
    )
    detail: object = fault.detail
    why = (
        detail if isinstance(detail, Translatable) else _STATUS.get(fault.status_code, str(detail))
    )
    problem = models.Problem(code=code, message=message(code, why))
    response = answer(fault.status_code, in_language(problem, asked(request)))
    response.headers.update(fault.headers or {})
    if fault.status_code == 405:
        response.headers["Allow"] = allowed(request) or "GET"
    return response


_STATUS = {
    404: gettext("there is nothing at this address"),
    405: gettext("this address does not support that method"),
}
KNOWN: tuple[type[Exception], ...] = (
    Refused, StaleError, NoTableError, UnknownGameError, MoveError, NothingToDoError, RulesError,
    DealError, DeckError, CardError, SavedGameError, GameFileError, TooManySearchesError,
    TooManyTrialsError, NoTrialsError, TooManyPicturesError, NoPictureError, FaultyGameError,
    TooLongError, NotOverError, TooManyReviewsError, NotCountedError, NotLoggedInError,
    NotAllowedError, NoAccountsError, TooManyAttemptsError, AccountError,
)  # fmt: skip

WORLD: tuple[type[Exception], ...] = (
    SQLAlchemyError, CommandError, BusyError, OSError, MemoryError,
)  # fmt: skip


def install(app: FastAPI) -> None:
    """Registers handlers that answer every exception with a problem."""

    def of_ours(request: Request, fault: Exception) -> JSONResponse:
        status, problem = problem_of(request, fault)
        response = answer(status, in_language(problem, asked(request)))
        if isinstance(fault, TooManyAttemptsError):
            response.headers["Retry-After"] = str(fault.seconds)
        return response

    def of_world(request: Request, fault: Exception) -> JSONResponse:
        world = trouble(fault)
        if world is None:
            raise fault  # An internal error; log it.
        problem = in_language(_of_world(world), asked(request))
        response = answer(world.status, problem)
        if world.passes:
            response.headers["Retry-After"] = str(BUSY_SECONDS)
        return response

    handlers: dict[type[Exception], Callable[[Request, Exception], JSONResponse]] = {}
    handlers.update(dict.fromkeys(KNOWN, of_ours))
    handlers.update(dict.fromkeys(WORLD, of_world))
    handlers[RequestValidationError] = _of_validation
    handlers[HTTPException] = _of_http
    handlers[Exception] = of_ours
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)


RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": models.Problem, "description": told}
    for status, told in (
        (400, "The request cannot be read."),
        (401, "Nobody is logged in."),
        (403, "The token, the host or the origin is wrong."),
        (404, "Unknown name."),
        (409, "The table has changed meanwhile: the answer has its current state."),
        (413, "The request is too large."),
        (429, "Too many requests at once."),
        (422, "It cannot be done; the message says why."),
        (
            503,
            "The database is busy or cannot be used; message and hint say more.",
        ),
        (507, "The disk is full."),
    )
}
