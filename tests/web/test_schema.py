"""The server does what its OpenAPI document says, for every request."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx2 as httpx
import pytest
import schemathesis
from argon2 import PasswordHasher
from hypothesis import HealthCheck, settings
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance, unsupported_method

from cadogan.table.accounts import ROLES, Accounts, Role
from cadogan.web.door import SESSION
from cadogan.web.state import AppState
from tests.documents import ROOT
from tests.web.server import running

pytestmark = [pytest.mark.takes_turns(72), pytest.mark.timeout(600)]

TIMEOUT = 120
"""Seconds for an answer: it may be the first one of a busy machine, which reads all games."""

contract = schemathesis.openapi.from_path(ROOT / "web/openapi.json")
# Wrong data that are also too large are refused by their size.
contract.config.checks.negative_data_rejection.expected_statuses.append("413")
usual = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))


READ_AS_NAMES = ("/api/tables/import", "/api/invitations/look", "/api/invitations/accept")
"""Addresses whose last word is read as a name if the method is one that only names have."""


@dataclass(frozen=True)
class There:
    """A server at which there is something.

    Attributes:
        address: Where it is.
        client: A client of it.
        table: A table of it; only its own moves change it.
        search: A search that has ended.
        puzzle: A puzzle.
    """

    address: str
    client: httpx.Client
    table: str
    search: str
    puzzle: str

    def key(self, path: str) -> str:
        """The key of what a route is about."""
        keys = {"searches": self.search, "puzzles": self.puzzle}
        return next((key for word, key in keys.items() if word in path), self.table)


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[There]:
    state = AppState(folder=tmp_path_factory.mktemp("state"), workers=0)
    with running(state) as address, httpx.Client(base_url=address, timeout=TIMEOUT) as client:
        body = {"game": "klondike", "deal": "cadogan:1", "line": ["deal", "deal"]}
        table = client.post("/api/tables", json=body).json()["id"]
        search = client.post("/api/searches", json={"game": "flower-garden"}).json()["id"]
        client.delete(f"/api/searches/{search}")
        puzzle = client.get("/api/puzzles/next?game=golf").json()["key"]
        yield There(address, client, table, search, puzzle)
    state.close()


@contract.parametrize()
@usual
def test_every_answer_is_as_the_document_says(case: schemathesis.Case[Any], there: There) -> None:
    # A move that is well written may still be against the rules of the game.
    excluded: list[Any] = [positive_data_acceptance]
    if case.operation.path in READ_AS_NAMES:
        # Read as a name, the last word is a wrong one: 422 or 404, and not 405.
        excluded.append(unsupported_method)
    case.call_and_validate(base_url=there.address, excluded_checks=excluded, timeout=TIMEOUT)


PASSWORD = "a long sentence"
NOT_SENT = (
    # These log the player out, or check a password, and no more follows.
    "/api/account/session", "/api/account/sessions", "/api/account/sessions/{key}",
    "/api/account/password", "/api/account/removal",
)  # fmt: skip
"""Routes that are not sent by players who are logged in: the next request would be nobody's."""


@dataclass(frozen=True)
class Club:
    """A server with accounts.

    Attributes:
        address: Where it is.
        cookies: The cookie of a player, and of a host.
        tables: A table of each.
    """

    address: str
    cookies: dict[Role, dict[str, str]]
    tables: dict[Role, str]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    state = AppState(folder=tmp_path_factory.mktemp("club"), workers=0, accounts=True)
    # Real hashes are slow on purpose.
    state.accounts = accounts = Accounts(state.store, PasswordHasher(1, 8, 1))
    cookies, tables = {}, {}
    for role in ROLES:
        player = accounts.add(role, PASSWORD, role)
        _, secret = accounts.log_in(role, PASSWORD, address="10.0.0.1", agent="a browser")
        cookies[role] = {"Cookie": f"{SESSION}={secret}"}
        tables[role] = state.of(player.id).tables.deal("klondike", "cadogan:1").key
    with running(state) as address:
        yield Club(address, cookies, tables)
    state.close()


@pytest.mark.parametrize("role", ROLES)
@contract.exclude(path=list(NOT_SENT)).parametrize()
@usual
def test_so_is_every_answer_to_those_who_are_logged_in(
    case: schemathesis.Case[Any], club: Club, role: Role
) -> None:
    """Requests without a fault are about a table of the player, where they are about one."""
    excluded: list[Any] = [positive_data_acceptance]
    if case.operation.path in READ_AS_NAMES:
        excluded.append(unsupported_method)
    if case.path_parameters.get("number") in (1, 2):
        case.path_parameters["number"] = 99  # A host must not remove those who are there.
    is_right = case.meta is not None and case.meta.generation.mode.is_positive
    if is_right and case.operation.path.startswith("/api/tables/{key}"):
        case.path_parameters["key"] = club.tables[role]
    answer = case.call(base_url=club.address, headers=club.cookies[role], timeout=TIMEOUT)
    case.validate_response(answer, excluded_checks=excluded)
    assert answer.status_code != 401


known = schemathesis.openapi.from_path(ROOT / "web/openapi.json").include(
    path_regex=r"\{(key|name)\}"
)
known.config.generation.update(modes=[GenerationMode.POSITIVE])


@known.parametrize()
@usual
def test_so_is_every_answer_about_what_is_there(case: schemathesis.Case[Any], there: There) -> None:
    """Names that are made up are hardly ever those of a game, a table or a search."""
    path = case.operation.path
    if "{name}" in path:
        case.path_parameters["name"] = "klondike:draw-three"
    else:
        case.path_parameters["key"] = there.key(path)
    if isinstance(case.body, dict) and "version" in case.body:
        case.body["version"] = there.client.get(f"/api/tables/{there.table}").json()["version"]
    answer = case.call(base_url=there.address, timeout=TIMEOUT)
    case.validate_response(answer, excluded_checks=[positive_data_acceptance])
    assert answer.status_code != 409  # the table is where it was said to be
