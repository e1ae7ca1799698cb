"""Data sets: everything that the card states is true of the files."""

import hashlib
import re
from pathlib import Path
from typing import Any

import polars
import pytest
import yaml

import cadogan
from cadogan.study.card import FIELDS, PUZZLE_FIELDS
from cadogan.study.dataset import write_dataset
from cadogan.study.deal_range import Shards
from cadogan.study.errors import StudyError
from cadogan.study.plan import plan_of
from cadogan.study.record import CRASHED
from cadogan.study.shards import claim
from cadogan.study.store import Store
from cadogan.study.summary import save_plan
from tests.cli.conftest import Run, home, run
from tests.games import write_game
from tests.study.support import run_here, small_plan, write_all

__all__ = ["home", "run"]  # fixtures
Card = tuple[dict[str, Any], str]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = run_here(small_plan(), tmp_path_factory.mktemp("dataset") / "store")
    save_plan(store, small_plan())
    return store


@pytest.fixture(scope="module")
def folder(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dataset") / "deals"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cadogan.study.dataset.ROWS", 15)
        assert write_dataset(store, folder) == 80
    return folder


def card_of(folder: Path) -> Card:
    _, head, body = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(head), body


def rows_of(folder: Path, config: dict[str, Any]) -> list[dict[str, Any]]:
    (files,) = config["data_files"]
    return polars.read_parquet(folder / files["path"]).to_dicts()


def test_the_head_of_the_card_describes_the_files(folder: Path) -> None:
    head, _ = card_of(folder)
    assert head["license"] == "cc0-1.0"
    assert head["size_categories"] == ["n<1K"]
    assert [each["config_name"] for each in head["configs"]] == ["amazons", "beleaguered-castle"]
    for config, info in zip(head["configs"], head["dataset_info"], strict=True):
        assert info["config_name"] == config["config_name"]
        (files,) = config["data_files"]
        frame = polars.read_parquet(folder / files["path"])
        assert files["split"] == "train"
        assert len(frame) == 40
        kinds = {"string": polars.String, "uint64": polars.UInt64, "uint32": polars.UInt32}
        assert frame.schema == {
            each["name"]: kinds[each["dtype"]]
            if "dtype" in each
            else polars.List(kinds[each["sequence"]])
            for each in info["features"]
        }
        assert len(list((folder / files["path"]).parent.iterdir())) == 3


def test_the_card_explains_every_field_and_every_digest_is_true(folder: Path) -> None:
    _, body = card_of(folder)
    for each in FIELDS:
        assert f"| `{each.name}` |" in body
    digests = dict(re.findall(r"^([0-9a-f]{64})  (\S+)$", body, re.MULTILINE))
    files = {str(path.relative_to(folder)) for path in folder.rglob("*.parquet")}
    assert set(digests.values()) == files
    for digest, name in digests.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    assert cadogan.solver_version() in body
    assert "@misc{cadogan-" in body


def test_the_rows_are_those_of_the_study(folder: Path, store: Store) -> None:
    head, body = card_of(folder)
    rows = [row for config in head["configs"] for row in rows_of(folder, config)]
    with store.open() as connection:
        best = connection.execute("select game, scheme, number, player, verdict from best")
        known = {(game, f"{s}:{n}", p): v for game, s, n, p, v in best.fetchall()}
    assert {(r["game"], r["deal"], r["player"]): r["verdict"] for r in rows} == known
    records = list(store.records())
    for row in rows:
        spent = sum(
            record.nodes
            for record in records
            if (record.game, record.deal, record.player)
            == (row["game"], row["deal"], row["player"])
        )
        assert row["nodes_spent"] == spent
        assert row["length"] == len(row["moves"])
    assert any(row["nodes_spent"] > row["nodes"] for row in rows)
    for (game, player, verdict), count in {
        (r["game"], r["player"], r["verdict"]): sum(
            (o["game"], o["player"], o["verdict"]) == (r["game"], r["player"], r["verdict"])
            for o in rows
        )
        for r in rows
    }.items():
        assert f"| {game} | {player} | {verdict} | {count} |" in body


def test_every_line_can_be_played_by_the_rules_in_the_data_set(folder: Path) -> None:
    head, _ = card_of(folder)
    won = 0
    for config in head["configs"]:
        for row in rows_of(folder, config):
            game = cadogan.load(folder / "rules" / f"{row['game']}.toml")
            assert game.digest == row["digest"]
            position = game.deal(row["deal"])
            assert [str(card) for card in position.deck] == row["deck"]
            assert game.deal(deck=row["deck"]) == position
            if row["verdict"] not in ("winnable", "won"):
                assert row["moves"] == []
                continue
            for move in row["moves"]:
                position = position.play(move)
            assert position.outcome == "won"
            won += 1
    assert won > 20


def test_games_of_ones_own_take_their_rules_along(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    first = write_game(tmp_path / "one")
    text = (tmp_path / "one" / "tiny.toml").read_text(encoding="utf-8")
    second = write_game(tmp_path / "two", text.replace("deal  = 2", 'deal  = 2\nspace = "none"'))
    study = {"games": [first.name, second.name], "deals": "cadogan:0..4", "budget": 50}
    plan = plan_of({"study": [study], "title": 'Small: "tiny" games'}, "plan")
    store = run_here(plan, tmp_path / "store")
    save_plan(store, plan)
    write_dataset(store, tmp_path / "deals")
    head, body = card_of(tmp_path / "deals")
    assert head["pretty_name"] == 'Small: "tiny" games'
    assert len({each["config_name"] for each in head["configs"]}) == 2
    assert str(tmp_path) not in body
    rules = {path.read_text(encoding="utf-8") for path in (tmp_path / "deals/rules").iterdir()}
    assert len(rules) == 2
    for config in head["configs"]:
        assert {row["game"] for row in rows_of(tmp_path / "deals", config)} == {"tiny.toml"}


def test_deals_that_failed_are_left_out_and_counted(tmp_path: Path, store: Store) -> None:
    records = list(store.records())
    kept = [each for each in records if each.number not in (0, 1)]
    lost = [
        each._replace(verdict=CRASHED, line=b"", length=0)
        for each in records
        if each.number == 0 and each.player == "greedy"
    ]
    other = write_all(Store(tmp_path / "store", create=True), [*kept, *lost])
    claim(other, Shards((2,), 3))
    save_plan(other, small_plan())
    assert write_dataset(other, tmp_path / "deals") == 72
    _, body = card_of(tmp_path / "deals")
    assert "2 deals that crashed or failed are left out" in body
    assert "**This is a part of a study:** the shards 2/3." in body


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path, store: Store) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(StudyError, match="exists already and is not empty"):
        write_dataset(store, tmp_path / "full")
    empty = Store(tmp_path / "none", create=True)
    save_plan(empty, small_plan())
    with pytest.raises(StudyError, match="has no results"):
        write_dataset(empty, tmp_path / "deals")
    changed = [each._replace(digest="other") for each in store.records()]
    other = write_all(Store(tmp_path / "changed", create=True), changed)
    save_plan(other, small_plan())
    with pytest.raises(StudyError, match="the rules of amazons have changed"):
        write_dataset(other, tmp_path / "deals")
    damaged = [each._replace(line=each.line[::-1]) for each in store.records() if each.line]
    other = write_all(Store(tmp_path / "damaged", create=True), damaged)
    save_plan(other, small_plan())
    with pytest.raises(StudyError, match="cannot be played"):
        write_dataset(other, tmp_path / "deals")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "changed",
        "damaged",
        "full",
        "none",
    ]
    (tmp_path / "deals").mkdir()
    assert write_dataset(store, tmp_path / "deals") == 80


def test_puzzles_are_part_of_the_data_set(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "deals"
    assert write_dataset(store, folder, puzzles=3) == 80
    head, body = card_of(folder)
    parts = [each for each in head["configs"] if each["config_name"].endswith("_puzzles")]
    assert parts
    seen = 0
    for part in parts:
        rows = rows_of(folder, part)
        assert len(rows) <= 3
        for row in rows:
            seen += 1
            assert list(row) == [each.name for each in PUZZLE_FIELDS]
            position = cadogan.load(row["game"]).deal(row["deal"])
            for move in row["moves"]:
                position = position.play(move)
            moves = {str(move): move for move in position.moves()}
            assert len(moves) == row["wrong"] + 1
            assert row["line"][0] == row["answer"]
            for text, move in moves.items():
                if text != row["answer"]:
                    assert cadogan.solve(position.play(move), 40_000).status == "unwinnable"
            for move in row["line"]:
                position = position.play(move)
            assert position.outcome == "won"
    assert f"have {seen} puzzles" in " ".join(body.split())
    for each in PUZZLE_FIELDS:
        assert f"| `{each.name}` |" in body


def test_puzzles_need_a_data_set(run: Run, tmp_path: Path) -> None:
    result = run("study", "export", str(tmp_path), "out.csv", "--puzzles", "3")
    assert result.status == 2
    assert "puzzles are part of a data set" in result.err
