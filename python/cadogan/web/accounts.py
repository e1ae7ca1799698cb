"""Routes of accounts: log in, invitations, sessions; and for hosts, the players."""

import tempfile
from collections.abc import Iterator
from typing import IO, Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import StreamingResponse

from cadogan.i18n.text import gettext
from cadogan.table import account_data, accounts
from cadogan.table.service import NoTableError
from cadogan.web import models
from cadogan.web.admission import AdmittedRoute
from cadogan.web.door import Host, LoggedIn, Visitor, cookie
from cadogan.web.state import AppState, EverybodysState

router = APIRouter(prefix="/api", tags=["accounts"], route_class=AdmittedRoute)
Key = Annotated[str, Path(pattern=r"^[a-z0-9]{16}$")]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
COOKIE_SECONDS = 400 * 86400
"""How long browsers store the cookie; the server ends sessions that are not used."""
IN_MEMORY = 1 << 20


@router.get("/account")
def account(state: EverybodysState, session: Visitor) -> models.Account:
    """Who is logged in, and whether this server has accounts at all."""
    player = None if session is None else _player(session.player)
    return models.Account(accounts=state.accounts is not None, player=player)


@router.post("/account/sessions")
def log_in(
    body: models.LogIn, request: Request, response: Response, state: EverybodysState
) -> models.Account:
    """Logs in. The answer has a cookie."""
    player, secret = _accounts(state).log_in(
        body.name, body.password, address=_address(request), agent=_agent(request)
    )
    _remember(request, response, secret)
    return models.Account(accounts=True, player=_player(player))


@router.delete("/account/session", status_code=204)
def log_out(
    request: Request, response: Response, state: EverybodysState, session: LoggedIn
) -> None:
    """Logs out."""
    _accounts(state).end_session(session.player, session.id)
    _forget(request, response)


@router.get("/account/sessions")
def sessions(state: EverybodysState, session: LoggedIn) -> list[models.SessionInfo]:
    """The browsers in which the player is logged in."""
    return [
        models.SessionInfo(
            id=each.id,
            agent=each.agent,
            begun=each.begun,
            seen=each.seen,
            current=each.id == session.id,
        )
        for each in _accounts(state).sessions(session.player)
    ]


@router.delete("/account/sessions", status_code=204)
def end_other_sessions(state: EverybodysState, session: LoggedIn) -> None:
    """Logs the player out in all other browsers."""
    _accounts(state).end_other_sessions(session)


@router.delete("/account/sessions/{key}", status_code=204)
def end_session(key: Key, state: EverybodysState, session: LoggedIn) -> None:
    """Logs the player out in one browser."""
    if not _accounts(state).end_session(session.player, key):
        raise NoTableError(gettext("there is no such session"))


@router.put("/account/password", status_code=204)
def change_password(
    body: models.PasswordChange, request: Request, state: EverybodysState, session: LoggedIn
) -> None:
    """Changes the password, and logs the player out in all other browsers."""
    _accounts(state).change_password(session, body.old, body.new, _address(request))


_ZIP: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file.", "content": {"application/zip": {}}}
}


@router.get("/account/export", response_class=StreamingResponse, responses=_ZIP)
def export(state: EverybodysState, session: LoggedIn) -> StreamingResponse:
    """Everything that is stored of the player, as a ZIP file."""
    file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - closed when it was sent
    account_data.export(state.store, session.player, file)
    file.seek(0)
    headers = {"Content-Disposition": 'attachment; filename="cadogan.zip"'}
    return StreamingResponse(_parts(file), media_type="application/zip", headers=headers)


def _parts(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while part := file.read(1 << 16):
            yield part


@router.post("/account/removal", status_code=204)
def remove_account(
    body: models.Removal,
    request: Request,
    response: Response,
    state: EverybodysState,
    session: LoggedIn,
) -> None:
    """Removes the account, with everything that is stored of it."""
    _accounts(state).confirm(session.player, body.password, _address(request))
    account_data.remove(state.store, session.player)
    _forget(request, response)


# Invitations.


@router.post("/invitations/look")
def look(
    body: models.InvitationLook, request: Request, state: EverybodysState
) -> models.InvitationSeen:
    """What an invitation is for."""
    found, player = _accounts(state).invitation(body.secret, _address(request))
    name = None if player is None else player.name
    return models.InvitationSeen(role=found.role, player=name, until=found.until)


@router.post("/invitations/accept", status_code=201)
def accept(
    body: models.Acceptance, request: Request, response: Response, state: EverybodysState
) -> models.Account:
    """Uses an invitation, and logs the player in. The answer has a cookie."""
    player, secret = _accounts(state).accept(
        body.secret, body.name, body.password, address=_address(request), agent=_agent(request)
    )
    _remember(request, response, secret)
    return models.Account(accounts=True, player=_player(player))


@router.get("/invitations")
def invitations(state: EverybodysState, host: Host) -> list[models.InvitationInfo]:
    """The invitations that nobody has used yet."""
    return [_invitation(state, each) for each in _accounts(state).invitations()]


@router.post("/invitations", status_code=201)
def invite(body: models.NewInvitation, state: EverybodysState, host: Host) -> models.InvitationMade:
    """Makes an invitation; only this answer has its secret."""
    player = None if body.player is None else _known(state, body.player)
    made, secret = _accounts(state).invite(body.role, body.note, body.days, player)
    return models.InvitationMade(invitation=_invitation(state, made), secret=secret)


@router.delete("/invitations/{key}", status_code=204)
def withdraw(key: Key, state: EverybodysState, host: Host) -> None:
    """Withdraws an invitation."""
    if not _accounts(state).withdraw(key):
        raise NoTableError(gettext("there is no such invitation"))


# Players.


@router.get("/players")
def players(state: EverybodysState, host: Host) -> list[models.AccountPlayer]:
    """All players, by name."""
    return [_player(each) for each in _accounts(state).players()]


@router.put("/players/{number}/role")
def set_role(
    number: Number, body: models.RoleChange, state: EverybodysState, host: Host
) -> models.AccountPlayer:
    """Makes a player a host, or a host a player."""
    _known(state, number)
    _accounts(state).set_role(number, body.role)
    return _player(_known(state, number))


@router.delete("/players/{number}", status_code=204)
def remove_player(number: Number, state: EverybodysState, host: Host) -> None:
    """Removes an account, with everything that is stored of it."""
    account_data.remove(state.store, _known(state, number))


def _accounts(state: AppState) -> accounts.Accounts:
    """The accounts of the server.

    Raises:
        NoAccountsError: If it has none.
    """
    if state.accounts is None:
        raise accounts.NoAccountsError
    return state.accounts


def _known(state: AppState, number: int) -> accounts.Player:
    player = _accounts(state).player(number)
    if player is None:
        raise NoTableError(gettext("there is no such player"))
    return player


def _player(player: accounts.Player) -> models.AccountPlayer:
    return models.AccountPlayer(
        id=player.id, name=player.name, role=player.role, created=player.created
    )


def _invitation(state: AppState, found: accounts.Invitation) -> models.InvitationInfo:
    player = None if found.player is None else _accounts(state).player(found.player)
    return models.InvitationInfo(
        id=found.id,
        role=found.role,
        note=found.note,
        player=None if player is None else player.name,
        made=found.made,
        until=found.until,
    )


def _address(request: Request) -> str:
    return "" if request.client is None else request.client.host


def _agent(request: Request) -> str:
    return request.headers.get("user-agent", "")


def _remember(request: Request, response: Response, secret: str) -> None:
    response.set_cookie(
        cookie(request),
        secret,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        max_age=COOKIE_SECONDS,
        path="/",
    )


def _forget(request: Request, response: Response) -> None:
    response.delete_cookie(
        cookie(request),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        path="/",
    )
