"""Routes of the player: settings, statistics, what the server is."""

import json
from dataclasses import asdict
from importlib.metadata import version
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Response

from cadogan.i18n.text import LANGUAGES, told, told_of
from cadogan.table import statistics as counted
from cadogan.table.deal_search import Search
from cadogan.table.service import NoTableError
from cadogan.web import models, serialize
from cadogan.web.problems import Refused, message
from cadogan.web.state import Language, StateDep

router = APIRouter(prefix="/api", tags=["player"])
MOST_PAGE = 8192
DEEPEST_PAGE = 20
Key = Annotated[str, Path(pattern=r"^[a-z0-9]{16}$")]
SCHEMES = ["cadogan", "ms", "pysol", "kpat", "solvitaire", "exact"]


@router.get("/about")
def about(state: StateDep) -> models.About:
    """What the server is."""
    return models.About(
        version=version("cadogan"),
        languages=list(LANGUAGES),
        games=len(state.library.names()),
        workers=state.workers,
        schemes=SCHEMES,
    )


@router.get("/statistics")
def statistics(state: StateDep, language: Language) -> models.Statistics:
    """How the player did, game by game and table by table."""
    found = counted.results(state.store)
    games = []
    for each in counted.statistics(found):
        values = asdict(each)
        by_verdict = values.pop("by_verdict")
        splits: dict[str, Any] = {
            known: models.ByVerdict(played=played, won=won)
            for known, (played, won) in by_verdict.items()
        }
        try:
            title = serialize.title(state.library.load(each.game).rulebook, language)
        except (LookupError, ValueError):
            title = each.game
        games.append(models.Statistic(**values, title=title, **splits))
    results = [models.Result(**asdict(result)) for result in found]
    return models.Statistics(games=games, results=results)


_FILES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file.",
        "content": {"text/csv": {"schema": {"type": "string"}}, "application/json": {}},
    }
}


@router.get("/statistics/{file}", response_class=Response, responses=_FILES)
def statistics_file(file: Literal["cadogan.csv", "cadogan.json"], state: StateDep) -> Response:
    """The statistics as a file: one line a table for spreadsheets, or all of it as JSON."""
    found = counted.results(state.store)
    csv = file.endswith(".csv")
    return Response(
        counted.to_csv(found) if csv else counted.to_json(found),
        media_type="text/csv; charset=utf-8" if csv else "application/json",
        headers={"Content-Disposition": f'attachment; filename="{file}"'},
    )


@router.post("/searches", status_code=201)
def search(wish: models.SearchWish, state: StateDep, language: Language) -> models.Search:
    """Looks for a deal that can be won; ask for it again to see how far it has come."""
    return _search(state.searches.begin(state.library.choose(wish.game)), language)


@router.get("/searches/{key}")
def searched(key: Key, state: StateDep, language: Language) -> models.Search:
    """How far a search has come; when it has ``found`` one, deal it."""
    return _search(_known(state.searches.get(key)), language)


@router.delete("/searches/{key}")
def cancel(key: Key, state: StateDep, language: Language) -> models.Search:
    """Ends a search."""
    return _search(_known(state.searches.cancel(key)), language)


def _known(search: Search | None) -> Search:
    if search is None:
        raise NoTableError(told("there is no such search"))
    return search


def _search(search: Search, language: str) -> models.Search:
    texts = {
        "searching": told_of(
            "{number} deal looked at", "{number} deals looked at", number=search.tried
        ),
        "found": told("{deal} can be won", deal=search.deal),
        "not-found": told_of(
            "no win was found in {number} deal",
            "no win was found in {number} deals",
            number=search.tried,
        ),
        "cancelled": told("given up"),
    }
    return models.Search(
        id=search.id,
        game=search.game,
        state=search.state,
        tried=search.tried,
        unwinnable=search.unwinnable,
        unknown=search.unknown,
        nodes=search.nodes,
        deal=search.deal,
        message=serialize.say(f"search.{search.state}", texts[search.state], language),
    )


@router.get("/settings")
def settings(state: StateDep) -> models.Settings:
    """What the player has set."""
    return state.settings()


def _depth(value: object) -> int:
    """How deep lists and objects lie in each other."""
    depth, level = 0, [value]
    while level:
        depth += 1
        inner = [each for each in level if isinstance(each, dict | list)]
        level = [
            part for each in inner for part in (each.values() if isinstance(each, dict) else each)
        ]
    return depth


@router.put("/settings")
def set_settings(wish: models.Settings, state: StateDep) -> models.Settings:
    """Sets everything anew."""
    try:
        # Lone surrogates pass as JSON, but no answer can be made of them.
        json.dumps(wish.page, allow_nan=False, ensure_ascii=False).encode()
        text = wish.model_dump_json()
        if models.Settings.model_validate_json(text) != wish:
            raise ValueError("it does not come back as it was")
        size = len(json.dumps(wish.page))
    except (ValueError, RecursionError):
        why = message("settings", told("the page's own settings cannot be kept"))
        raise Refused(422, models.Problem(code="invalid", message=why)) from None
    if size > MOST_PAGE or _depth(wish.page) > DEEPEST_PAGE:
        why = message(
            "settings", told("the page's own settings may take {number} bytes", number=MOST_PAGE)
        )
        raise Refused(413, models.Problem(code="too-large", message=why))
    state.store.set_setting("settings", wish.model_dump(mode="json"))
    return wish
