"""A newcomer who follows CONTRIBUTING to the letter gets what it promises."""

import re
import shutil
from pathlib import Path

import pytest

from cadogan import load, solve
from tests.documents import ROOT, blocks, follow

PAGE = ROOT / "CONTRIBUTING.md"
CATALOGUE = Path("python/cadogan/catalogue")

pytestmark = pytest.mark.timeout(300)  # what the page shows takes a dozen processes


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the page was followed; it has of a clone what the page needs of it."""
    folder = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / CATALOGUE, folder / CATALOGUE)
    follow(PAGE, folder)
    return folder


def test_the_game_that_comes_of_it_is_played_and_solved(clone: Path) -> None:
    game = load(clone / "seven-fans.toml")
    assert len([name for name in game.pile_names if name.startswith("garden.")]) == 7
    position = game.deal("cadogan:1")
    for move in solve(position).line:
        position = position.play(move)
    assert position.outcome == "won"


def test_the_example_is_the_game_copied_with_few_lines_changed() -> None:
    copied = (ROOT / CATALOGUE / "flower-garden.toml").read_text(encoding="utf-8")
    (example,) = (block for block in blocks(PAGE) if block.language == "toml")
    known = {re.sub(r"\s*#.*", "", line) for line in copied.splitlines()}
    new = [line for line in example.text.splitlines() if line not in known and line[0] != "#"]
    assert len(new) == 4


def test_every_folder_and_file_of_the_map_is_there() -> None:
    the_map = PAGE.read_text(encoding="utf-8").partition("## The map")[2].partition("Imports go")[0]
    place = ROOT
    missing = []
    for line in filter(None, the_map.splitlines()):
        names = re.match(r"    (?P<indent> *)(?P<names>\S+(?: [\w./-]+)*)  ", line)
        assert names is not None, line
        within = place if names["indent"] else ROOT
        missing += [name for name in names["names"].split(" ") if not (within / name).exists()]
        if not names["indent"]:
            place = ROOT / names["names"]
    assert missing == []


def test_every_module_is_on_the_map() -> None:
    the_map = PAGE.read_text(encoding="utf-8").partition("## The map")[2].partition("Imports go")[0]
    modules = [path.name for path in (ROOT / "python/cadogan").glob("[a-z]*.py")]
    modules += [path.name for path in (ROOT / "crates/kernel/src").glob("*.rs")]
    modules += [f"{path.name}/" for path in (ROOT / "crates/kernel/src").iterdir() if path.is_dir()]
    assert [name for name in modules if name not in the_map and name != "lib.rs"] == []


def test_every_source_file_that_is_named_is_there() -> None:
    text = PAGE.read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w./-]+\.(?:py|rs|toml|md))`", text)) - {"seven-fans.toml"}
    homes = [ROOT, ROOT / "python/cadogan", ROOT / "crates/kernel/src"]
    homes += [path for path in (ROOT / "python/cadogan/rules").iterdir() if path.is_dir()]
    homes.append(ROOT / "python/cadogan/certificates/interpreter")
    missing = [name for name in named if not any((home / name).exists() for home in homes)]
    assert sorted(missing) == []
    assert len(named) > 20


def test_every_name_of_the_walk_through_a_rule_is_in_the_sources() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## Adding a kind of rule")[2]
    walk = text.partition("## Goldens")[0]
    names = set(re.findall(r"`(?:class |\w+::|\w+\.)?(\w+)`", walk))
    sources = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("python", "crates")
        for ending in ("*.py", "*.rs")
        for path in (ROOT / folder).rglob(ending)
    )
    assert {name for name in names if name not in sources} == set()
    assert "cards_that_belong_together_leave_at_the_same_time" in names


@pytest.mark.parametrize(
    ("section", "word"),
    [
        ("## Adding a kind of rule", "Swap"),
        ("## Adding a strategy", "Restarts"),
        ("## Adding a pruning", "StockMacro"),
    ],
)
def test_a_walk_names_every_file_of_the_kernel(section: str, word: str) -> None:
    text = PAGE.read_text(encoding="utf-8").partition(section)[2].partition("\n## ")[0]
    kernel = ROOT / "crates/kernel/src"
    files = [path for path in kernel.rglob("*.rs") if re.search(rf"\b{word}\b", path.read_text())]
    assert len(files) in range(2, 8)
    names = [path.relative_to(kernel).as_posix() for path in files]
    assert [name for name in names if f"`{name}`" not in text] == []
