"""The table of all games in ``docs/games.md``, and what it says of a game."""

from bench import shelf
from cadogan.rules.index import entries
from cadogan.table.win_rates import Chances
from tests.conftest import ALL
from tests.goldens import UPDATE

LAG = 40
"""So many lines may differ in a plain ``make test``: those of games that were just written."""


def test_the_table_is_current() -> None:
    if UPDATE:
        shelf.main()
    page = shelf.page().splitlines()
    differing = {*page} ^ {*shelf.PAGE.read_text(encoding="utf-8").splitlines()}
    assert len(differing) <= (0 if ALL else LAG), "run 'python -m bench.shelf'"
    rows = [line for line in page if line.startswith("| [")]
    assert len(rows) == len(entries())


def test_cross_checks_are_those_of_the_records() -> None:
    found = {
        name: {check.kind: check.count for check in checks}
        for name, checks in shelf.cross_checks().items()
    }
    assert found["klondike"].keys() >= {"Solvitaire", "PySolFC", "published rate", "oracle"}
    assert found["klondike"]["Solvitaire"] > found["klondike"]["PySolFC"] > 0
    # Its tables differ from PySolFC's for a reason.
    assert "PySolFC" not in found["all-in-a-row"]
    assert "won line" not in found["british-canister"]
    assert "oracle" not in found["british-canister"]


def test_figures_have_intervals() -> None:
    measured = Chances(200, 80, 20, 0.35, 0.6, seen_deals=50, seen_won=10)
    assert shelf.won(measured) == "35.0 to 60.0 % (200 deals)"
    assert shelf.fair(measured) == "20.0 %, 11.2 to 33.0 % (50 deals)"
    assert shelf.won(None) == shelf.fair(None) == shelf.UNKNOWN
    assert shelf.is_open("freecell")
    assert not shelf.is_open("klondike")
    assert shelf.fair(None, seen=True) == shelf.OPEN
    assert shelf.fair(measured, seen=True) == shelf.fair(measured)
