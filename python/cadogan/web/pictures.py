"""Pictures to share, and what previews of links show.

Robots that fetch a preview do not log in. So a client that has a link to a deal, to a challenge or
to a table that is shown may see its picture: of a challenge only the deal, and of games only those
of the catalogue. A server with a token shows nothing to those who do not know it.
"""

from html import escape
from typing import Annotated, Final, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from cadogan.game import Position
from cadogan.i18n.text import Translatable, gettext, ngettext, translate
from cadogan.pictures.card import HEIGHT, WIDTH, share_picture, title_in
from cadogan.table.library import OWN
from cadogan.table.service import NoTableError
from cadogan.web import models, page
from cadogan.web.admission import AdmittedRoute
from cadogan.web.challenges import Key as ChallengeKey
from cadogan.web.replays import line_of
from cadogan.web.state import AppState, EverybodysState, Language, StateDep
from cadogan.web.tables import Key, known
from cadogan.web.watching import Secret, watched

MOST_MOVES: Final = 2_000
MOST_DECK: Final = 4_000
KINDS: Final = {"svg": "image/svg+xml", "png": "image/png"}

router = APIRouter(tags=["pictures"], route_class=AdmittedRoute)
Kind = Annotated[Literal["svg", "png"], Query(alias="format", description="Of the picture.")]
_ANSWER: Final = {
    "response_class": Response,
    "responses": {
        200: {"description": "The picture.", "content": {kind: {} for kind in KINDS.values()}}
    },
}


@router.get("/api/tables/{key}/picture", **_ANSWER)  # type: ignore[arg-type]
def of_table(
    key: Key,
    request: Request,
    state: StateDep,
    language: Language,
    kind: Kind = "png",
    node: Annotated[
        int | None, Query(ge=0, le=2**31 - 1, description="The position; by default the present.")
    ] = None,
) -> Response:
    """A position of a table, with what came of the game."""
    record = known(state, key, node or 0)
    number = record.node if node is None else node
    given_up = record.closed and not record.won and number == record.node
    drawn = share_picture(record.nodes[number].position, language, given_up=given_up)
    return _answer(request, state, drawn, kind, "private, max-age=10")


@router.get("/api/challenges/{key}/picture", **_ANSWER)  # type: ignore[arg-type]
def of_challenge(
    key: ChallengeKey,
    request: Request,
    state: EverybodysState,
    language: Language,
    kind: Kind = "png",
) -> Response:
    """The deal of a challenge. The results are not in it."""
    dealt = state.challenges.get(key).dealt
    return _answer(request, state, share_picture(dealt, language, result=False), kind)


@router.get("/api/watch/{secret}/picture", **_ANSWER)  # type: ignore[arg-type]
def of_shown_table(
    secret: Secret,
    request: Request,
    state: EverybodysState,
    language: Language,
    kind: Kind = "png",
) -> Response:
    """The present position of a table that somebody shows."""
    at = _shown(state, secret)
    return _answer(request, state, share_picture(at, language), kind, "public, max-age=10")


@router.get("/api/pictures", **_ANSWER)  # type: ignore[arg-type]
def of_link(
    request: Request,
    state: EverybodysState,
    language: Language,
    game: Annotated[str, Query(min_length=1, max_length=models.MOST_NAME)],
    deal: Annotated[str | None, Query(max_length=100)] = None,
    deck: Annotated[str | None, Query(max_length=MOST_DECK)] = None,
    line: Annotated[str, Query(description="Moves, with semicolons.")] = "",
    kind: Kind = "png",
) -> Response:
    """The deal of a link to a game of the catalogue, or the position after its moves."""
    state.drawings.count(_address(request))
    _require_catalogue(game)
    at = line_of(state, game, deal, deck, _moves(line)[:MOST_MOVES])
    return _answer(request, state, share_picture(at, language), kind, counted=True)


@router.get("/c/{key}", include_in_schema=False)
def challenge_page(
    key: str, request: Request, state: EverybodysState, language: Language
) -> Response:
    """The page of a challenge."""
    try:
        title = title_in(state.challenges.get(key).game, language)
    except (LookupError, ValueError):
        return page.index()
    head = translate(gettext("{game}: a challenge", game=title), language)
    why = gettext("Play the same deal. The result to beat is hidden until yours is in.")
    return _page(request, language, head, why, f"/api/challenges/{key}/picture")


@router.get("/w/{secret}", include_in_schema=False)
def watch_page(
    secret: str, request: Request, state: EverybodysState, language: Language
) -> Response:
    """The page of a table that somebody shows."""
    try:
        at = _shown(state, secret)
    except (LookupError, ValueError):
        return page.index()
    title = title_in(at.game, language)
    head = translate(gettext("{game}: watch a game", game=title), language)
    why = gettext("See the table while somebody plays.")
    return _page(request, language, head, why, f"/api/watch/{secret}/picture")


@router.get("/s", include_in_schema=False)
def link_page(request: Request, state: EverybodysState, language: Language) -> Response:
    """The page of a link to a deal, or to a line of moves."""
    wanted = ("game", "deal", "deck", "line")
    parts = {name: request.query_params.get(name, "") for name in wanted}
    try:
        _require_catalogue(parts["game"])
        title = title_in(state.library.choose(parts["game"]), language)
    except (LookupError, ValueError):
        return page.index()
    moves = len(_moves(parts["line"]))
    why: Translatable = gettext("Play this deal.")
    if moves:
        why = ngettext(
            "See {number} move of a game, and play on from anywhere.",
            "See {number} moves of a game, and play on from anywhere.",
            number=moves,
        )
    query = {name: part for name, part in parts.items() if part}
    return _page(request, language, title, why, "/api/pictures", query)


def _shown(state: AppState, secret: str) -> Position:
    found = watched(state, secret)
    record = state.of(found.player).tables.get(found.key)
    return record.position


def _require_catalogue(game: str) -> None:
    if game.startswith(OWN):
        raise NoTableError(gettext("a picture for everybody needs a game of the catalogue"))


def _moves(line: str) -> list[str]:
    return [move for each in line.split(";") if (move := each.strip())]


def _answer(
    request: Request,
    state: AppState,
    drawn: str,
    kind: str,
    caching: str = "public, max-age=3600",
    *,
    counted: bool = False,
) -> Response:
    if not counted:
        state.drawings.count(_address(request))
    content = drawn if kind == "svg" else state.drawings.png(drawn)
    return Response(content, media_type=KINDS[kind], headers={"Cache-Control": caching})


def _address(request: Request) -> str:
    return "" if request.client is None else request.client.host


def _page(
    request: Request,
    language: str,
    title: str,
    text: Translatable,
    picture: str,
    query: dict[str, str] | None = None,
) -> Response:
    """The page, with the tags of Open Graph for previews."""
    here = f"{request.url.scheme}://{request.headers.get('host', '')}"
    own = f"?{request.url.query}" if request.url.query else ""
    image = f"{here}{picture}?{urlencode({**(query or {}), 'lang': language})}"
    said = translate(text, language)
    tags = {
        "og:type": "website",
        "og:site_name": "Cadogan",
        "og:title": title,
        "og:description": said,
        "og:url": f"{here}{request.url.path}{own}",
        "og:locale": {"de": "de_DE"}.get(language, "en_GB"),
        "og:image": image,
        "og:image:type": KINDS["png"],
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": title,
        "twitter:card": "summary_large_image",
    }
    lines = [
        f'<meta {"name" if name.startswith("twitter") else "property"}="{name}" '
        f'content="{escape(content, quote=True)}" />'
        for name, content in tags.items()
    ]
    lines.append(f'<meta name="description" content="{escape(said, quote=True)}" />')
    return page.index("\n    ".join(lines))
