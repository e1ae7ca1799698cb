"""Routes of tables that are shown to others: the player shows and hides, others watch."""

from typing import Annotated

from fastapi import APIRouter, Path

from cadogan.table import shown
from cadogan.table.accounts import LONGEST_SECRET, NoAccountsError
from cadogan.web import games, models
from cadogan.web.admission import AdmittedRoute
from cadogan.web.door import LoggedIn
from cadogan.web.state import AppState, EverybodysState, Language, StateDep
from cadogan.web.tables import Key

router = APIRouter(prefix="/api", tags=["watching"], route_class=AdmittedRoute)
Secret = Annotated[
    str,
    Path(min_length=1, max_length=LONGEST_SECRET, pattern=r"^[\w-]+$", description="Of the link."),
]


@router.get("/tables/{key}/shown")
def is_shown(key: Key, state: StateDep, session: LoggedIn) -> models.Shown:
    """Whether others can watch a table."""
    state.tables.get(key)
    return models.Shown(shown=shown.is_shown(state.store, key))


@router.post("/tables/{key}/shown")
def show(key: Key, state: StateDep, session: LoggedIn) -> models.Shown:
    """Makes a link by which others can watch a table; an older link does not work any more."""
    return models.Shown(shown=True, secret=shown.show(state.store, key))


@router.delete("/tables/{key}/shown", status_code=204)
def hide(key: Key, state: StateDep, session: LoggedIn) -> None:
    """Withdraws the link to a table."""
    state.tables.get(key)
    shown.hide(state.store, key)


@router.get("/watch/{secret}")
def watch(secret: Secret, state: EverybodysState, language: Language) -> models.Watched:
    """A table that somebody else plays."""
    found = watched(state, secret)
    owners = state.of(found.player)
    record = owners.tables.get(found.key)
    player = None if state.accounts is None else state.accounts.player(found.player)
    return models.Watched.model_construct(
        player="" if player is None else player.name,
        table=without_notes(owners.table(record, language)),
        game=games.game_of(owners, record.game.name, language).model_copy(
            update={"favourite": False}
        ),
    )


def without_notes(table: models.Table) -> models.Table:
    """A table without what is for its player only."""
    return table.model_copy(update={"bookmarks": []})


def watched(state: AppState, secret: str) -> shown.ShownTable:
    """The table behind a link.

    Raises:
        NoTableError: If the link does not work, or not any more.
        NoAccountsError: If the server has no accounts.
    """
    if state.accounts is None:
        raise NoAccountsError
    return shown.shown_table(state.store, secret)
