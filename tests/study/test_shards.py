"""Shards: parts of a study that run anywhere become the study that was never split."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from bench import shards as bench
from cadogan.study.deal_range import Shards, Span
from cadogan.study.errors import StudyError
from cadogan.study.plan import Plan
from cadogan.study.shards import claim, merge
from cadogan.study.statistics import Stop
from cadogan.study.store import Store
from cadogan.study.summary import save_plan, shards_in, summarize
from tests.documents import ROOT, blocks, follow
from tests.study.support import contents, record, run_here, small_plan

pytestmark = pytest.mark.takes_turns(3)

SCALE = ROOT / "docs" / "scale.md"


def run_shard(plan: Plan, folder: Path, shards: Shards, **more: Any) -> Store:
    """What ``cadogan study run --shard`` does."""
    store = Store(folder, create=True)
    claim(store, shards)
    save_plan(store, plan)
    return run_here(plan.sharded(shards), folder, **more)


def run_all(plan: Plan, folder: Path, count: int) -> list[Store]:
    return [
        run_shard(plan, folder / f"{index}", Shards((index,), count))
        for index in range(1, count + 1)
    ]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = run_here(small_plan(), tmp_path_factory.mktemp("shards") / "whole")
    save_plan(store, small_plan())
    return store


def files(folder: Path) -> dict[str, bytes]:
    """The files of a store but for its costs and its lock."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.parent.name != "costs")
    return {str(p.relative_to(folder)): p.read_bytes() for p in found if p.name != ".lock"}


@pytest.mark.parametrize("count", [3, pytest.param(30, marks=pytest.mark.slow)])
def test_merged_shards_are_the_study_byte_for_byte(
    tmp_path: Path, whole: Store, count: int
) -> None:
    """With thirty shards of twenty deals, some have none."""
    stores = run_all(small_plan(), tmp_path, count)
    merge(tmp_path / "all", stores[::-1])
    assert files(tmp_path / "all") == files(whole.folder)
    assert merge(tmp_path / "all", stores)[1] > 0
    assert files(tmp_path / "all") == files(whole.folder)


def test_every_deal_is_in_one_shard() -> None:
    for count in (1, 2, 3, 10, 24):
        spans = [Span("cadogan", 5, 25, Shards((i,), count)) for i in range(1, count + 1)]
        numbers = [number for span in spans for number in span.numbers]
        assert sorted(numbers) == list(range(5, 26))
        assert max(map(len, spans)) - min(map(len, spans)) <= 1
        ends = tuple(sorted({1, count}))
        assert list(Span("cadogan", 5, 25, Shards(ends, count)).numbers) == sorted(
            {*spans[0].numbers, *spans[-1].numbers}
        )


def test_a_shard_that_was_killed_continues(tmp_path: Path, whole: Store) -> None:
    class KilledError(BaseException):
        pass

    write, written = Store.write, 0

    def killed(self: Store, records: Any) -> Path | None:
        nonlocal written
        written += 1
        if written > 3:
            raise KilledError
        return write(self, records)

    half = Shards((2,), 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "write", killed)
        with pytest.raises(KilledError):
            run_shard(small_plan(), tmp_path / "2", half)
    other = run_shard(small_plan(), tmp_path / "1", Shards((1,), 2))
    stores = [other, Store(tmp_path / "2")]
    with pytest.raises(StudyError, match="shard 2/2 is not finished: .* of its 40 deals are done"):
        merge(tmp_path / "all", stores)
    assert not (tmp_path / "all").exists()
    merge(tmp_path / "all", stores, partial=True)
    run_shard(small_plan(), tmp_path / "2", half)
    merge(tmp_path / "all", stores)
    assert files(tmp_path / "all") == files(whole.folder)


def test_shards_may_be_merged_as_they_come(tmp_path: Path, whole: Store) -> None:
    """A folder with some of the shards is itself one that can be merged."""
    stores = run_all(small_plan(), tmp_path, 4)
    with pytest.raises(StudyError, match="shards 2,4/4 are missing"):
        merge(tmp_path / "odd", [stores[0], stores[2]])
    merge(tmp_path / "odd", [stores[0], stores[2]], partial=True)
    odd = Store(tmp_path / "odd")
    assert str(shards_in(odd)) == "1,3/4"
    summaries = summarize(odd)
    assert {each.tally.deals for each in summaries} == {10}
    assert all(each.is_finished for each in summaries)
    merge(tmp_path / "all", [odd, stores[1], stores[3]])
    assert files(tmp_path / "all") == files(whole.folder)
    merge(tmp_path / "odd", [stores[1], stores[3]])
    assert files(tmp_path / "odd") == files(whole.folder)


def test_what_does_not_fit_together_is_refused_before_anything_is_written(
    tmp_path: Path, whole: Store
) -> None:
    one = run_shard(small_plan(), tmp_path / "one", Shards((1,), 2))
    third = run_shard(small_plan(), tmp_path / "third", Shards((1,), 3))
    longer = run_shard(small_plan(29), tmp_path / "longer", Shards((2,), 2))
    before = files(whole.folder)
    for sources, said in [
        ([one, third], "one holds shard 1/2, and .*third shard 1/3"),
        ([one, longer], "hold shards of different studies: their plans differ"),
        ([one, whole], "whole holds a whole study, and .*one only shard 1/2"),
    ]:
        with pytest.raises(StudyError, match=said):
            merge(tmp_path / "all", sources, partial=True)
    with pytest.raises(StudyError, match="a whole study, and shards 1/2 are only a part"):
        merge(whole.folder, [one], partial=True)
    for folder, shards in [
        (one.folder, Shards((2,), 2)),
        (one.folder, Shards()),
        (whole.folder, Shards((1,), 2)),
    ]:
        with pytest.raises(StudyError, match="holds"):
            claim(Store(folder), shards)
    assert not (tmp_path / "all").exists()
    assert files(whole.folder) == before


def test_other_rules_and_other_answers_are_refused(tmp_path: Path) -> None:
    folders = {}
    for name, each in {
        "here": record(1),
        "same": record(1),
        "crashed": record(1, "crashed"),
        "rules": record(2, digest="other"),
        "nodes": record(1, nodes=8),
    }.items():
        store = Store(tmp_path / name, create=True)
        store.write([each])
        save_plan(store, small_plan())
        folders[name] = store
    merge(tmp_path / "all", [folders["here"], folders["same"], folders["crashed"]])
    assert [each.verdict for each in Store(tmp_path / "all").records()] == ["winnable"]
    with pytest.raises(StudyError, match="have results of golf with different rules"):
        merge(tmp_path / "all", [folders["rules"]])
    with pytest.raises(StudyError, match=r"(?s)nodes disagree about golf cadogan:1, thoughtful"):
        merge(tmp_path / "all", [folders["nodes"]])
    assert len(contents(Store(tmp_path / "all"))[1]) == 1


def test_a_number_of_deals_can_be_split_and_a_result_cannot(tmp_path: Path) -> None:
    plan = small_plan(stop={"deals": 11})
    whole = run_here(plan, tmp_path / "whole")
    save_plan(whole, plan)
    merge(tmp_path / "all", run_all(plan, tmp_path, 2))
    assert files(tmp_path / "all") == files(whole.folder)
    assert {each.tally.deals for each in summarize(Store(tmp_path / "all"))} == {11}
    for stop in ({"half_width": "1%"}, {"nodes": 1000}):
        with pytest.raises(StudyError, match="cannot be split into shards"):
            small_plan(stop=stop).sharded(Shards((1,), 2))
    assert small_plan(stop={"nodes": 1000}).sharded(Shards()).studies[0].stop == Stop(nodes=1000)


@pytest.mark.parametrize(
    "text", ["", "3", "0/4", "5/4", "-1/4", "1/0", "1/1000000", "1/4/2", "a/b"]
)
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(StudyError):
        Shards.parse(text)


@pytest.mark.parametrize("text", ["{}", '{"shards": [5], "of": 4}', '{"shards": [], "of": 4}', "x"])
def test_a_damaged_list_of_shards_is_reported(tmp_path: Path, text: str) -> None:
    store = Store(tmp_path / "s", create=True)
    (tmp_path / "s" / "shards.json").write_text(text, encoding="utf-8")
    with pytest.raises(StudyError, match="is damaged"):
        shards_in(store)


@pytest.mark.timeout(120)
def test_the_examples_of_the_page_run(tmp_path: Path) -> None:
    assert follow(SCALE, tmp_path) == 3


def test_unevenness_is_measured_from_the_nodes() -> None:
    nodes = [9, 1, 1, 1, 9, 1, 1, 1]
    assert bench.in_turn(nodes, 2) == [20, 4]
    assert bench.in_stretches(nodes, 2) == [12, 12]
    assert bench.unevenness([20, 4]) == pytest.approx(2 / 3)
    assert bench.makespan([4, 3, 2, 1], 2) == 5
    assert "| 4 | 25 | +0 % | +0 % |" in bench.report([1] * 100)


# ---- The examples of docs/scale.md ---------------------------------------------------------------

PLAN = '[[study]]\ngame = "golf"\ndeals = "cadogan:0..8"\nbudget = 100\n'


def example(language: str, containing: str) -> str:
    (text,) = (
        each.text for each in blocks(SCALE) if each.language == language and containing in each.text
    )
    return text


def shell(folder: Path, *command: str, **variables: str) -> None:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        **variables,
    }
    subprocess.run(command, cwd=folder, env=environment, check=True, timeout=120)


def prepared(tmp_path: Path) -> tuple[Path, Store]:
    """A folder with a plan, and what the plan should come to."""
    from cadogan.study.plan import read_plan

    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    plan = read_plan(tmp_path / "plan.toml")
    whole = run_here(plan, tmp_path / "whole")
    save_plan(whole, plan)
    return tmp_path, whole


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_the_job_of_slurm_runs(tmp_path: Path) -> None:
    folder, whole = prepared(tmp_path)
    script = example("sh", "#SBATCH")
    options = dict(re.findall(r"^#SBATCH --([\w-]+)=(\S+)$", script, re.MULTILINE))
    assert {"array", "cpus-per-task", "time", "output"} <= {*options}
    count = int(re.search(r"^SHARDS=\$\{SHARDS:-(\d+)\}", script, re.MULTILINE)[1])  # type: ignore[index]
    assert options["array"] == f"1-{count}"
    (folder / "shards.sbatch").write_text(script, encoding="utf-8")
    shell(folder, "sh", "-n", "shards.sbatch")
    for index in ("1", "2"):
        shell(
            folder,
            "sh",
            "shards.sbatch",
            SLURM_ARRAY_TASK_ID=index,
            SLURM_CPUS_PER_TASK="1",
            SHARDS="2",
        )
    command = example("", "sbatch --dependency")
    merging = re.search(r"--wrap '([^']+)'", command)
    assert merging is not None
    shell(folder, "sh", "-c", merging[1])
    assert files(folder / "all") == files(whole.folder)


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_the_job_of_kubernetes_runs(tmp_path: Path) -> None:
    folder, whole = prepared(tmp_path)
    job = yaml.safe_load(example("yaml", "completionMode"))
    spec = job["spec"]
    assert (job["apiVersion"], job["kind"]) == ("batch/v1", "Job")
    assert spec["completionMode"] == "Indexed"
    pod = spec["template"]["spec"]
    assert pod["restartPolicy"] in ("Never", "OnFailure")
    (container,) = pod["containers"]
    values = {each["name"]: each["value"] for each in container["env"]}
    assert values["SHARDS"] == str(spec["completions"])
    mounts = {each["name"] for each in container["volumeMounts"]}
    assert mounts == {each["name"] for each in pod["volumes"]}
    assert container["workingDir"] == container["volumeMounts"][0]["mountPath"]
    for index in ("0", "1"):
        shell(
            folder, *container["command"], **{**values, "SHARDS": "2"}, JOB_COMPLETION_INDEX=index
        )
    shell(folder, "sh", "-c", "cadogan study merge all shards/*")
    assert files(folder / "all") == files(whole.folder)


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("program", ["xargs", "parallel"])
def test_the_line_of_parallel_runs(tmp_path: Path, program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    folder, whole = prepared(tmp_path)
    text = example("", f"| {program}")
    line = re.search(rf"^\$ (seq 100 \| {program} (?:.*\\\n)*.*)$", text, re.MULTILINE)
    assert line is not None
    small = line[1].replace("seq 100", "seq 2").replace("/100", "/2")
    shell(folder, "sh", "-c", small)
    shell(folder, "sh", "-c", "cadogan study merge all shards/*")
    assert files(folder / "all") == files(whole.folder)
