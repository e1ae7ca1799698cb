"""The OpenAPI document in the repository is the one that the server has."""

from cadogan.web.openapi import document
from tests.documents import ROOT


def test_the_contract_is_up_to_date() -> None:
    kept = (ROOT / "web/openapi.json").read_text(encoding="utf-8")
    assert kept == document(), "make web-contract writes it anew"
