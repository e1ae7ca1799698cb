"""Reports: which faults are stored, how they are shown, and help with misspelt words."""

import json
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.rules.faults.codes import CODES
from cadogan.rules.faults.report import MAX_FAULTS, Report, RulesError, Severity, nearest, one_of
from cadogan.rules.read.read import read_document
from cadogan.rules.source.document import Document
from cadogan.rules.source.span import Path, Span

GARDEN = """\
name = "The Flower Garden"

[garden]
piles = 6
build = "down in siut"

[bouquet]
piles = 16
biuld = "up"
"""


@pytest.fixture
def document() -> Document:
    return read_document(GARDEN, "flower-garden.toml")


@pytest.fixture
def report(document: Document) -> Report:
    return Report(document)


@pytest.fixture(autouse=True)
def codes(monkeypatch: pytest.MonkeyPatch) -> None:
    for code in ("unknown-key", "unknown-word", "odd"):
        monkeypatch.setitem(CODES, code, "A code of the tests.")


def report_on(source: str) -> Report:
    return Report(read_document(source, "f.toml"))


def test_everything_at_once(report: Report) -> None:
    report.warning("odd", ("name",), "the name is long", also=[(("garden",), "a group")])
    report.error(
        "unknown-key",
        ("bouquet", "biuld"),
        'the group "bouquet" has no key "biuld"',
        label="not a key of a reserve",
        key=True,
        hint='did you mean "build"?',
        also=[(("bouquet",), "this group")],
    )
    report.error(
        "unknown-word", ("garden", "build"), 'no word "siut"', within=(8, 12), label="unknown"
    )
    assert (
        report.render()
        == """\
warning[odd]: the name is long
 --> flower-garden.toml:1:8
  |
1 | name = "The Flower Garden"
  |        ^^^^^^^^^^^^^^^^^^^
...
3 | [garden]
  | -------- a group

error[unknown-word]: no word "siut"
 --> flower-garden.toml:5:18
  |
5 | build = "down in siut"
  |                  ^^^^ unknown

error[unknown-key]: the group "bouquet" has no key "biuld"
 --> flower-garden.toml:9:1
  |
7 | [bouquet]
  | --------- this group
...
9 | biuld = "up"
  | ^^^^^ not a key of a reserve
  |
hint: did you mean "build"?

2 errors, 1 warning in flower-garden.toml"""
    )


def test_two_labels_on_one_line() -> None:
    report = report_on("a = [1, 2, 1]")
    report.error("odd", ("a", 2), "twice", label="again", also=[(("a", 0), "first")])
    assert (
        report.render()
        == """\
error[odd]: twice
 --> f.toml:1:12
  |
1 | a = [1, 2, 1]
  |            ^ again
  |      - first

1 error in f.toml"""
    )


def test_nothing_to_say(report: Report) -> None:
    assert report.ok
    assert report.render() == ""
    assert report.to_json() == []


def test_warnings_are_no_errors(report: Report) -> None:
    report.warning("odd", ("name",), "odd")
    before = report.ok
    assert before
    assert [fault.severity for fault in report.warnings] == [Severity.WARNING]
    report.error("odd", ("name",), "odd")
    assert not report.ok
    assert len(report.faults) == 2
    assert [fault.severity for fault in report.errors] == [Severity.ERROR]


def test_faults_are_in_the_order_of_the_file(report: Report) -> None:
    for path in (("bouquet",), (), ("garden", "build"), ("garden", "piles"), ("name",)):
        report.error("odd", path, "odd")
    assert [fault.labels[0].span.line for fault in report.faults] == [1, 1, 4, 5, 7]


def test_the_same_fault_is_stored_once(report: Report) -> None:
    for _ in range(3):
        report.error("odd", ("name",), "odd", hint="even")
    report.error("odd", ("name",), "odd")
    assert len(report.faults) == 2


def test_codes_are_registered(report: Report) -> None:
    with pytest.raises(AssertionError, match="never-heard-of"):
        report.error("never-heard-of", (), "odd")
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code) for code in CODES)


def test_more_faults_than_anybody_reads(report: Report) -> None:
    for number in range(MAX_FAULTS):
        report.warning("odd", (), f"fault {number}")
    assert report.render().endswith("\n100 warnings in flower-garden.toml")
    report.warning("odd", (), "one more")
    assert not report.errors
    assert report.render().endswith("\n100 warnings and more in flower-garden.toml")
    report.error("odd", (), "an error")
    assert not report.ok
    report.error("odd", (), "another error")
    assert report.render().endswith("\n1 error, 99 warnings and more in flower-garden.toml")


class TestRedirection:
    """Faults of rules that were made by expansion."""

    def test_points_at_what_the_author_wrote(self, report: Report) -> None:
        report.error("odd", ("garden",), "before")
        report.redirect(lambda path: ("garden", "build") if path[0] == "rule" else path)
        report.error("odd", ("rule", 7, "to"), "after", also=[(("rule", 8), "also")])
        report.error("odd", ("name",), "as it is")
        spans = [[label.span.line for label in fault.labels] for fault in report.faults]
        assert spans == [[1], [3], [5, 5]]

    def test_goes_through_all_mappings(self, report: Report) -> None:
        names: dict[Path, Path] = {("first",): ("garden",), ("second",): ("first",)}
        report.redirect(lambda path: names[path])
        report.redirect(lambda path: names[path])
        report.error("odd", ("second",), "odd")
        assert report.faults[0].labels[0].span.line == 3

    def test_keeps_the_word_where_the_text_is_the_same(self, report: Report) -> None:
        report.redirect(lambda path: ("garden", "build"))
        report.error("odd", ("rule", 7, "build"), "the phrase", within=(0, 4))
        report.error("odd", ("rule", 7, "to"), "another text", within=(0, 4))
        assert [fault.labels[0].span for fault in report.faults] == [
            Span(5, 9, 23),
            Span(5, 10, 14),
        ]


def test_json(report: Report) -> None:
    report.error("odd", ("name",), "odd \x1b", label="here", hint="even")
    assert json.loads(json.dumps(report.to_json())) == [
        {
            "file": "flower-garden.toml",
            "code": "odd",
            "severity": "error",
            "title": "odd \x1b",
            "labels": [{"line": 1, "column": 8, "end": 27, "text": "here"}],
            "hint": "even",
        }
    ]


def test_errors_cross_processes(report: Report) -> None:
    report.redirect(lambda path: path)
    report.error("odd", ("name",), "odd")
    error: object = pickle.loads(pickle.dumps(RulesError(report)))
    assert isinstance(error, RulesError)
    assert isinstance(error, ValueError)
    assert str(error) == report.render()
    assert repr(error.report) == "<Report of 'flower-garden.toml': 1 error in flower-garden.toml>"


def test_colours_add_nothing_but_colours(report: Report) -> None:
    report.error("odd", ("name",), "odd", label="here", hint="even", also=[(("garden",), "")])
    colored = report.render(color=True)
    assert colored.startswith("\x1b[1;31merror[odd]\x1b[0m")
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == report.render()


def lines_of(source: str, path: Path, label: str = "") -> tuple[str, str]:
    report = report_on(source)
    report.error("odd", path, "odd", label=label)
    rows = report.render().split("\n")
    return rows[3], rows[4]


class TestShownLine:
    """Lines that are not as simple as they look."""

    def test_tabs(self) -> None:
        assert lines_of("\tx\t=\t12", ("x",)) == (
            "1 |     x    =    12",
            "  |               ^^",
        )

    def test_wide_characters(self) -> None:
        assert lines_of('x = ["漢字", "漢", 1]', ("x", 1)) == (
            '1 | x = ["漢字", "漢", 1]',
            "  |              ^^^^",
        )

    def test_combining_characters(self) -> None:
        assert lines_of('x = ["e\u0301", 1]', ("x", 1)) == (
            '1 | x = ["e\u0301", 1]',
            "  |           ^",
        )

    def test_line_ends_of_windows(self) -> None:
        assert lines_of("x = 1\r\ny = 2\r\n", ("x",)) == ("1 | x = 1", "  |     ^")

    def test_what_a_terminal_would_obey(self) -> None:
        assert lines_of("x = ['\x9b\u202e\u2028', 1]", ("x", 1)) == (
            r"1 | x = ['\x9b\u202e\u2028', 1]",
            "  |                          ^",
        )

    @pytest.mark.parametrize("before", ["x", "漢", "\t", "e\u0301", "\x85"])
    def test_long_lines_are_cut(self, before: str) -> None:
        line, marks = lines_of(f"x = ['{before * 900}', 1234, '{'y' * 900}']", ("x", 1), "here")
        assert line.startswith("1 | ...")
        assert line.endswith("yyy...")
        assert len(line) <= 4 + 3 + 100 + 3
        assert marks.endswith(" ^^^^ here")

    def test_long_spans_are_cut(self) -> None:
        line, marks = lines_of(f"x = '{'y' * 900}'", ("x",))
        assert line == f"1 | x = '{'y' * 95}..."
        assert marks == f"  |     {'^' * 96}"

    def test_the_end_of_a_line(self) -> None:
        report = report_on("x = 1")
        report.add_at("odd", Span(1, 6, 6), "odd")
        report.add_at("odd", Span(7, 3, 9), "no such line")
        assert "1 | x = 1\n  |      ^\n" in report.render()
        assert "7 |\n  | ^\n" in report.render()


@given(st.text(), st.text(), st.text(), st.text())
def test_nothing_hostile_is_shown(name: str, title: str, label: str, hint: str) -> None:
    report = Report(read_document("x = 1", name))
    report.error("toml-syntax", ("x",), title, label=label, hint=hint)
    rows = report.render().split("\n")
    assert len(rows) == 9
    assert all(row.isprintable() for row in rows)


def test_long_messages_are_cut(report: Report) -> None:
    report.error("odd", ("name",), "x" * 9_000)
    assert max(map(len, report.render().split("\n"))) < 500


WORDS = [
    "foundations",
    "tableau",
    "reserve",
    "cell",
    "stock",
    "waste",
    "build",
    "base",
    "up",
    "aces",
]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("biuld", "build"),
        ("Build", "build"),
        ("foundation", "foundations"),
        ("fondations", "foundations"),
        ("tabelau", "tableau"),
        ("tableaux", "tableau"),
        ("cells", "cell"),
        ("ace", "aces"),
        ("wast", "waste"),
        ("build", "build"),
        ("upp", "up"),
        ("no", None),
        ("x", None),
        ("", None),
        ("garden", None),
        ("stock" * 1_000, None),
    ],
)
def test_nearest(word: str, meant: str | None) -> None:
    assert nearest(word, WORDS) == meant


def test_nearest_prefers_the_plural_to_a_slip() -> None:
    assert nearest("boxes", ["foxes", "box"]) == "box"
    assert nearest("face_up", ["face-ups", "face-up"]) == "face-up"
    assert nearest("cat", ["bat", "rat"]) == "bat"
    assert nearest("cat", []) is None


@pytest.mark.parametrize(
    ("choices", "limit", "sentence"),
    [
        ([], 8, ""),
        (["a"], 8, "a"),
        (["a", "b"], 8, "a or b"),
        (["a", "b", "c"], 8, "a, b or c"),
        (["a", "b", "c"], 2, "a, b or c"),
        (["a", "b", "c", "d"], 2, "a, b or 2 others"),
    ],
)
def test_one_of(choices: list[str], limit: int, sentence: str) -> None:
    assert one_of(iter(choices), limit) == sentence
