"""The built page is served, and no other file."""

import gzip
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from cadogan.web import page


@pytest.fixture
def dist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Cadogan</title>")
    (folder / "assets/index-1a2b.js").write_text("export {}")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "assets/link.txt").symlink_to(tmp_path / "secret.txt")
    monkeypatch.setattr(page, "DIST", folder)
    return folder


def test_the_page_is_light() -> None:
    if not page.is_built():
        pytest.skip("the page is not built (make web)")
    index = page.DIST / "index.html"
    named = index.read_text(encoding="utf-8")
    code = [*page.DIST.glob("assets/*.js"), *page.DIST.glob("assets/*.css")]
    # The faces of the cards, and the editor of rules, are loaded when they are needed.
    first = [file for file in code if file.name in named]
    later = [file for file in code if file.name not in named]
    assert len(first) >= 2
    assert later
    assert sum(map(packed, [index, *first])) < 110_000
    assert sum(map(packed, later)) < 150_000


def packed(file: Path) -> int:
    return len(gzip.compress(file.read_bytes()))


@pytest.mark.usefixtures("dist")
def test_the_page_and_its_own_addresses(client: TestClient) -> None:
    for path in ("/", "/index.html", "/table/abc", "/games/klondike:draw-three"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/html")
        assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.usefixtures("dist")
def test_files_named_by_their_contents_are_stored_by_the_browser(client: TestClient) -> None:
    answer = client.get("/assets/index-1a2b.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.usefixtures("dist")
@pytest.mark.parametrize(
    "path", ["/assets/link.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/assets/none.js"]
)
def test_what_is_not_of_the_page_is_not_there(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "secret" not in answer.text


def test_a_page_that_was_not_built_says_so(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "DIST", tmp_path / "none")
    answer = client.get("/")
    assert answer.status_code == 503
    assert answer.text == "the web table is not built\nhint: make web\n"
