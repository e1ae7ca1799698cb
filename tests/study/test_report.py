"""Reports of a store, and the check that its contents are true."""

import csv
import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy
import pytest

from cadogan import load, solver_version
from cadogan.study.compare import contradictions, paired, paired_players
from cadogan.study.costs import costs_of, merge_costs
from cadogan.study.errors import StudyError
from cadogan.study.export import export
from cadogan.study.plan import plan_of
from cadogan.study.plots import KINDS, draw, save
from cadogan.study.record import Record, pack_line
from cadogan.study.report import markdown, page, seconds_of
from cadogan.study.store import Store
from cadogan.study.summary import save_plan, summarize
from cadogan.study.verify import verify
from cadogan.study.win_rates import write
from cadogan.study.worker import version

from .support import record, run_here

PLAN = plan_of(
    {
        "title": "A <small> study",
        "defaults": {"deals": "cadogan:0..29", "budget": [40, 400]},
        "study": [
            {"games": ["amazons", "amazons:queens-free"], "players": ["thoughtful", "greedy"]},
            {"game": "golf:queens-on-kings"},
        ],
        "looser": [{"strict": "amazons", "loose": "amazons:queens-free"}],
        "report": {"introduction": "Why & how.", "closing": "## The end\n\nThat was it."},
    },
    "plan",
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    made = run_here(PLAN, tmp_path_factory.mktemp("report") / "s")
    save_plan(made, PLAN)
    return made


def forged(store: Store, folder: Path, change: dict[str, object], where: str) -> Store:
    """A store in which some records were changed."""
    other = Store(folder, create=True)
    matching = set(store.records(where))
    changed = [
        each._replace(**change) if each in matching else each  # type: ignore[arg-type]
        for each in store.records()
    ]
    assert matching
    other.write(changed)
    return other


def test_a_true_store_is_verified(store: Store) -> None:
    seen = verify(store, PLAN, sample=50)
    assert seen.faults == []
    assert seen.lines == len(list(store.records("length > 0"))) > 20
    assert seen.asked >= 40


def test_a_forged_line_is_found(store: Store, tmp_path: Path) -> None:
    line = pack_line([1, 2, 3])
    where = "verdict = 'winnable' and number < 9"
    other = forged(store, tmp_path / "s", {"line": line, "length": 3}, where)
    faults = verify(other, PLAN, sample=0).faults
    assert faults
    assert all("is not legal" in fault for fault in faults)
    cut = forged(store, tmp_path / "t", {"line": b"", "length": 0}, where)
    assert all("does not win" in fault for fault in verify(cut, PLAN, sample=0).faults)


def test_a_forged_verdict_is_found(store: Store, tmp_path: Path) -> None:
    change = {"verdict": "unwinnable", "line": b"", "length": 0}
    where = "verdict = 'winnable' and game = 'amazons:queens-free'"
    other = forged(store, tmp_path / "s", change, where)
    faults = verify(other, PLAN, sample=100).faults
    assert any("unwinnable in the store, winnable when tried again" in each for each in faults)
    # A deal that can be won by the stricter rules can be won by the looser ones.
    (bug,) = (each for each in contradictions(other, PLAN) if each.won == "amazons, thoughtful")
    assert bug.lost == "amazons:queens-free, thoughtful"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cadogan.study.report.KINDS", {})
        assert "A bug:" not in markdown(store, PLAN) + page(store, PLAN)
        assert "> **A bug:** cadogan:" in markdown(other, PLAN)
        assert '<p class="bug">A bug: cadogan:' in page(other, PLAN)


def test_what_a_player_won_cannot_be_unwinnable(tmp_path: Path) -> None:
    digest = load("golf").digest
    store = Store(tmp_path / "s", create=True)
    store.write([record(5, "won", player="greedy", digest=digest)])
    store.write([record(5, "unwinnable", digest=digest), record(6, "unwinnable", digest=digest)])
    plan = plan_of({"study": [{"game": "golf", "deals": "cadogan:0..9"}]}, "plan")
    (bug,) = contradictions(store, plan)
    assert bug.deals == ("cadogan:5",)
    assert (
        str(bug) == "cadogan:5: can be won according to golf, greedy, but not to golf, thoughtful"
    )


def test_two_solvers_are_told_apart(store: Store, tmp_path: Path) -> None:
    where = "game = 'golf:queens-on-kings' and number < 10"
    both = forged(store, tmp_path / "s", {"solver": "another"}, where)
    assert "\nTried by Cadogan" not in markdown(both, PLAN)
    assert f"Tried by Cadogan {version()} with the solver {solver_version()}." in markdown(
        store, PLAN
    )
    text = " ".join(markdown(both, PLAN).split())
    assert "**Tried by 2 solvers**" in text
    assert "with the solver another tried golf:queens-on-kings, thoughtful (10)." in text


def test_what_a_thousand_deals_cost_is_reported(store: Store) -> None:
    costs = costs_of(store)
    for each in summarize(store, PLAN):
        mine = {
            asked: cost
            for asked, cost in costs.items()
            if asked.game == each.study.game and asked.player == str(each.study.player)
        }
        assert max(cost.deals for cost in mine.values()) == 30
        spent = sum(cost.seconds for cost in mine.values())
        assert each.seconds == pytest.approx(1000 * spent / 30, abs=0.1)
        assert each.seconds is not None
        assert f"| {seconds_of(each.seconds)} |" in markdown(store, PLAN)


def test_costs_are_merged_once(store: Store, tmp_path: Path) -> None:
    other = Store(tmp_path / "s", create=True)
    for _ in range(2):
        merge_costs(other, store)
    assert costs_of(other) == costs_of(store)
    (other.folder / "costs" / "half.json").write_text('[{"game": "golf"')
    assert costs_of(other) == costs_of(store), "unreadable files are ignored"
    assert all(each.seconds is None for each in summarize(other, PLAN)), "no deals, no costs"


def test_pairs_are_of_the_same_deals(store: Store) -> None:
    pair = paired(store, "amazons", "amazons:queens-free")
    assert pair.deals == 30
    assert pair.first_only == 0
    same = paired(store, "amazons", "amazons")
    assert same.first_only == same.second_only == 0
    ladder = paired_players(store, "amazons", "greedy", "thoughtful")
    assert ladder.second_only > 5
    assert ladder.first_only == 0
    with pytest.raises(StudyError, match="no deal was tried both"):
        paired(store, "amazons", "klondike")


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
    assert text.count("<svg") == len(KINDS)
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
    assert sorted(path.stem for path in (to.parent / "plots").iterdir()) == sorted(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_plots_are_drawn_and_are_the_same_each_time(
    store: Store, tmp_path: Path, kind: str
) -> None:
    summaries = summarize(store, PLAN)
    first = draw(kind, summaries)
    assert first.startswith(b"<?xml")
    assert first == draw(kind, summaries)
    save(kind, summaries, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_that_is_drawn_lies_outside(store: Store, kind: str) -> None:
    # Winning lines of Hochzeitszug are longer than a hundred moves.
    summaries = [
        replace(each, lengths=[*each.lengths, 700]) if each.lengths else each
        for each in summarize(store, PLAN)
    ]
    (axes,) = KINDS[kind](summaries).axes
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    lines = [numpy.asarray(line.get_xydata()).tolist() for line in axes.get_lines()]
    assert any(lines)
    assert all(left <= x <= right and low <= y <= high for line in lines for x, y in line)


def test_a_plot_of_nothing_is_refused(tmp_path: Path, store: Store) -> None:
    empty = Store(tmp_path / "s", create=True)
    with pytest.raises(StudyError, match="no deal was tried yet"):
        draw("winnability", summarize(empty, PLAN))
    with pytest.raises(StudyError, match="unknown plot 'pie'"):
        draw("pie", summarize(store, PLAN))
    with pytest.raises(StudyError, match="cannot be written as 'jpg'"):
        save("cactus", summarize(store, PLAN), tmp_path / "x.jpg")


def test_records_are_exported(store: Store, tmp_path: Path) -> None:
    records = list(store.records())
    assert export(store, tmp_path / "x.jsonl", lines=True) == len(records)
    rows = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert [row["nodes"] for row in rows] == [each.nodes for each in records]
    won = next(row for row in rows if row["verdict"] == "winnable")
    position = load(won["game"]).deal(f"{won['scheme']}:{won['number']}")
    for move in won["line"].split("; "):
        position = position.play(move)
    assert position.outcome == "won"
    export(store, tmp_path / "x.csv")
    with (tmp_path / "x.csv").open(newline="") as file:
        assert [row["verdict"] for row in csv.DictReader(file)] == [r.verdict for r in records]
    assert export(store, tmp_path / "x.parquet") == len(records)
    with pytest.raises(StudyError, match="is not a known format"):
        export(store, tmp_path / "x.doc")


def test_a_record_is_small() -> None:
    made: Record = record(1)
    assert len(made.line) == 4 * made.length


def test_chances_are_reported_what_was_measured(tmp_path: Path) -> None:
    plan = plan_of(
        {
            "study": [
                {"game": "beleaguered-castle", "deals": "cadogan:0..29", "budget": 300},
                {"game": "amazons", "deals": "cadogan:0..9", "budget": 40},
                {
                    "game": "beleaguered-castle",
                    "deals": "cadogan:0..29",
                    "players": ["fair budget=20", "fair budget=40"],
                },
            ]
        },
        "plan",
    )
    here = run_here(plan, tmp_path / "store")
    save_plan(here, plan)
    (castle,) = (
        each
        for each in summarize(here)
        if each.study.player.is_thoughtful and each.tally.deals == 30
    )
    assert write(here, tmp_path / "chances.json") == 1
    told = json.loads((tmp_path / "chances.json").read_text())
    entry = told["beleaguered-castle"]
    assert load("beleaguered-castle").digest.startswith(entry["rules"])
    assert (entry["deals"], entry["won"]) == (30, castle.tally.won)
    assert entry["low"] <= entry["won"] / 30 <= entry["high"]
    assert entry["seen"]["deals"] == 30
    with pytest.raises(StudyError, match="no plan"):
        write(Store(tmp_path / "empty", create=True), tmp_path / "none.json")
