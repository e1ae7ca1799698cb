"""A new kind of rule is one file of Python and its entry in KINDS; nothing else has to know it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import ROOT

GAME = """
name = "A"

[foundations]
piles = 4
base  = "ace"
build = "up in suit"

[garden]
role  = "tableau"
piles = 4
deal  = 13
build = "down"

[[rule]]
name  = "trade"
trade = "garden"
when  = "trades < 1"
add   = { trades = 1 }

[counters.trades]
"""
"""An exchange by another name: the kernel knows it, Python does not."""

ENGLISH = "The top cards of any two piles of the garden may trade ~ places."
GERMAN = "Die obersten Karten zweier beliebiger Stapel des Gartens dürfen ~ die Plätze tauschen."
STORY = """
import cadogan
from cadogan.rules import load_rules
from cadogan.rules.explain import explain
from cadogan.rules.validate.schema import schema
from cadogan.web.serialize import kinds

print("trade" in schema()["$defs"]["Rule"]["properties"])
rules = load_rules("a.toml")
for language in ("en", "de"):
    print(*(line for line in explain(rules.rulebook, language).splitlines() if "~" in line))
for _ in range(2):  # The second time it comes from the cache.
    at = cadogan.load("a.toml").deal("cadogan:1")
    print(sum("~" in str(move) for move in at.moves()), kinds(at.game))
after = at.play("garden.1 ~ garden.2")
print(after.last_move, after.piles["garden.2"][-1] == at.piles["garden.1"][-1])
print(after.why_not("garden.1 ~ garden.2"))
print(cadogan.load("a.toml").deal("cadogan:1").why_not("garden.1 ~ foundations.1"))
"""


@pytest.mark.timeout(120)
def test_a_kind_is_one_file_and_one_entry(tmp_path: Path) -> None:
    package = tmp_path / "cadogan"
    skip = shutil.ignore_patterns("dist", "__pycache__")
    shutil.copytree(ROOT / "python/cadogan", package, ignore=skip)
    kinds = package / "rules/kinds"
    kind = (kinds / "swap.py").read_text(encoding="utf-8")
    changes = {"Swap": "Trade", "exchange": "trade", "<>": "~", "change ": "trade ~ "}
    for old, new in {**changes, "dürfen die Plätze": "dürfen ~ die Plätze"}.items():
        kind = kind.replace(old, new)
    (kinds / "trade.py").write_text(kind, encoding="utf-8")
    entries = kinds / "__init__.py"
    text = entries.read_text(encoding="utf-8")
    text = re.sub(r"Swap, TurnUp\)$", "Swap, TurnUp, Trade)", text, flags=re.MULTILINE)
    line = "from cadogan.rules.kinds.trade import Trade\n"
    entries.write_text(text.replace("\nKINDS", f"\n{line}\nKINDS", 1), encoding="utf-8")
    (tmp_path / "a.toml").write_text(GAME, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", STORY],
        cwd=tmp_path, capture_output=True, encoding="utf-8", check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")},
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        "True",
        f"{ENGLISH} This may be done only once in the game.",
        f"{GERMAN} Das darf im ganzen Spiel nur einmal geschehen.",
        *2 * ("6 {2: 'swap'}",),
        "garden.1 ~ garden.2 True",
        "'trade' is allowed only when trades < 1, and trades is 1",
        "foundations.1 is empty",
    ], done.stderr
