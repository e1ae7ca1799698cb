"""Who may use which route: every route as everybody, by the table of routes and roles."""

import importlib
import json
import pkgutil
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from argon2 import PasswordHasher
from fastapi.testclient import TestClient
from sqlalchemy import insert, select
from starlette.websockets import WebSocketDisconnect

import cadogan.web
from cadogan.table import account_data, schema, shown
from cadogan.table.accounts import Accounts, Player
from cadogan.table.intent import Intent
from cadogan.table.record import Options
from cadogan.table.store import now
from cadogan.web.app import create_app
from cadogan.web.door import SESSION
from cadogan.web.state import AppState
from tests.documents import ROOT
from tests.games import TINY
from tests.table.test_players import all_queries_scoped

ROLES: Final[dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("roles.toml").read_text(encoding="utf-8")
)
AS: Final = ("nobody", "other", "owner", "watcher", "host")
HOST: Final = {"Host": "127.0.0.1:7617"}
LOGGED_IN: Final = ("other", "owner", "host")
PASSWORD: Final = "a long sentence"
WINNABLE: Final = "cadogan:1"
"""A deal of golf."""
FINISHED: Final = "2H 3S 3H AS AH 2S"
"""A deck of the tiny game that can be finished at once."""
MARK: Final = "a note of mine"


class World:
    """A server with accounts, and a player with something of every kind."""

    def __init__(self, folder: Path) -> None:
        self.state = AppState(folder=folder, workers=0, games_of_the_day=["golf"], accounts=True)
        # Real hashes are slow on purpose.
        self.accounts = self.state.accounts = Accounts(self.state.store, PasswordHasher(1, 8, 1))
        self.client = TestClient(
            create_app(self.state), base_url="http://127.0.0.1:7617", client=("127.0.0.1", 50000)
        )
        self.rules, _ = self.state.library.add(TINY)
        self.golf = cadogan.load("golf")
        self.number = 0
        self.accounts.add("First", PASSWORD, "host")
        values = {"day": self.today, "digest": self.golf.digest, "deal": WINNABLE}
        with self.state.store.engine.execution_options(writes=True).begin() as connection:
            connection.execute(insert(schema.daily_deals).values(values))
        self.line = [move.text for move in cadogan.solve(self.golf.deal(WINNABLE)).line]

    @property
    def today(self) -> str:
        return now().date().isoformat()

    def begin(self) -> None:
        """New players, and something of every kind for the owner."""
        self.number += 1
        self.players = {each: self.player(each) for each in LOGGED_IN}
        self.secrets = {each: self.log_in(self.players[each]) for each in LOGGED_IN}
        self.owners = self.state.of(self.players["owner"].id)
        self.owners.store.save_rules(self.rules, TINY)
        self.table = self.owners.tables.deal(
            "klondike", "cadogan:1", options=Options("thoughtful"), line=["deal", "deal"]
        )
        self.table = self.owners.tables.bookmark(self.table.key, self.table.version, 1, MARK)
        self.table = self.owners.tables.undo(self.table.key, self.table.version)
        self.link = shown.show(self.owners.store, self.table.key)
        self.owners.store.set_setting("settings", {"deck": "large", "page": {"note": MARK}})

    def player(self, name: str) -> Player:
        role: Any = "host" if name == "host" else "player"
        return self.accounts.add(f"{name} {self.number}", PASSWORD, role)

    def log_in(self, player: Player) -> str:
        given = {"address": f"10.0.0.{self.number % 250}", "agent": "a browser"}
        return self.accounts.log_in(player.name, PASSWORD, **given)[1]

    def headers(self, who: str) -> dict[str, str]:
        return {"Cookie": f"{SESSION}={self.secrets[who]}"} if who in self.secrets else {}

    def victim(self) -> Player:
        """A player whom a host may remove."""
        self.number += 1
        return self.player("victim")

    def search(self) -> str:
        """A search of the owner that has ended."""
        searches = self.owners.searches
        found = searches.begin(self.golf, names=iter(()))
        searches.cancel(found.id)
        return found.id

    def rate(self) -> str:
        """A search for a rules file that the owner is writing."""
        key: str = self.state.rates.begin(self.players["owner"].id, TINY, self.rules).id
        return key

    def challenge(self) -> str:
        """A challenge of a host."""
        hosts = self.state.of(self.players["host"].id)
        table = hosts.tables.deal("golf", WINNABLE)
        hosts.tables.put_away(table.key, None)
        return hosts.challenges.make(table.key, "host").key

    def everything_of(self, player: Player) -> list[Any]:
        """All rows of a player."""
        found: list[Any] = []
        with self.state.store.engine.connect() as connection:
            mine = select(schema.tables.c.id).where(schema.tables.c.player_id == player.id)
            for table in account_data.OWN:
                where = table.c.player_id == player.id
                found += [table.name, *connection.execute(select(table).where(where)).all()]
            for table in account_data.OF_TABLES:
                where = table.c.table_id.in_(mine)
                found += [table.name, *connection.execute(select(table).where(where)).all()]
            where = schema.players.c.id == player.id
            found += connection.execute(select(schema.players).where(where)).all()
        return found


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    made = World(tmp_path_factory.mktemp("club"))
    with made.client:
        yield made
    made.state.close()


def routes() -> set[str]:
    """Every route of the server."""
    found = set()
    for info in pkgutil.iter_modules(cadogan.web.__path__):
        module = importlib.import_module(f"cadogan.web.{info.name}")
        for route in getattr(getattr(module, "router", None), "routes", ()):
            for method in getattr(route, "methods", None) or {"WebSocket"}:
                found.add(f"{method} {route.path.replace(':path}', '}')}")
    return found


def documented() -> set[str]:
    """Every route of the OpenAPI document."""
    paths = json.loads((ROOT / "web/openapi.json").read_text(encoding="utf-8"))["paths"]
    return {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}


def test_every_route_has_a_row_and_every_row_a_route() -> None:
    rows = {row.partition(" / ")[0] for row in ROLES}
    assert documented() <= rows, "say in roles.toml who may use them"
    assert routes() == rows
    assert set(ROLES.values()) <= {"everybody", "players", "owner", "hosts", "link"}


def body_of(world: World, row: str, who: str) -> Any:
    """What is sent: a request that is done if it is allowed."""
    version = {"version": world.table.version}
    player = world.players.get(who, world.players["other"])
    if row.endswith("/finish"):
        world.table = world.owners.tables.deal(world.rules, deck=FINISHED.split())
    if row == "POST /api/tables/{key}/open":
        world.table = world.owners.tables.put_away(world.table.key, None)
        version = {"version": world.table.version}
    if row == "POST /api/challenges":
        world.table = world.owners.tables.deal("golf", WINNABLE)
        world.table = world.owners.tables.put_away(world.table.key, None)
    if row in ("POST /api/daily/results", "POST /api/challenges/{key}/results"):
        tables = world.owners.tables
        world.table = tables.deal("golf", WINNABLE)
        for text in world.line if who == "owner" else ():
            world.table, _ = tables.move(world.table.key, world.table.version, Intent(text))
    bodies: dict[str, Any] = {
        "POST /api/account/sessions": {"name": player.name, "password": PASSWORD},
        "PUT /api/account/password": {"old": PASSWORD, "new": "another long sentence"},
        "POST /api/account/removal": {"password": PASSWORD},
        "POST /api/invitations": {"note": "Bea"},
        "PUT /api/players/{number}/role": {"role": "host"},
        "POST /api/rules/check": {"text": TINY},
        "POST /api/rules/form": {"answers": {}},
        "POST /api/rules": {"text": TINY},
        "POST /api/tables / catalogue": {"game": "golf"},
        "POST /api/tables / rules file": {"game": world.rules},
        "POST /api/tables / table closed for it": {"game": "golf", "closes": world.table.key},
        "POST /api/tables / table like it": {"game": "klondike", "like": world.table.key},
        "POST /api/tables/import": {"text": "# game: golf\n# deal: cadogan:1\n"},
        "POST /api/tables/{key}/moves": {**version, "text": "deal"},
        "POST /api/tables/{key}/goto": {**version, "node": 0},
        "POST /api/tables/{key}/bookmark": {**version, "node": 0, "name": "here"},
        "POST /api/tables/{key}/options": {**version, "autoplay": True},
        "POST /api/tables/{key}/finish": {"version": 0},
        "POST /api/tables/{key}/review": {},
        "POST /api/replays": {"game": "golf", "deal": "cadogan:1", "line": []},
        "POST /api/puzzles/{key}/tries": {"gives_up": True},
        "POST /api/daily/results": {
            "day": world.today, "game": "golf", "player": "x", "table": world.table.key,
        },
        "POST /api/challenges": {"table": world.table.key, "player": "x"},
        "POST /api/challenges/{key}/results": {"table": world.table.key, "player": "x"},
        "POST /api/searches": {"game": world.rules if who == "owner" else "golf"},
        "PUT /api/settings": {},
    }  # fmt: skip
    if row.startswith("POST /api/invitations/"):
        secret = world.accounts.invite()[1]
        made = {"name": f"{who} new {world.number}", "password": PASSWORD}
        return {"secret": secret, **({} if row.endswith("look") else made)}
    return bodies.get(row, version if row.startswith("POST /api/tables/{key}") else None)


def path_of(world: World, row: str, who: str) -> str:
    """The address, with the keys of the owner's things."""
    path, _, thing = row.partition(" ")[2].partition(" / ")
    keys: dict[str, Callable[[], str]] = {
        "/tables/": lambda: world.table.key,
        "/puzzles/": lambda: world.state.puzzles.next().key,
        "/searches/": world.search,
        "/rates/": world.rate,
        "/challenges/": world.challenge,
        "/c/": world.challenge,
        "/account/": lambda: world.accounts.sessions(world.players["owner"])[0].id,
        "/invitations/": lambda: world.accounts.invite()[0].id,
    }
    if "{key}" in path:
        key = next(make() for part, make in keys.items() if part in path)
        path = path.replace("{key}", key)
    if "{number}" in path:
        path = path.replace("{number}", str(world.victim().id))
    own = thing == "rules file" or row == "DELETE /api/rules/{name}"
    path = path.replace("{name}", world.rules if own else "golf").replace("{node}", "1")
    path = path.replace("{file}", "cadogan.csv").replace("{path}", "")
    path = path.replace("{secret}", world.link if who == "watcher" else "x" * len(world.link))
    queries = {
        "GET /api/daily/results": "?game=golf",
        "GET /api/daily/calendar": "?player=x",
        "GET /api/puzzles/next": "?game=golf",
        "GET /api/pictures": "?game=golf&deal=cadogan:1",
    }
    return path + queries.get(row, "")


def expected(way: str, who: str) -> range | int:
    """The status, or those of success."""
    done = range(200, 300)
    if way == "everybody":
        return done
    if way == "link":
        return done if who == "watcher" else 404
    if who not in LOGGED_IN:
        return 401
    if way == "owner":
        return done if who == "owner" else 404
    if way == "hosts":
        return done if who == "host" else 403
    return done


def allows(status: range | int) -> bool:
    return isinstance(status, range)


@pytest.mark.sample(20)
@pytest.mark.parametrize("row", [row for row in ROLES if not row.startswith("WebSocket")])
def test_only_those_in_the_table_may_use_a_route(world: World, row: str) -> None:
    world.begin()
    method, way = row.partition(" ")[0], ROLES[row]
    # First those who may not: what they do must change nothing.
    for who in sorted(AS, key=lambda each: allows(expected(way, each))):
        status = expected(way, who)
        if row == "GET /api/tables/import" and allows(status):
            status = 405  # Nobody can read this address.
        body, path = body_of(world, row, who), path_of(world, row, who)
        owner = world.players["owner"]
        before = world.everything_of(owner)
        with all_queries_scoped(world.state.store):
            answer = world.client.request(
                method, path, json=body, headers=world.headers(who), follow_redirects=False
            )
        world.client.cookies.clear()
        got = answer.status_code
        given = f"{row} as {who}: {got} {answer.text[:200]}"
        assert got == status if isinstance(status, int) else got in status, given
        if not allows(expected(way, who)) or who not in ("owner", "watcher", "nobody"):
            assert world.table.key not in answer.text or way != "owner", given
            assert MARK not in answer.text, given
            is_named = row.startswith(("PUT /api/players", "DELETE /api/players"))
            assert is_named or world.everything_of(owner) == before, given
        if who == "watcher":
            assert MARK not in answer.text


@pytest.mark.parametrize("row", [row for row in ROLES if row.startswith("WebSocket")])
def test_so_for_sockets(world: World, row: str) -> None:
    world.begin()
    for who in AS:
        path, status = path_of(world, row, who), expected(ROLES[row], who)
        code = {401: 4401, 404: 4404}.get(status) if isinstance(status, int) else None
        with world.client.websocket_connect(path, headers=world.headers(who) | HOST) as socket:
            if code is None:
                event = socket.receive_json()
                assert event["table"]["id"] == world.table.key
                assert (event["table"]["bookmarks"] == []) == (who == "watcher")
            else:
                with pytest.raises(WebSocketDisconnect) as closed:
                    socket.receive_json()
                assert closed.value.code == code, f"{row} as {who}"


def test_a_route_without_a_row_is_noticed() -> None:
    rows = {row.partition(" / ")[0] for row in ROLES} - {"GET /api/settings"}
    assert documented() - rows == {"GET /api/settings"}


def test_without_accounts_there_is_nothing_to_log_in_to(client: TestClient) -> None:
    assert client.get("/api/account").json() == {"accounts": False, "player": None}
    body = {"name": "Ada", "password": PASSWORD}
    for answer in (
        client.post("/api/account/sessions", json=body),
        client.get("/api/account/sessions"),
        client.get("/api/players"),
        client.post("/api/invitations", json={}),
        client.post("/api/invitations/look", json={"secret": "x"}),
        client.get("/api/watch/xyz"),
    ):
        assert answer.status_code == 404
        assert answer.json()["message"]["text"] == "this server has no accounts"
