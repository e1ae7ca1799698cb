"""The store: parts are complete or missing, and records with the same key count once."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cadogan.study.errors import StudyError
from cadogan.study.planner import Known
from cadogan.study.record import Record
from cadogan.study.store import BLOCK, Store
from tests.conftest import THOROUGH

from .support import contents, record, write_all

NUMBERS = st.lists(st.integers(0, 2**64 - 1), max_size=30)


@settings(max_examples=1000 if THOROUGH else 10)
@given(numbers=NUMBERS, more=NUMBERS, seed=st.integers(0, 9))
def test_stores_of_the_same_records_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[int], more: list[int], seed: int
) -> None:
    folder = tmp_path_factory.mktemp("stores")
    chance = random.Random(seed)
    records = [record(number) for number in {*numbers, *more}]
    one = write_all(Store(folder / "one", create=True), records)
    one.compact()
    two = Store(folder / "two", create=True)
    for some in (numbers, more, numbers):
        mixed = [record(number) for number in set(some)]
        chance.shuffle(mixed)
        write_all(two, mixed)
    two.compact()
    assert contents(one) == contents(two)
    assert two.merge(one) == 0, "a union with itself changes nothing"


def test_a_record_comes_back_as_it_was(tmp_path: Path) -> None:
    odd = record(2**64 - 1, note='it\'s; "odd" \N{BLACK SPADE SUIT}', game="a'b.toml:x+y")
    many = [odd, record(5, "unwinnable"), record(6, "failed", note="why")]
    store = write_all(Store(tmp_path / "s", create=True), many)
    assert sorted(store.records()) == sorted(many)
    (part,) = store.parts()
    assert sorted(store.checked(part)) == sorted(many)


def test_the_parts_of_a_finished_store_are_cut_by_numbers(tmp_path: Path) -> None:
    store = Store(tmp_path / "s", create=True)
    for number in (0, BLOCK - 1, BLOCK, 7 * BLOCK):
        store.write([record(number)])
    store.compact()
    blocks = [[each.number for each in store.checked(part)] for part in store.parts()]
    assert sorted(blocks) == [[0, BLOCK - 1], [BLOCK], [7 * BLOCK]]


@pytest.mark.parametrize("when", ["before", "after"])
def test_compacting_may_be_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    store = Store(tmp_path / "s", create=True)
    for number in range(5):
        store.write([record(number)])
    before = contents(store)[1]
    write = Store.write

    def killed(self: Store, records: list[Record]) -> Path | None:
        if when == "after":
            write(self, records)
        raise KeyboardInterrupt

    monkeypatch.setattr(Store, "write", killed)
    with pytest.raises(KeyboardInterrupt):
        store.compact()
    monkeypatch.undo()
    assert contents(store)[1] == before
    store.compact()
    assert (contents(store)[1], len(store.parts())) == (before, 1)


def test_the_best_answer_of_a_deal_counts(tmp_path: Path) -> None:
    store = Store(tmp_path / "s", create=True)
    answers = [
        record(1, "unknown", budget=100),
        record(1, "winnable", budget=1000, nodes=500),
        record(1, "winnable", budget=5000, nodes=499),
        record(2, "unknown", budget=100),
        record(2, "unknown", budget=1000, nodes=1000),
        record(3, "crashed", budget=1000),
        record(3, "unknown", budget=100),
        record(4, "failed"),
        record(5, "unknown", budget=10),
    ]
    for answer in answers:
        store.write([answer])
    known = store.known("golf", "d", "thoughtful", "cadogan", [100, 1000])
    assert known == {
        1: Known(True, 500, 1),
        2: Known(None, 1000, 1),
        3: Known(None, 7, 0),
        4: Known(None, 7, 1),
    }


def test_several_solvers_may_have_tried_the_deals(tmp_path: Path) -> None:
    store = Store(tmp_path / "s", create=True)
    answers = [
        record(1, "winnable", solver="old"),
        record(2, "unknown", solver="old"),
        record(3, "unknown", solver="old"),
        record(3, "unwinnable", solver="new", nodes=9),
        record(4, "unknown", solver="new"),
    ]
    store.write(answers)
    store.compact()
    assert sorted(store.records()) == sorted(answers), "no record replaces another"
    question = ("golf", "d", "thoughtful", "cadogan", [100])
    known = {
        1: Known(True, 7, 0),
        2: Known(None, 7, 0),
        3: Known(False, 9, 0),
        4: Known(None, 7, 0),
    }
    assert store.known(*question) == known
    del known[2]
    assert store.known(*question, solver="new") == known, (
        "deals that old solvers left undecided are asked for"
    )


def test_the_same_question_has_one_answer(tmp_path: Path) -> None:
    store = Store(tmp_path / "s", create=True)
    store.write([record(1, "crashed")])
    store.write([record(1, "winnable", version="2")])
    store.write([record(1, "winnable", version="1")])
    (kept,) = store.records()
    assert (kept.verdict, kept.version) == ("winnable", "1")


def test_faulty_records_can_be_forgotten(tmp_path: Path) -> None:
    store = Store(tmp_path / "s", create=True)
    store.write([record(1, "crashed"), record(2)])
    store.write([record(3, "failed")])
    assert store.forget_faulty() == 2
    assert [each.number for each in store.records()] == [2]


def test_a_half_written_part_is_reported_and_nothing_else_is_lost(tmp_path: Path) -> None:
    store = Store(tmp_path / "s", create=True)
    store.write([record(1)])
    part = store.write([record(2)])
    assert part is not None
    whole = part.read_bytes()
    for damaged in (b"", whole[:7], whole[: len(whole) // 2]):
        part.write_bytes(damaged)
        with pytest.raises(StudyError, match=part.name) as error:
            list(store.records())
        assert "move it away" in (error.value.hint or "")
    part.rename(tmp_path / "away")
    assert [each.number for each in store.records()] == [1]


def test_a_store_that_changes_while_it_is_read_is_not_called_damaged(tmp_path: Path) -> None:
    store = write_all(Store(tmp_path / "s", create=True), [record(1), record(2)])

    def read_too_late() -> None:
        with store.open() as connection:
            for part in store.parts():
                part.unlink()
            connection.execute("select * from records")

    with pytest.raises(StudyError, match="changed while it was read"):
        read_too_late()


def test_a_part_that_leads_nowhere_ends_the_search(tmp_path: Path) -> None:
    store = Store(tmp_path / "s", create=True)
    (store.parts_folder / "part-lost.parquet").symlink_to(tmp_path / "nowhere")
    with pytest.raises(StudyError, match="changed while it was read"):
        store.parts()


def test_a_part_is_what_its_name_says(tmp_path: Path) -> None:
    store = Store(tmp_path / "s", create=True)
    one, two = store.write([record(1)]), store.write([record(2)])
    assert one is not None
    assert two is not None
    one.write_bytes(two.read_bytes())
    with pytest.raises(StudyError, match="does not match its name"):
        store.checked(one)
    with pytest.raises(StudyError, match="does not match its name"):
        Store(tmp_path / "t", create=True).merge(store)


def test_drafts_of_a_killed_writer_are_cleared_away(tmp_path: Path) -> None:
    store = Store(tmp_path / "s", create=True)
    draft = store.parts_folder / ".part-x.parquet.123"
    draft.write_bytes(b"half")
    assert list(store.records()) == []
    with store.writing():
        assert not draft.exists()


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    store = Store(tmp_path / "s", create=True)
    other = Store(tmp_path / "s").writing()
    with store.writing(), pytest.raises(StudyError, match="another process is writing"):
        other.__enter__()
    with Store(tmp_path / "s").writing():
        assert list(store.records()) == []


def test_a_folder_that_is_no_store_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="is not a store of studies"):
        Store(tmp_path / "none")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(StudyError, match="exists already"):
        Store(tmp_path / "mine", create=True)
    store = Store(tmp_path / "s", create=True)
    (store.folder / "store.json").write_text('{"form": 99}')
    with pytest.raises(StudyError, match="format 99"):
        Store(tmp_path / "s")
    (store.folder / "store.json").write_text("{")
    with pytest.raises(StudyError, match="cannot be read"):
        Store(tmp_path / "s")
