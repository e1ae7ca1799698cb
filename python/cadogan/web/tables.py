"""Routes of tables: dealing, playing, going back."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Query
from starlette.exceptions import HTTPException

from cadogan.deals import random_deal
from cadogan.i18n.text import told
from cadogan.table.game_file import file_name, write_game
from cadogan.table.intent import Intent
from cadogan.table.library import OWN
from cadogan.table.record import Options, Record
from cadogan.table.service import NoTableError
from cadogan.table.store import now
from cadogan.web import models, serialize
from cadogan.web.problems import Refused, message
from cadogan.web.state import AppState, Language, StateDep

router = APIRouter(prefix="/api/tables", tags=["tables"])
Key = Annotated[str, Path(pattern=r"^[a-z0-9]{16}$")]


@router.get("")
def tables(
    state: StateDep,
    language: Language,
    game: Annotated[str | None, Query(max_length=models.MOST_NAME)] = None,
    open: Annotated[bool, Query(description="Only those that are not put away.")] = False,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> list[models.TableSummary]:
    """Tables, the one played last first."""
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


@router.post("", status_code=201)
def deal(wish: models.NewTable, state: StateDep, language: Language) -> models.Table:
    """Lays out a game at a new table."""
    if sum(each is not None for each in (wish.deal, wish.deck, wish.like)) > 1:
        why = message("deal", told("'deal', 'deck' and 'like' name a deal each; give one of them"))
        raise Refused(422, models.Problem(code="invalid", message=why))
    name, deck = wish.deal, None if wish.deck is None else wish.deck.split()
    if wish.like is not None:
        first = state.tables.get(wish.like).nodes[0].position
        name, deck = first.deal_name, None if first.deal_name else list(map(str, first.deck))
    elif name is None and deck is None:
        name = str(random_deal())
    settings = state.settings()
    record = state.tables.deal(
        wish.game,
        name,
        deck,
        options=Options(settings.verdict, settings.autoplay),
        line=wish.line,
        closes=wish.closes,
    )
    return state.table(record, language)


@router.get("/import", include_in_schema=False)
def no_import() -> None:
    """Says that games are only put here: otherwise this would be the key of a table."""
    raise HTTPException(405, headers={"Allow": "POST"})


@router.get("/{key}")
def table(key: Key, state: StateDep, language: Language) -> models.Table:
    """A table as it stands."""
    return state.table(state.tables.get(key), language)


@router.post("/{key}/moves")
def move(key: Key, wish: models.MoveWish, state: StateDep, language: Language) -> models.Played:
    """Makes a move, and tells step by step what came of it."""
    if (wish.text is None) == (wish.from_ is None or wish.to is None):
        why = message("move.unreadable", told("say 'from' and 'to', or the 'text' of the move"))
        raise Refused(422, models.Problem(code="invalid", message=why))
    intent = Intent(wish.text, wish.from_, wish.to, wish.count)
    record, made = state.tables.move(key, wish.version, intent)
    return models.Played.model_construct(
        table=state.table(record, language), steps=serialize.steps(made)
    )


@router.post("/{key}/undo")
def undo(key: Key, wish: models.Stamped, state: StateDep, language: Language) -> models.Table:
    """Takes the last move back; what it forced is taken back too."""
    return state.table(state.tables.undo(key, wish.version), language)


@router.post("/{key}/redo")
def redo(key: Key, wish: models.Stamped, state: StateDep, language: Language) -> models.Played:
    """Makes the move again that was taken back last."""
    record, made = state.tables.redo(key, wish.version)
    return models.Played.model_construct(
        table=state.table(record, language), steps=serialize.steps(made)
    )


@router.post("/{key}/goto")
def go(key: Key, wish: models.GoTo, state: StateDep, language: Language) -> models.Table:
    """Goes to any position that was reached."""
    return state.table(state.tables.go(key, wish.version, wish.node), language)


@router.post("/{key}/restart")
def restart(key: Key, wish: models.Stamped, state: StateDep, language: Language) -> models.Table:
    """Goes back to the deal; redo goes through the moves again."""
    return state.table(state.tables.restart(key, wish.version), language)


@router.post("/{key}/finish")
def finish(key: Key, wish: models.Stamped, state: StateDep, language: Language) -> models.Played:
    """Plays to the end, if moves to the foundations alone lead there."""
    record, made = state.tables.finish(key, wish.version)
    return models.Played.model_construct(
        table=state.table(record, language), steps=serialize.steps(made)
    )


@router.post("/{key}/bookmark")
def bookmark(key: Key, wish: models.Mark, state: StateDep, language: Language) -> models.Table:
    """Gives a position a name; the empty one takes it away."""
    return state.table(state.tables.mark(key, wish.version, wish.node, wish.name), language)


@router.post("/{key}/options")
def options(
    key: Key, wish: models.OptionsWish, state: StateDep, language: Language
) -> models.Table:
    """Switches the verdict or autoplay."""
    record = state.tables.switch(key, wish.version, verdict=wish.verdict, autoplay=wish.autoplay)
    return state.table(record, language)


@router.post("/{key}/close")
def close(key: Key, wish: models.Stamped, state: StateDep, language: Language) -> models.Table:
    """Puts a table away: given up, if it was not won."""
    return state.table(state.tables.put_away(key, wish.version), language)


@router.post("/{key}/open")
def reopen(key: Key, wish: models.Stamped, state: StateDep, language: Language) -> models.Table:
    """Takes up a table that was put away."""
    return state.table(state.tables.put_away(key, wish.version, closed=False), language)


@router.get("/{key}/tree")
def tree(key: Key, state: StateDep) -> models.Tree:
    """All positions that were reached, branches and all."""
    return serialize.tree(state.tables.get(key))


@router.get("/{key}/nodes/{node}")
def node(
    key: Key,
    node: Annotated[int, Path(ge=0, le=2**31 - 1)],
    state: StateDep,
    language: Language,
) -> models.View:
    """Looks at a position without going there."""
    return serialize.view(_known(state, key, node), node, language)


def _known(state: AppState, key: str, node: int) -> Record:
    """A table that has a position of that number."""
    record = state.tables.get(key)
    if node >= len(record.nodes):
        raise NoTableError(told("there is no position {number} at this table", number=node))
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
    """A line of the table, move by move with what each forced."""
    record = state.tables.get(key)
    end = ([record.node, *record.ahead()])[-1] if node is None else node
    _known(state, key, end)
    nodes = [record.nodes[each] for each in record.path_to(end)]
    path = set(record.path())
    here = sum(each.number in path for each in nodes) - 1
    return serialize.replay(nodes[-1].position, language, nodes, here)


@router.post("/{key}/hint")
def hint(key: Key, wish: models.Stamped, state: StateDep, language: Language) -> models.Hint:
    """Advises a move, and says whether it is proved. The search knows the hidden cards."""
    return state.hint(key, wish.version, language)


@router.get("/{key}/export")
def export(key: Key, state: StateDep) -> models.GameFile:
    """The game as an open text file, branches and bookmarks and all."""
    record = state.tables.get(key)
    return models.GameFile(file_name=file_name(record, now()), text=write_game(record))


@router.post("/import", status_code=201)
def import_game(wish: models.Import, state: StateDep, language: Language) -> models.Table:
    """Takes up a game from such a file, at a new table."""
    settings = state.settings()
    options = Options(settings.verdict, settings.autoplay)
    return state.table(state.tables.read(wish.text, options), language)


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
    """What to put into a link to this deal."""
    record = state.tables.get(key)
    end = record.node if node is None else node
    at = _known(state, key, end).nodes[end].position
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
