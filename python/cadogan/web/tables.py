"""Routes of tables: dealing, playing, going back."""

from dataclasses import replace
from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Query, Response
from pydantic import TypeAdapter
from starlette.exceptions import HTTPException

from cadogan.deals import random_deal
from cadogan.i18n.text import gettext
from cadogan.table.game_file import file_name, write_game
from cadogan.table.intent import Intent
from cadogan.table.library import OWN
from cadogan.table.record import Record
from cadogan.table.service import NoTableError, PlayedMove
from cadogan.table.store import now
from cadogan.web import models, serialize
from cadogan.web.admission import AdmittedRoute
from cadogan.web.problems import Refused, message
from cadogan.web.state import AppState, Language, StateDep

router = APIRouter(prefix="/api/tables", tags=["tables"], route_class=AdmittedRoute)
Key = Annotated[str, Path(pattern=r"^[a-z0-9]{16}$")]
_STEPS: Final = TypeAdapter(list[models.Step])


# FastAPI would check and encode in another thread what is known to be right. The events have the
# table as text already.


def _shown(state: AppState, record: Record, language: str, status: int = 200) -> Response:
    """The answer that shows a table."""
    return _json(state.table_text(record, language), status)


def _played(state: AppState, record: Record, made: list[PlayedMove], language: str) -> Response:
    """The answer to a move: a :class:`models.Played`."""
    steps = _STEPS.dump_json(serialize.steps(made), by_alias=True).decode()
    return _json(f'{{"table":{state.table_text(record, language)},"steps":{steps}}}')


def _json(text: str, status: int = 200) -> Response:
    return Response(text, status, media_type="application/json")


@router.get("")
def tables(
    state: StateDep,
    language: Language,
    game: Annotated[str | None, Query(max_length=models.MOST_NAME)] = None,
    open: Annotated[bool, Query(description="Only those that are not put away.")] = False,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> list[models.TableSummary]:
    """Tables, the most recently played first."""
    found = []
    for row, summary in state.store.tables(game=game, opened=open, limit=limit):
        try:
            title = serialize.title(state.library.load(row.game).rulebook, language)
        except (LookupError, ValueError):
            title = row.game
        found.append(
            models.TableSummary(
                id=row.id,
                game=row.game,
                title=title,
                deal=row.deal,
                begun=row.begun,
                played=summary["played"],
                turn=summary["turn"],
                won=summary["won"],
                closed=summary["closed"],
                outcome=summary["outcome"],
            )
        )
    return found


@router.post("", status_code=201, response_model=models.Table)
def deal(body: models.NewTable, state: StateDep, language: Language) -> Response:
    """Deals a game at a new table."""
    if sum(each is not None for each in (body.deal, body.deck, body.like)) > 1:
        why = message("deal", gettext("give only one of 'deal', 'deck' and 'like'"))
        raise Refused(422, models.Problem(code="invalid", message=why))
    name, deck = body.deal, None if body.deck is None else body.deck.split()
    if body.like is not None:
        first = state.tables.get(body.like).nodes[0].position
        name, deck = first.deal_name, None if first.deal_name else list(map(str, first.deck))
    elif name is None and deck is None:
        name = str(random_deal())
    chosen = state.tables.options()
    if body.verdict is not None:
        chosen = replace(chosen, verdict=body.verdict)
    record = state.tables.deal(
        body.game,
        name,
        deck,
        options=chosen,
        line=body.line,
        closes=body.closes,
    )
    return _shown(state, record, language, 201)


@router.get("/import", include_in_schema=False)
def no_import() -> None:
    """Refuses to read this address: otherwise it would be taken as the key of a table."""
    raise HTTPException(405, headers={"Allow": "POST"})


@router.get("/{key}", response_model=models.Table)
def table(key: Key, state: StateDep, language: Language) -> Response:
    """A table in its current state."""
    return _shown(state, state.tables.get(key), language)


@router.post("/{key}/moves", response_model=models.Played)
def move(key: Key, body: models.MoveRequest, state: StateDep, language: Language) -> Response:
    """Plays a move, and returns its steps and the new state."""
    if (body.text is None) == (body.from_ is None or body.to is None):
        why = message("move.unreadable", gettext("give 'from' and 'to', or the 'text' of the move"))
        raise Refused(422, models.Problem(code="invalid", message=why))
    intent = Intent(body.text, body.from_, body.to, body.count)
    record, made = state.tables.move(key, body.version, intent)
    state.metrics.moves.inc()
    return _played(state, record, made, language)


@router.post("/{key}/undo", response_model=models.Table)
def undo(key: Key, body: models.Versioned, state: StateDep, language: Language) -> Response:
    """Undoes the last move and what it forced."""
    return _shown(state, state.tables.undo(key, body.version), language)


@router.post("/{key}/redo", response_model=models.Played)
def redo(key: Key, body: models.Versioned, state: StateDep, language: Language) -> Response:
    """Plays the move again that was undone last."""
    record, made = state.tables.redo(key, body.version)
    return _played(state, record, made, language)


@router.post("/{key}/goto", response_model=models.Table)
def go(key: Key, body: models.GoTo, state: StateDep, language: Language) -> Response:
    """Goes to any position of the tree."""
    return _shown(state, state.tables.go(key, body.version, body.node), language)


@router.post("/{key}/restart", response_model=models.Table)
def restart(key: Key, body: models.Versioned, state: StateDep, language: Language) -> Response:
    """Goes back to the deal; redo replays the moves."""
    return _shown(state, state.tables.restart(key, body.version), language)


@router.post("/{key}/finish", response_model=models.Played)
def finish(key: Key, body: models.Versioned, state: StateDep, language: Language) -> Response:
    """Finishes the game, if moves to the foundations alone win it."""
    record, made = state.tables.finish(key, body.version)
    return _played(state, record, made, language)


@router.post("/{key}/bookmark", response_model=models.Table)
def bookmark(
    key: Key, body: models.BookmarkRequest, state: StateDep, language: Language
) -> Response:
    """Sets the bookmark of a position; an empty name removes it."""
    return _shown(state, state.tables.bookmark(key, body.version, body.node, body.name), language)


@router.post("/{key}/options", response_model=models.Table)
def options(key: Key, body: models.OptionsRequest, state: StateDep, language: Language) -> Response:
    """Changes the options of a table."""
    record = state.tables.switch(key, body.version, verdict=body.verdict, autoplay=body.autoplay)
    return _shown(state, record, language)


@router.post("/{key}/close", response_model=models.Table)
def close(key: Key, body: models.Versioned, state: StateDep, language: Language) -> Response:
    """Closes a table. The game counts as given up if it was not won."""
    return _shown(state, state.tables.put_away(key, body.version), language)


@router.post("/{key}/open", response_model=models.Table)
def reopen(key: Key, body: models.Versioned, state: StateDep, language: Language) -> Response:
    """Opens a closed table again."""
    return _shown(state, state.tables.put_away(key, body.version, closed=False), language)


@router.get("/{key}/tree")
def tree(key: Key, state: StateDep) -> models.Tree:
    """All positions of the table, with all branches."""
    return serialize.tree(state.tables.get(key))


@router.get("/{key}/nodes/{node}")
def node(
    key: Key,
    node: Annotated[int, Path(ge=0, le=2**31 - 1)],
    state: StateDep,
    language: Language,
) -> models.View:
    """A position of the tree; the table does not change."""
    return serialize.view(known(state, key, node), node, language)


def known(state: AppState, key: str, node: int) -> Record:
    """The record of a table, if it has this position."""
    record = state.tables.get(key)
    if node >= len(record.nodes):
        raise NoTableError(gettext("there is no position {number} at this table", number=node))
    return record


@router.get("/{key}/replay")
def replay(
    key: Key,
    state: StateDep,
    language: Language,
    node: Annotated[
        int | None,
        Query(ge=0, le=2**31 - 1, description="Where it ends; by default where redo would."),
    ] = None,
) -> models.Replay:
    """A line of the table: its moves, each with what it forced."""
    record = state.tables.get(key)
    end = ([record.node, *record.ahead()])[-1] if node is None else node
    known(state, key, end)
    nodes = [record.nodes[each] for each in record.path_to(end)]
    path = set(record.path())
    here = sum(each.number in path for each in nodes) - 1
    return serialize.replay(nodes[-1].position, language, nodes, here)


@router.post("/{key}/hint")
def hint(key: Key, body: models.Versioned, state: StateDep, language: Language) -> models.Hint:
    """Suggests a move, and says whether it is proved. The search knows the hidden cards."""
    return state.hint(key, body.version, language)


@router.get("/{key}/export")
def export(key: Key, state: StateDep) -> models.GameFile:
    """The game as an open text file, with branches and bookmarks."""
    record = state.tables.get(key)
    return models.GameFile(file_name=file_name(record, now()), text=write_game(record))


@router.post("/import", status_code=201, response_model=models.Table)
def import_game(body: models.Import, state: StateDep, language: Language) -> Response:
    """Continues a game from such a file, at a new table."""
    return _shown(state, state.tables.read(body.text, state.tables.options()), language, 201)


@router.get("/{key}/share")
def share(
    key: Key,
    state: StateDep,
    line: Annotated[bool, Query(description="With the moves made so far.")] = False,
    node: Annotated[
        int | None,
        Query(ge=0, le=2**31 - 1, description="The position that the moves lead to."),
    ] = None,
) -> models.Share:
    """The query of a link to this deal."""
    record = state.tables.get(key)
    end = record.node if node is None else node
    at = known(state, key, end).nodes[end].position
    moves = [each.text for each in at.line if not each.forced] if line else []
    deal = at.deal_name
    parts = {"game": record.game.name}
    if deal is not None:
        parts["deal"] = deal
    else:
        parts["deck"] = " ".join(map(str, at.deck))
    if moves:
        parts["line"] = "; ".join(moves)
    return models.Share(
        game=record.game.name,
        deal=deal,
        line=moves,
        query=urlencode(parts),
        portable=not record.game.name.startswith(OWN),
    )
