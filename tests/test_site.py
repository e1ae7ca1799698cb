"""The site of documents as ``make docs`` builds it: complete, without broken links."""

import importlib.util
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from cadogan.rules.index import entries, kin_of
from cadogan.rules.validate.schema import schema_text
from tests.documents import ROOT
from tests.test_docs import DOCUMENTS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
BUILD = ROOT / "docs" / "site" / "build.py"


class Page(HTMLParser):
    """What a page links to, what it loads, and the places that can be linked to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.places: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.places.update(values[name] for name in ("id", "name") if name in values)
        if tag in ("a", "link") and "href" in values:
            self.links.add(values["href"])
        if tag == "link" and values.get("rel") not in ("next", "prev", "index", "search"):
            self.loaded.add(values.get("href", ""))
        if "src" in values:
            self.loaded.add(values["src"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("sphinx") is None:
        pytest.skip("what builds the site of documents is not installed (make docs)")
    place = tmp_path_factory.mktemp("docs") / "site"
    built = subprocess.run(
        [sys.executable, str(BUILD), str(place)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=800,
    )
    assert (built.returncode, built.stderr) == (0, "")
    return place


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in site.rglob("*.html")}


def test_every_document_has_a_page(pages: dict[Path, Page], site: Path) -> None:
    for document in DOCUMENTS:
        assert (site / document.relative_to(ROOT)).with_suffix(".html") in pages
    assert site / "index.html" in pages


def test_the_schema_of_rules_files_is_on_the_site(site: Path) -> None:
    assert (site / "cadogan.schema.json").read_text(encoding="utf-8") == schema_text()


def test_every_public_module_has_a_page_with_its_classes(site: Path) -> None:
    assert 'id="cadogan.Position.play"' in (site / "api/cadogan.html").read_text(encoding="utf-8")
    for name in ("cards", "deals", "rules", "study.plan", "table"):
        text = (site / "api" / f"cadogan.{name}.html").read_text(encoding="utf-8")
        assert re.search(rf'id="cadogan\.{name}\.[A-Za-z]', text), name


def test_every_game_has_a_page_a_picture_and_a_row(site: Path) -> None:
    table = (site / "docs/games.html").read_text(encoding="utf-8")
    for name, game in entries().items():
        text = (site / f"games/{name}.html").read_text(encoding="utf-8")
        assert f"{name}.svg" in text
        assert (site / f"_images/{name}.svg").exists()
        assert "The rules file" in text
        assert f'href="../games/{name}.html"' in table
        assert all(f'href="{other}.html"' in text for other in kin_of(name)), game.title


def test_every_link_of_the_site_leads_somewhere(pages: dict[Path, Page]) -> None:
    lost = set()
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https", "mailto"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists() or (
                target in pages
                and parts.fragment
                and unquote(parts.fragment) not in pages[target].places
            ):
                lost.add(f"{path.name}: {link}")
    assert lost == set()


def test_the_site_loads_nothing_from_elsewhere(pages: dict[Path, Page], site: Path) -> None:
    for path, page in pages.items():
        assert [url for url in page.loaded if urlsplit(url).netloc] == [], path.name
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert re.findall(r"(?:url\(|@import\s*)['\"]?(?:https?:)?//[^)'\"]*", text) == []


def test_the_site_can_be_searched(site: Path) -> None:
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    for word in ("foundat", "tableau", "winnabl"):
        assert f'"{word}"' in index
