"""Accounts: players, their sessions, invitations, and tables that are shown to others."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from cadogan.web.models.base import Model, RequestBody, whole
from cadogan.web.models.games import Game
from cadogan.web.models.tables import Table

PlayerRole = Literal["player", "host"]
AccountName = Annotated[str, Field(max_length=200, examples=["Adelaide"])]
Password = Annotated[str, Field(max_length=200, examples=["a long sentence"])]
Secret = Annotated[str, Field(max_length=100, description="From the link.")]
Key = Annotated[str, Field(pattern=r"^[a-z0-9]{16}$")]
PlayerNumber = Annotated[int, Field(ge=1, le=2**31 - 1), BeforeValidator(whole)]


class AccountPlayer(Model):
    """A player with an account."""

    id: int
    name: str
    role: PlayerRole
    created: datetime


class Account(Model):
    """Who asks."""

    accounts: bool = Field(description="Whether this server has accounts at all.")
    player: AccountPlayer | None = Field(description="Who is logged in.")


class LogIn(RequestBody):
    """A name and its password."""

    name: AccountName
    password: Password


class SessionInfo(Model):
    """A browser in which the player is logged in."""

    id: Key
    agent: str = Field(description="The browser, as it names itself.")
    begun: datetime
    seen: datetime = Field(description="When it was used last, to the hour.")
    current: bool = Field(description="Whether it is the one that asks.")


class PasswordChange(RequestBody):
    """The password of the player, and a new one."""

    old: Password
    new: Password


class Removal(RequestBody):
    """Removes the account of the player."""

    password: Password


class NewInvitation(RequestBody):
    """An invitation to be made: of a new player, or to choose a new password."""

    role: PlayerRole = "player"
    note: str = Field(default="", max_length=80, description="For whom it is.")
    days: Annotated[int, Field(ge=1, le=30), BeforeValidator(whole)] = 7
    player: PlayerNumber | None = Field(
        default=None, description="Who may choose a new password; by default a new player."
    )


class InvitationInfo(Model):
    """An invitation that nobody has used yet."""

    id: Key
    role: PlayerRole
    note: str
    player: str | None = Field(description="Who may choose a new password.")
    made: datetime
    until: datetime


class InvitationMade(Model):
    """A new invitation. Its secret cannot be read again."""

    invitation: InvitationInfo
    secret: str


class InvitationLook(RequestBody):
    """The secret of an invitation, to see what it is for."""

    secret: Secret


class InvitationSeen(Model):
    """What an invitation is for."""

    role: PlayerRole
    player: str | None = Field(description="Who may choose a new password.")
    until: datetime


class Acceptance(RequestBody):
    """Uses an invitation: makes an account, or changes its password."""

    secret: Secret
    name: AccountName = ""
    password: Password


class RoleChange(RequestBody):
    """A new role."""

    role: PlayerRole


class Shown(Model):
    """Whether a table is shown to others.

    The ``secret`` of the link is there when it is made, and never again.
    """

    shown: bool
    secret: str | None = None


class Watched(Model):
    """A table that somebody else plays."""

    player: str = Field(description="Who plays it.")
    table: Table
    game: Game
