"""Routes of tables: dealing, playing, going back."""

import secrets
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Query
from starlette.exceptions import HTTPException

from cadogan.table.intent import Intent
from cadogan.table.library import OWN
from cadogan.table.record import Record
from cadogan.table.store import now
from cadogan.table.tables import NoTableError
from cadogan.table.text import file_name, write_game
from cadogan.told import told
from cadogan.web import models, present
from cadogan.web.house import House, InHouse, Language
from cadogan.web.problems import Refused, message

router = APIRouter(prefix="/api/tables", tags=["tables"])
Key = Annotated[str, Path(pattern=r"^[a-z0-9]{16}$")]
RANDOM_DEALS = 10**9


@router.get("")
def tables(
    house: InHouse,
    language: Language,
    game: Annotated[str | None, Query(max_length=models.MOST_NAME)] = None,
    open: Annotated[bool, Query(description="Only those that are not put away.")] = False,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> list[models.TableSummary]:
    """Tables, the one played last first."""
    found = []
    for row, summary in house.store.tables(game=game, opened=open, limit=limit):
        try:
            title = present.title(house.library.load(row.game).rulebook, language)
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
def deal(wish: models.NewTable, house: InHouse, language: Language) -> models.Table:
    """Lays out a game at a new table."""
    if sum(each is not None for each in (wish.deal, wish.deck, wish.like)) > 1:
        why = message("deal", told("'deal', 'deck' and 'like' name a deal each; give one of them"))
        raise Refused(422, models.Problem(code="invalid", message=why))
    name, deck = wish.deal, None if wish.deck is None else wish.deck.split()
    if wish.like is not None:
        first = house.tables.get(wish.like).nodes[0].position
        name, deck = first.deal_name, None if first.deal_name else list(map(str, first.deck))
    elif name is None and deck is None:
        name = f"cadogan:{secrets.randbelow(RANDOM_DEALS)}"
    record = house.tables.deal(
        wish.game,
        name,
        deck,
        options=house.tables.options(),
        line=wish.line,
        closes=wish.closes,
    )
    return house.table(record, language)


@router.get("/import", include_in_schema=False)
def no_import() -> None:
    """Says that games are only put here: otherwise this would be the key of a table."""
    raise HTTPException(405, headers={"Allow": "POST"})


@router.get("/{key}")
def table(key: Key, house: InHouse, language: Language) -> models.Table:
    """A table as it stands."""
    return house.table(house.tables.get(key), language)


@router.post("/{key}/moves")
def move(key: Key, wish: models.MoveWish, house: InHouse, language: Language) -> models.Played:
    """Makes a move, and tells step by step what came of it."""
    if (wish.text is None) == (wish.from_ is None or wish.to is None):
        why = message("move.unreadable", told("say 'from' and 'to', or the 'text' of the move"))
        raise Refused(422, models.Problem(code="invalid", message=why))
    intent = Intent(wish.text, wish.from_, wish.to, wish.count)
    record, made = house.tables.move(key, wish.version, intent)
    return models.Played.model_construct(
        table=house.table(record, language), steps=present.steps(made)
    )


@router.post("/{key}/undo")
def undo(key: Key, wish: models.Stamped, house: InHouse, language: Language) -> models.Table:
    """Takes the last move back; what it forced is taken back too."""
    return house.table(house.tables.undo(key, wish.version), language)


@router.post("/{key}/redo")
def redo(key: Key, wish: models.Stamped, house: InHouse, language: Language) -> models.Played:
    """Makes the move again that was taken back last."""
    record, made = house.tables.redo(key, wish.version)
    return models.Played.model_construct(
        table=house.table(record, language), steps=present.steps(made)
    )


@router.post("/{key}/goto")
def go(key: Key, wish: models.GoTo, house: InHouse, language: Language) -> models.Table:
    """Goes to any position that was reached."""
    return house.table(house.tables.go(key, wish.version, wish.node), language)


@router.post("/{key}/restart")
def restart(key: Key, wish: models.Stamped, house: InHouse, language: Language) -> models.Table:
    """Goes back to the deal; redo goes through the moves again."""
    return house.table(house.tables.restart(key, wish.version), language)


@router.post("/{key}/finish")
def finish(key: Key, wish: models.Stamped, house: InHouse, language: Language) -> models.Played:
    """Plays to the end, if moves to the foundations alone lead there."""
    record, made = house.tables.finish(key, wish.version)
    return models.Played.model_construct(
        table=house.table(record, language), steps=present.steps(made)
    )


@router.post("/{key}/bookmark")
def bookmark(key: Key, wish: models.Mark, house: InHouse, language: Language) -> models.Table:
    """Gives a position a name; the empty one takes it away."""
    return house.table(house.tables.mark(key, wish.version, wish.node, wish.name), language)


@router.post("/{key}/options")
def options(key: Key, wish: models.OptionsWish, house: InHouse, language: Language) -> models.Table:
    """Switches the verdict or autoplay."""
    record = house.tables.switch(key, wish.version, verdict=wish.verdict, autoplay=wish.autoplay)
    return house.table(record, language)


@router.post("/{key}/close")
def close(key: Key, wish: models.Stamped, house: InHouse, language: Language) -> models.Table:
    """Puts a table away: given up, if it was not won."""
    return house.table(house.tables.put_away(key, wish.version), language)


@router.post("/{key}/open")
def reopen(key: Key, wish: models.Stamped, house: InHouse, language: Language) -> models.Table:
    """Takes up a table that was put away."""
    return house.table(house.tables.put_away(key, wish.version, closed=False), language)


@router.get("/{key}/tree")
def tree(key: Key, house: InHouse) -> models.Tree:
    """All positions that were reached, branches and all."""
    return present.tree(house.tables.get(key))


@router.get("/{key}/nodes/{node}")
def node(
    key: Key,
    node: Annotated[int, Path(ge=0, le=2**31 - 1)],
    house: InHouse,
    language: Language,
) -> models.View:
    """Looks at a position without going there."""
    return present.view(_known(house, key, node), node, language)


def _known(house: House, key: str, node: int) -> Record:
    """A table that has a position of that number."""
    record = house.tables.get(key)
    if node >= len(record.nodes):
        raise NoTableError(told("there is no position {number} at this table", number=node))
    return record


@router.get("/{key}/replay")
def replay(
    key: Key,
    house: InHouse,
    language: Language,
    node: Annotated[
        int | None,
        Query(ge=0, le=2**31 - 1, description="Where it ends; by default where redo would."),
    ] = None,
) -> models.Replay:
    """A line of the table, move by move with what each forced."""
    record = house.tables.get(key)
    end = ([record.node, *record.ahead()])[-1] if node is None else node
    _known(house, key, end)
    nodes = [record.nodes[each] for each in record.path_to(end)]
    path = set(record.path())
    here = sum(each.number in path for each in nodes) - 1
    return present.replay(nodes[-1].position, language, nodes, here)


@router.post("/{key}/hint")
def hint(key: Key, wish: models.Stamped, house: InHouse, language: Language) -> models.Hint:
    """Advises a move, and says whether it is proved. The search knows the hidden cards."""
    return house.hint(key, wish.version, language)


@router.get("/{key}/export")
def export(key: Key, house: InHouse) -> models.GameFile:
    """The game as an open text file, branches and bookmarks and all."""
    record = house.tables.get(key)
    return models.GameFile(file_name=file_name(record, now()), text=write_game(record))


@router.post("/import", status_code=201)
def import_game(wish: models.Import, house: InHouse, language: Language) -> models.Table:
    """Takes up a game from such a file, at a new table."""
    return house.table(house.tables.read(wish.text, house.tables.options()), language)


@router.get("/{key}/share")
def share(
    key: Key,
    house: InHouse,
    line: Annotated[bool, Query(description="With the moves made so far.")] = False,
    node: Annotated[
        int | None,
        Query(ge=0, le=2**31 - 1, description="The position that the moves lead to."),
    ] = None,
) -> models.Share:
    """What to put into a link to this deal."""
    record = house.tables.get(key)
    end = record.node if node is None else node
    at = _known(house, key, end).nodes[end].position
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
