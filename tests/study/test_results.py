"""Results in notebooks: rates as a table, records as data frames."""

import gc
import sys
from pathlib import Path

import polars
import pytest

from cadogan.study.errors import StudyError
from cadogan.study.record import COLUMNS
from cadogan.study.results import Results
from cadogan.study.summary import save_plan
from tests.study.support import run_here, small_plan


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("results") / "store"
    save_plan(run_here(small_plan(), folder), small_plan())
    return Results(folder)


def test_a_study_shows_its_rates_with_intervals(results: Results) -> None:
    shown = results._repr_html_()
    assert shown.count("<tr>") == 5
    for each in results.summaries():
        assert f"<td>{each.study.game}</td><td>{each.study.player}</td>" in shown
    assert "<th>95 % interval</th>" in shown


def test_records_are_read_in_one_call(results: Results) -> None:
    records = results.records()
    rows = [tuple(record) for record in records]
    assert len(rows) == len(records) == 80
    frames = [records.pl(), polars.DataFrame(records)]
    for frame in frames:
        assert frame.columns == list(COLUMNS)
        assert frame.rows() == rows
        assert frame["number"].dtype == polars.UInt64
    table = records.to_pandas()
    assert list(table.columns) == list(COLUMNS)
    assert [tuple(row) for row in table.to_dict("split")["data"]] == [
        tuple(bytearray(value) if isinstance(value, bytes) else value for value in row)
        for row in rows
    ]


def test_records_can_be_chosen(results: Results) -> None:
    everything = results.records(best=False)
    assert len(everything) == len(list(results.store.records())) > 80
    few = results.records("game = ? and player = ?", ["amazons", "greedy"])
    assert set(few.pl()["game"]) == {"amazons"}
    assert len(few) == few.pl().height == 20
    assert results.records("false").pl().shape == (0, len(COLUMNS))
    with pytest.raises(StudyError, match="cannot be read"):
        results.records("no_such_column = 1").pl()


def test_a_stream_outlives_what_it_came_from(results: Results) -> None:
    class Capsule:
        def __init__(self) -> None:
            self.stream = Results(results.store.folder).records().__arrow_c_stream__()

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return self.stream

    capsule = Capsule()
    gc.collect()
    assert polars.DataFrame(capsule).height == 80


def test_records_show_their_beginning(results: Results) -> None:
    shown = results.records()._repr_html_()
    assert shown.count("<tr>") == 11
    assert "80 records" in shown
    assert repr(results.records()).startswith("80 records of ")


@pytest.mark.parametrize(("package", "method"), [("polars", "pl"), ("pandas", "to_pandas")])
def test_a_missing_package_is_reported(
    results: Results, monkeypatch: pytest.MonkeyPatch, package: str, method: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(StudyError, match=f"{package} is not installed") as caught:
        getattr(results.records(), method)()
    assert caught.value.hint == "pip install 'cadogan[data]'"


def test_a_folder_that_is_no_study_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="is not a store of studies"):
        Results(tmp_path)
