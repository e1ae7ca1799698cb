"""``cadogan study``: its output, its files and its errors."""

import json
from pathlib import Path

import pytest

from .conftest import Run

pytestmark = pytest.mark.takes_turns(2)

DEALS = ("--deals", "cadogan:0..19")


@pytest.fixture
def folder(run: Run, tmp_path: Path) -> Path:
    """A study of a game with two players."""
    folder = tmp_path / "results"
    result = run(
        "study", "run", "amazons", *DEALS, "--budget", "40,400", "--player", "thoughtful",
        "--player", "greedy", "--workers", "1", "--quiet", "--out", str(folder),
    )  # fmt: skip
    assert (result.status, result.err) == (0, "")
    assert result.out.splitlines()[0].split() == [
        "game", "player", "deals", "win", "rate", "95", "%", "interval", "undecided",
    ]  # fmt: skip
    return folder


@pytest.mark.timeout(120)
def test_a_study_from_beginning_to_end(run: Run, folder: Path, tmp_path: Path) -> None:
    status = run("study", "status", str(folder))
    assert status.status == 0
    assert status.out.splitlines()[1].startswith("amazons  thoughtful     20")
    data = json.loads(run("study", "status", str(folder), "--json").out)
    assert [each["player"] for each in data] == ["thoughtful", "greedy"]
    assert data[0]["finished"]
    assert data[0]["won"] + data[0]["lost"] + data[0]["undecided"] == 20

    again = run("study", "run", "amazons", *DEALS, "--budget", "40,400", "--out", str(folder))
    assert again.err == "0 deals tried in 0.0 s\n"

    checked = run("study", "verify", str(folder), "--sample", "5")
    assert checked.status == 0
    assert "2 parts are intact" in checked.out
    assert json.loads(run("study", "verify", str(folder), "--json").out)["ok"]

    report = run("study", "report", str(folder), "--to", str(tmp_path / "r.html"))
    assert report.err == f"saved: {tmp_path / 'r.html'}\n"
    assert (tmp_path / "r.html").read_text().startswith("<!doctype html>")
    plotted = run("study", "plot", str(folder), "ladder", str(tmp_path / "l.svg"), "amazons")
    assert plotted.status == 0
    assert b"<svg" in (tmp_path / "l.svg").read_bytes()

    compared = run("study", "compare", str(folder), "amazons", "--against", "greedy")
    assert compared.out.startswith("20 deals; rows: thoughtful, columns: greedy\n")
    assert "McNemar's exact test: p = " in compared.out
    data = json.loads(run("study", "compare", str(folder), "amazons", "amazons", "--json").out)
    assert data["p"] == 1.0

    exported = run("study", "export", str(folder), str(tmp_path / "x.csv"))
    assert "results saved" in exported.err
    merged = run("study", "merge", str(tmp_path / "both"), str(folder), str(folder))
    assert merged.err == "2 parts added\n"
    assert run("study", "status", str(tmp_path / "both")).out == status.out


def test_workers_have_so_much_memory(run: Run, tmp_path: Path) -> None:
    folder = str(tmp_path / "results")
    words = ("study", "run", "amazons", "--deals", "cadogan:0..3", "--out", folder, "--quiet",
             "--workers", "1", "--player", "thoughtful", "--player", "greedy")  # fmt: skip
    assert run(*words, "--memory", "64 MB").status == 0
    data = json.loads(run("study", "status", folder, "--json").out)
    assert [each["player"] for each in data] == ["thoughtful memory=64", "greedy"]
    refused = run(*words, "--memory", "1MB")
    assert refused.status == 2
    assert "give 16 MiB or more" in refused.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("studdy",), ["did you mean 'study'?"]),
        (("study", "rum"), ["unknown command 'rum'", "did you mean 'run'?"]),
        (("study", "run", "--out", "{}"), ["no game given", "name a game, or give --plan"]),
        (("study", "run", "golf", "--out", "{}"), ["no deals given", "--deals cadogan:0"]),
        (("study", "run", "golf", *DEALS), ["--out"]),
        (("study", "run", "golff", *DEALS, "--out", "{}"), ['did you mean "golf"?']),
        (
            ("study", "run", "golf", "--deals", "cadogan:9..0", "--out", "{}"),
            ["are in the wrong order", "write cadogan:0..9"],
        ),
        (
            ("study", "run", "golf", *DEALS, "--budget", "many", "--out", "{}"),
            ["'many' is not a number of nodes"],
        ),
        (
            ("study", "run", "golf", *DEALS, "--player", "greddy", "--out", "{}"),
            ["unknown player 'greddy'"],
        ),
        (
            ("study", "run", "golf", *DEALS, "--half-width", "2", "--out", "{}"),
            ["'2' is not a half width of an interval"],
        ),
        (
            ("study", "run", "golf", *DEALS, "--workers", "0", "--out", "{}"),
            ["0 workers are not possible"],
        ),
        (
            ("study", "run", "golf", "--plan", "x.toml", "--out", "{}"),
            ["golf and --plan both choose what to study"],
        ),
        (("study", "run", "--plan", "none.toml", "--out", "{}"), ["none.toml: no such file"]),
        (
            ("study", "run", "golf", *DEALS, "--out", "{}", "--cluster", "sundial"),
            ["cannot reach a cluster at sundial"],
        ),
        (("study", "status", "{}"), ["is not a store of studies"]),
        (("study", "merge", "{}"), ["nothing to merge"]),
        (("study", "export", "{}"), ["name a file to write, or give --dataset DIR"]),
        (("study", "export", "{}", "x.csv", "--dataset", "x"), ["or give --dataset DIR"]),
        (("study", "export", "{}", "--dataset", "x", "--lines"), ["leave out --lines"]),
        (
            ("study", "run", "golf", *DEALS, "--out", "{}/new", "--shard", "0/4"),
            ["there is no shard 0/4", "counted from 1/4"],
        ),
        (("study", "compare", "{}", "golf"), ["is not a store of studies"]),
    ],
)
def test_bad_input_is_reported(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...],
    said: list[str],
) -> None:  # fmt: skip
    monkeypatch.setattr("cadogan.study.executors.PATIENCE", 0.5)
    result = run(*(word.format(tmp_path / "results") for word in words))
    assert result.status == 2
    assert result.out == ""
    assert result.err.startswith("error: ")
    assert "Traceback" not in result.err
    for text in said:
        assert text in result.err


@pytest.mark.timeout(120)
def test_shards_are_run_and_merged(run: Run, tmp_path: Path) -> None:
    asked = ("amazons", *DEALS, "--budget", "40", "--workers", "1", "--quiet")
    for index in ("1", "2"):
        shard = run("study", "run", *asked, "--shard", f"{index}/2", "--out", f"{tmp_path}/{index}")
        assert (shard.status, shard.err) == (0, "")
        assert shard.out.splitlines()[1].split()[:3] == ["amazons", "thoughtful", "10"]
    status = run("study", "status", f"{tmp_path}/2")
    assert status.err == "shard 2/2 of the study\n"
    missing = run("study", "merge", f"{tmp_path}/all", f"{tmp_path}/2")
    assert missing.status != 0
    assert "error: shard 1/2 is missing" in missing.err
    merged = run("study", "merge", f"{tmp_path}/all", f"{tmp_path}/2", f"{tmp_path}/1")
    assert merged.status == 0
    assert merged.out.splitlines()[1].split()[:3] == ["amazons", "thoughtful", "20"]
    refused = run("study", "run", *asked, "--shard", "1/2", "--out", f"{tmp_path}/all")
    assert refused.status == 2
    assert "holds a whole study, not shard 1/2" in refused.err
    exported = run("study", "export", f"{tmp_path}/all", "--dataset", f"{tmp_path}/deals")
    assert exported.err == f"20 rows saved: {tmp_path}/deals\n"


def test_a_folder_of_somebody_else_is_left_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    result = run("study", "run", "golf", *DEALS, "--out", str(tmp_path))
    assert result.status == 2
    assert "exists already and is not a store of studies" in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_what_was_not_studied_is_reported(run: Run, folder: Path, tmp_path: Path) -> None:
    plot = run("study", "plot", str(folder), "cactus", str(tmp_path / "x.svg"), "golf")
    assert "no results for golf" in plot.err
    plot = run("study", "plot", str(folder), "pie", str(tmp_path / "x.svg"))
    assert "unknown plot 'pie'" in plot.err
    compare = run("study", "compare", str(folder), "amazons", "golf")
    assert "no deal was tried both in amazons, thoughtful and in golf, thoughtful" in compare.err
    with_both = run("study", "compare", str(folder), "amazons", "golf", "--against", "greedy")
    assert "nothing to compare with" in with_both.err
