"""The server does what its OpenAPI document says, whatever it is sent."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance, unsupported_method

from cadogan.web.house import House
from tests.documents import ROOT
from tests.web.server import running

pytestmark = pytest.mark.timeout(600)

contract = schemathesis.openapi.from_path(ROOT / "web/openapi.json")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    house = House(folder=tmp_path_factory.mktemp("house"), workers=0)
    with running(house) as address:
        yield address
    house.close()


@contract.parametrize()
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_the_document_says(case: schemathesis.Case[Any], address: str) -> None:
    # A move that is well written may still be against the rules of the game.
    excluded: list[Any] = [positive_data_acceptance]
    if case.operation.path == "/api/tables/import":
        # Read as the name of a table, the last word is a wrong one: 422 and not 405.
        excluded.append(unsupported_method)
    case.call_and_validate(base_url=address, excluded_checks=excluded)
