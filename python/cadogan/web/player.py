"""Routes of the player: settings, statistics, information about the server."""

import json
from dataclasses import asdict
from importlib.metadata import version
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Response

from cadogan.i18n.text import LANGUAGES, gettext, ngettext
from cadogan.table import statistics as counted
from cadogan.table.deal_search import SAMPLE, Search
from cadogan.table.service import NoTableError
from cadogan.web import models, serialize
from cadogan.web.admission import AdmittedRoute
from cadogan.web.problems import Refused, message
from cadogan.web.state import Language, StateDep

router = APIRouter(prefix="/api", tags=["player"], route_class=AdmittedRoute)
MOST_PAGE = 8192
DEEPEST_PAGE = 20
Key = Annotated[str, Path(pattern=r"^[a-z0-9]{16}$")]
SCHEMES = ["cadogan", "ms", "pysol", "kpat", "solvitaire", "exact"]


@router.get("/about")
def about(state: StateDep) -> models.About:
    """Information about the server."""
    return models.About(
        version=version("cadogan"),
        languages=list(LANGUAGES),
        games=len(state.library.names()),
        workers=state.workers,
        schemes=SCHEMES,
    )


@router.get("/statistics")
def statistics(state: StateDep, language: Language) -> models.Statistics:
    """The player's results by game and by table."""
    counted.add_points(state.tables)
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
    """The statistics as a file: CSV with one line per table, or everything as JSON."""
    counted.add_points(state.tables)
    found = counted.results(state.store)
    csv = file.endswith(".csv")
    return Response(
        counted.to_csv(found) if csv else counted.to_json(found),
        media_type="text/csv; charset=utf-8" if csv else "application/json",
        headers={"Content-Disposition": f'attachment; filename="{file}"'},
    )


@router.post("/searches", status_code=201)
def search(body: models.SearchRequest, state: StateDep, language: Language) -> models.Search:
    """Starts to search for a winnable deal; GET the search for its progress."""
    game = state.library.choose(body.game)
    return _search(state.searches.begin(game, level=body.difficulty), language)


@router.get("/searches/{key}")
def searched(key: Key, state: StateDep, language: Language) -> models.Search:
    """The progress of a search; ``found`` means that its deal can be dealt."""
    return _search(_known(state.searches.get(key)), language)


@router.delete("/searches/{key}")
def cancel(key: Key, state: StateDep, language: Language) -> models.Search:
    """Ends a search."""
    return _search(_known(state.searches.cancel(key)), language)


def _known(search: Search | None) -> Search:
    if search is None:
        raise NoTableError(gettext("there is no such search"))
    return search


def _search(search: Search, language: str) -> models.Search:
    figure = None if search.deal is None else search.rated.get(search.deal)
    texts = {
        "searching": ngettext(
            "{number} deal looked at", "{number} deals looked at", number=search.tried
        ),
        "found": gettext("{deal} can be won", deal=search.deal)
        if figure is None
        else gettext("{deal}: difficulty {figure} of 100", deal=search.deal, figure=figure),
        "not-found": ngettext(
            "no win was found in {number} deal",
            "no win was found in {number} deals",
            number=search.tried,
        ),
        "cancelled": gettext("given up"),
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
        difficulty=search.level,
        rated=len(search.rated),
        most_rated=SAMPLE,
        figure=figure,
        message=serialize.say(f"search.{search.state}", texts[search.state], language),
    )


@router.get("/settings")
def settings(state: StateDep) -> models.Settings:
    """The player's settings."""
    return state.settings()


def _depth(value: object) -> int:
    """The depth to which lists and objects are nested."""
    depth, level = 0, [value]
    while level:
        depth += 1
        inner = [each for each in level if isinstance(each, dict | list)]
        level = [
            part for each in inner for part in (each.values() if isinstance(each, dict) else each)
        ]
    return depth


@router.put("/settings")
def set_settings(body: models.Settings, state: StateDep) -> models.Settings:
    """Replaces all settings."""
    try:
        # JSON may contain lone surrogates, which cannot be encoded in an answer.
        json.dumps(body.page, allow_nan=False, ensure_ascii=False).encode()
        text = body.model_dump_json()
        if models.Settings.model_validate_json(text) != body:
            raise ValueError("the settings cannot be stored and read back")
        size = len(json.dumps(body.page))
    except (ValueError, RecursionError):
        why = message("settings", gettext("the page's own settings cannot be stored"))
        raise Refused(422, models.Problem(code="invalid", message=why)) from None
    if size > MOST_PAGE or _depth(body.page) > DEEPEST_PAGE:
        why = message(
            "settings", gettext("the page's own settings may take {number} bytes", number=MOST_PAGE)
        )
        raise Refused(413, models.Problem(code="too-large", message=why))
    state.store.set_setting("settings", body.model_dump(mode="json"))
    return body
