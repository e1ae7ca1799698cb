"""Routes of the player: settings, statistics, what the server is."""

import json
from dataclasses import asdict
from importlib.metadata import version
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Response

from cadogan.i18n.text import LANGUAGES, told, told_of
from cadogan.table import statistics as counted
from cadogan.table.tables import NoTableError
from cadogan.table.winnable import Search
from cadogan.web import models, present
from cadogan.web.house import InHouse, Language
from cadogan.web.problems import Refused, message

router = APIRouter(prefix="/api", tags=["player"])
MOST_PAGE = 8192
Key = Annotated[str, Path(pattern=r"^[a-z0-9]{16}$")]
SCHEMES = ["cadogan", "ms", "pysol", "kpat", "solvitaire", "exact"]


@router.get("/about")
def about(house: InHouse) -> models.About:
    """What the server is."""
    return models.About(
        version=version("cadogan"),
        languages=list(LANGUAGES),
        games=len(house.library.names()),
        workers=house.workers,
        schemes=SCHEMES,
    )


@router.get("/statistics")
def statistics(house: InHouse, language: Language) -> models.Statistics:
    """How the player did, game by game and table by table."""
    found = counted.results(house.store)
    games = []
    for each in counted.statistics(found):
        values = asdict(each)
        by_verdict = values.pop("by_verdict")
        splits: dict[str, Any] = {
            known: models.ByVerdict(played=played, won=won)
            for known, (played, won) in by_verdict.items()
        }
        try:
            title = present.title(house.library.load(each.game).rulebook, language)
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
def statistics_file(file: Literal["cadogan.csv", "cadogan.json"], house: InHouse) -> Response:
    """The statistics as a file: one line a table for spreadsheets, or all of it as JSON."""
    found = counted.results(house.store)
    csv = file.endswith(".csv")
    return Response(
        counted.to_csv(found) if csv else counted.to_json(found),
        media_type="text/csv; charset=utf-8" if csv else "application/json",
        headers={"Content-Disposition": f'attachment; filename="{file}"'},
    )


@router.post("/searches", status_code=201)
def search(wish: models.SearchWish, house: InHouse, language: Language) -> models.Search:
    """Looks for a deal that can be won; ask for it again to see how far it has come."""
    return _search(house.searches.begin(house.library.load(wish.game)), language)


@router.get("/searches/{key}")
def searched(key: Key, house: InHouse, language: Language) -> models.Search:
    """How far a search has come; when it has ``found`` one, deal it."""
    return _search(_known(house.searches.get(key)), language)


@router.delete("/searches/{key}")
def cancel(key: Key, house: InHouse, language: Language) -> models.Search:
    """Ends a search."""
    return _search(_known(house.searches.cancel(key)), language)


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
        message=present.say(f"search.{search.state}", texts[search.state], language),
    )


@router.get("/settings")
def settings(house: InHouse) -> models.Settings:
    """What the player has set."""
    return house.settings()


@router.put("/settings")
def set_settings(wish: models.Settings, house: InHouse) -> models.Settings:
    """Sets everything anew."""
    try:
        size = len(json.dumps(wish.page, allow_nan=False))
    except ValueError:
        why = message("settings", told("the page's own settings cannot be kept"))
        raise Refused(422, models.Problem(code="invalid", message=why)) from None
    if size > MOST_PAGE:
        why = message(
            "settings", told("the page's own settings may take {number} bytes", number=MOST_PAGE)
        )
        raise Refused(413, models.Problem(code="too-large", message=why))
    house.store.set_setting("settings", wish.model_dump(mode="json"))
    return wish
