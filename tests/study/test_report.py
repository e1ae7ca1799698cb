"""Reports of a store, and the check that its contents are true."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

from cadogan.study.plots import KINDS
from cadogan.study.report import markdown, page
from cadogan.study.store import Store
from cadogan.study.summary import summarize
from tests.study.conftest import PLAN


class Reader(HTMLParser):
    """Collects what a page would fetch, and which elements are open at its end."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br", "img", "link"):
            self.open.append(tag)
        self.fetched += [
            value
            for name, value in attrs
            if name in ("src", "href", "xlink:href") and value and not value.startswith("#")
        ]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in ("meta", "br", "img", "link"):
            self.open.pop()


def test_a_page_needs_nothing_else(store: Store) -> None:
    text = page(store, PLAN)
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    assert reader.fetched == []
    # No game of this study is scored.
    assert text.count("<svg") == len(KINDS) - 1
    assert "A &lt;small&gt; study" in text
    assert "Why &amp; how." in text
    assert "<h2>The end</h2>" in text


def test_the_figures_are_those_of_the_store(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cadogan.study.report.KINDS", {})
    text = markdown(store, PLAN)
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| amazons |")]
    for summary in summarize(store, PLAN):
        if summary.study.game == "amazons":
            won, deals = summary.tally.won, summary.tally.deals
            (row,) = (row for row in rows if row[1] == str(summary.study.player))
            assert row[2] == str(deals) == "30"
            assert row[3].split(" to ")[0] == f"{100 * won / deals:.1f}"
    assert "golf:queens-on-kings | 45.109 ± 0.032" in text
    assert "doi:10.1613/jair.1.17167" in text


def test_the_plots_of_markdown_lie_where_it_says(store: Store, tmp_path: Path) -> None:
    to = tmp_path / "docs" / "report.md"
    text = markdown(store, PLAN, plots=tmp_path / "docs" / "plots", at=to)
    assert "](plots/winnability.svg)" in text
    drawn = {path.stem for path in (to.parent / "plots").iterdir()}
    assert drawn == {*KINDS} - {"points"}
