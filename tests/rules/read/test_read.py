"""Reading a rules file: data, places, limits, and messages about broken text."""

import datetime
import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cadogan.rules.faults.report import Fault, RulesError
from cadogan.rules.read.read import read_document
from cadogan.rules.source import document as module
from cadogan.rules.source.document import Document
from cadogan.rules.source.span import Path, Places, Span

EXAMPLE = """\
# The example of all forms.
name = "Größe" # wide: 漢
deep.er.dotted = 1
"quoted key".'x.y' = [ "one", # comment
  ["two", 3], { four = "4", five.six = [5] },
]
picture = \"\"\"
A1 .
.  B2\"\"\"

[variants.a.b]
why = 'literal'

[ variants . "a" ]
x = inf

[[rule]]
from = "stock"
[[rule]]
from = ["waste", "stock"]
cards = { from = "top", number = { least = 1 } }
[rule.more]
y = 2
[[rule.step]]
z = 1
[[rule.step]]
z = 2
"""


def shown(document: Document, span: Span) -> str:
    line = document.line(span.line)
    assert 1 <= span.column <= span.end <= len(line) + 1
    return line[span.column - 1 : span.end - 1]


def faults_of(source: str | bytes) -> list[Fault]:
    with pytest.raises(RulesError) as caught:
        read_document(source, "f.toml")
    return caught.value.report.faults


def paths_of(data: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    steps = data.items() if isinstance(data, dict) else enumerate(data)
    for step, value in steps:
        yield (*path, step), value
        if isinstance(value, dict | list):
            yield from paths_of(value, (*path, step))


@pytest.mark.parametrize(
    ("path", "line", "key", "value"),
    [
        (("name",), 2, "name", '"Größe"'),
        (("deep",), 3, "deep", "deep.er.dotted = 1"),
        (("deep", "er"), 3, "er", "deep.er.dotted = 1"),
        (("deep", "er", "dotted"), 3, "dotted", "1"),
        (("quoted key", "x.y"), 4, "'x.y'", '[ "one", # comment'),
        (("quoted key", "x.y", 0), 4, '"one"', '"one"'),
        (("quoted key", "x.y", 1, 1), 5, "3", "3"),
        (("quoted key", "x.y", 2, "five"), 5, "five", "five.six = [5]"),
        (("quoted key", "x.y", 2, "five", "six", 0), 5, "5", "5"),
        (("picture",), 7, "picture", '"""'),
        (("variants",), 11, "variants", "[variants.a.b]"),
        (("variants", "a"), 14, '"a"', '[ variants . "a" ]'),
        (("variants", "a", "b"), 11, "b", "[variants.a.b]"),
        (("variants", "a", "b", "why"), 12, "why", "'literal'"),
        (("rule",), 17, "rule", "[[rule]]"),
        (("rule", 0), 17, "[[rule]]", "[[rule]]"),
        (("rule", 1), 19, "[[rule]]", "[[rule]]"),
        (("rule", 1, "from", 1), 20, '"stock"', '"stock"'),
        (("rule", 1, "cards", "number", "least"), 21, "least", "1"),
        (("rule", 1, "more", "y"), 23, "y", "2"),
        (("rule", 1, "step", 1), 26, "[[rule.step]]", "[[rule.step]]"),
        (("rule", 1, "step", 1, "z"), 27, "z", "2"),
        # What is not there is shown at the nearest that is.
        (("rule", 1, "to"), 19, "[[rule]]", "[[rule]]"),
        (("rule", 1, "cards", "x", 7), 21, "cards", '{ from = "top", number = { least = 1 } }'),
        (("rule", 9, "from"), 17, "rule", "[[rule]]"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_places(path: Path, line: int, key: str, value: str, end: str) -> None:
    document = read_document(EXAMPLE.replace("\n", end), "example.toml")
    assert document.key_span(path).line == line
    assert document.value_span(path).line == line
    assert shown(document, document.key_span(path)) == key
    assert shown(document, document.value_span(path)) == value


def test_the_whole_file_is_at_its_beginning() -> None:
    assert read_document(EXAMPLE, "x").value_span(()) == Span(1, 1, 1)
    assert read_document("", "x").key_span(("nothing",)) == Span(1, 1, 1)


@pytest.mark.parametrize(
    ("source", "word", "written"),
    [
        ('x = "down in suit"', "in", "in"),
        ("x = 'down in suit'", "suit", "suit"),
        (r'x = "d\u006fwn \"in\" suit"', "in", "in"),
        (r'x = "d\u006fwn in suit"', "down", r"d\u006fwn"),
        ('x = """\ndown\nin suit"""', "suit", "suit"),
        ('x = """down \\\n   in suit"""', "in", "in"),
        ("x = '''\r\ndown\r\nin suit'''", "in", "in"),
        ('x = ""', "", ""),
        ('x = "größe 漢字 in"', "in", "in"),
    ],
)
def test_part_of_a_text(source: str, word: str, written: str) -> None:
    document = read_document(source, "x")
    start = document.data["x"].index(word)
    span = document.part_span(("x",), start, start + len(word))
    assert shown(document, span) == written


def test_part_of_what_is_no_text_is_the_whole() -> None:
    document = read_document("x = [1, 2]", "x")
    assert document.part_span(("x",), 0, 2) == document.value_span(("x",))
    assert document.part_span(("x", 5), 0, 2) == document.value_span(("x",))
    assert document.part_span(("y", "z"), 0, 2) == Span(1, 1, 1)


def test_part_beyond_the_end_is_clipped() -> None:
    document = read_document("x = 'abc'", "x")
    assert document.part_span(("x",), 1, 99) == Span(1, 7, 9)
    assert document.part_span(("x",), 50, 99) == Span(1, 9, 9)


def test_lines() -> None:
    document = read_document("a = 1\r\nb = '\u2028\x85'\r\n", "x")
    lines = [document.line(number) for number in range(5)]
    assert lines == ["", "a = 1", "b = '\u2028\x85'", "", ""]


def test_byte_order_mark_is_dropped() -> None:
    for source in ("\ufeffx = 1", b"\xef\xbb\xbfx = 1"):
        document = read_document(source, "x")
        assert document.data == {"x": 1}
        assert document.key_span(("x",)) == Span(1, 1, 2)


def test_a_good_file_needs_no_syntax_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> Places:
        raise AssertionError("the places were asked for")

    monkeypatch.setattr(module, "Places", refuse)
    document = read_document(EXAMPLE, "x")
    with pytest.raises(AssertionError):
        document.key_span(("name",))


def test_strange_values_are_values() -> None:
    data = read_document("a = 1_000_000_000_000_000_000_000\nb = nan\nc = 07:30:00", "x").data
    assert data["a"] == 10**21
    assert data["b"] != data["b"]
    assert data["c"] == datetime.time(7, 30)


@pytest.mark.parametrize(
    ("source", "code", "line", "column", "title"),
    [
        ("a = 1\nx = down", "toml-syntax", 2, 5, "a text without quotes"),
        ("x = [1, up down]", "toml-syntax", 1, 9, "a text without quotes"),
        ("x = True", "toml-syntax", 1, 5, '"True" is not a truth value'),
        ("x = “up”", "toml-syntax", 1, 5, "typographic quotes do not quote"),
        ("x = .5", "toml-syntax", 1, 5, "this is not a value"),
        ("x =\ny = 1", "toml-syntax", 1, 4, "a value is missing"),
        ("x = 6 cards", "toml-syntax", 1, 7, "unexpected text after a value"),
        ("[a] x = 1", "toml-syntax", 1, 5, "unexpected text after a header"),
        ("x: 1", "toml-syntax", 1, 2, 'no "=" after the key "x"'),
        ("größe = 1", "toml-syntax", 1, 3, 'no "=" after the key "gr"'),
        ("= 1", "toml-syntax", 1, 1, "a line that begins with neither a key nor a header"),
        ("“x” = 1", "toml-syntax", 1, 1, "a line that begins with neither a key nor a header"),
        ("[a\nx = 1", "toml-syntax", 1, 3, "a header that is not closed"),
        ("[[a]\nx = 1", "toml-syntax", 1, 4, "a header that is not closed"),
        ("[]", "toml-syntax", 1, 2, "a key is missing"),
        ("x = {a = 1,}", "toml-syntax", 1, 12, "a key is missing"),
        ("x = {a = 1 b = 2}", "toml-syntax", 1, 12, "an inline table that is not closed"),
        (
            "x = {a = 1,\nb = 2}",
            "toml-syntax",
            1,
            5,
            "an inline table that goes on in the next line",
        ),
        ("x = [1\ny = 2", "toml-syntax", 2, 1, "an array that is not closed"),
        ("x = [1,", "toml-syntax", 1, 5, "an array that is not closed"),
        ('x = "up', "toml-syntax", 1, 5, "a text that is not closed"),
        ('x = "up\ny = 1', "toml-syntax", 1, 5, "a text that is not closed"),
        ("x = 'up\ny = 1", "toml-syntax", 1, 5, "a text that is not closed"),
        ("x = 'up\ny = 'down'", "toml-syntax", 1, 5, "a text that is not closed"),
        ('y = 1\nx = """up', "toml-syntax", 2, 5, "a text that is not closed"),
        (r'x = "\d"', "toml-syntax", 1, 6, "an escape that TOML does not know"),
        (r'x = "\ud800"', "toml-syntax", 1, 6, "an escape that TOML does not know"),
        ("x = 2020-02-31", "toml-syntax", 1, 5, '"2020-02-31" is not a date or time'),
        ("x = '\x1b'", "toml-syntax", 1, 6, "a control character in the text"),
        ("x = 1\n# \x08\ny = 1", "toml-syntax", 2, 3, "a control character in the text"),
        ("x = 1 #\x08", "toml-syntax", 1, 8, "a control character in the text"),
        ("x = 1\ny = 2\nx = 3", "repeated-key", 3, 1, 'the key "x" is given twice'),
        ("[a]\n[b]\n[a]", "repeated-key", 3, 2, 'the table "a" is given twice'),
        ("[[a]]\n[a]", "repeated-key", 2, 2, 'the table "a" is given twice'),
        ("[a]\n[[a]]", "repeated-key", 2, 3, 'the table "a" is given twice'),
        ("a = 1\n[a.b]", "repeated-key", 2, 2, 'the table "a" is given twice'),
        ("a = 1\na.b = 2", "repeated-key", 2, 1, 'the key "a" is given twice'),
        ("[[a]]\nx = 1\n[[a]]\nx = 1\nx = 2", "repeated-key", 5, 1, 'the key "a.x" is given twice'),
        ("x = {a = 1, a = 2}", "repeated-key", 1, 13, 'the key "x.a" is given twice'),
        (b"a = 1\nx = '\xe4'", "not-utf-8", 2, 6, "the file is not UTF-8"),
        ("x = '\udce4'", "not-utf-8", 1, 6, "the file is not UTF-8"),
        ("x = 1".encode("utf-16"), "not-utf-8", 1, 1, "the file is not UTF-8"),
        ("a = 1\nx = '\0'", "nul-character", 2, 6, "the file contains the character NUL"),
        (r'x = "\u0000"', "nul-character", 1, 5, "a text with the character NUL"),
        (r'"\u0000" = 1', "nul-character", 1, 1, "a text with the character NUL"),
    ],
)
def test_what_is_said(source: str | bytes, code: str, line: int, column: int, title: str) -> None:
    (fault,) = faults_of(source)
    span = fault.labels[0].span
    assert (fault.code, span.line, span.column, fault.title) == (code, line, column, title)


def test_second_place_of_what_is_given_twice() -> None:
    (fault,) = faults_of("[a]\nx = 1\n[b]\n[a]")
    assert [label.span for label in fault.labels] == [Span(4, 2, 3), Span(1, 2, 3)]


def test_all_faults_of_the_grammar_in_one_run() -> None:
    source = """\
build = down in suit
[garden
piles = 6
space = yes
piles = 7
[garden]
deal: 6
text = "up
rank = 'king
list = [1, two]
[garden]
piles = 5
"""
    assert [fault.labels[0].span.line for fault in faults_of(source)] == [
        1,
        2,
        4,
        5,
        7,
        8,
        9,
        10,
        11,
    ]


def test_a_fault_that_hides_others_is_reported_alone() -> None:
    assert len(faults_of("x = [1\ny = down\nz = down")) == 1


def test_what_is_no_text_is_reported_once() -> None:
    faults = faults_of(b"x = '\xe4'\n\xe4 = 1\ny = \0\nz = down")
    assert [fault.code for fault in faults] == ["not-utf-8", "nul-character", "toml-syntax"]


@pytest.mark.parametrize(
    ("good", "bad", "code"),
    [
        (f"#{'x' * 65_535}", f"#{'x' * 65_536}", "file-too-large"),
        (f"#{'é' * 32_767}", f"#{'é' * 32_768}", "file-too-large"),
        (f"x = {'[' * 8}{']' * 8}", f"x = {'[' * 9}{']' * 9}", "nesting-too-deep"),
        ("a.b.c.d.e.f.g.h.i = 1", "a.b.c.d.e.f.g.h.i.j = 1", "nesting-too-deep"),
        ("[a.b.c.d.e.f.g.h]", "[a.b.c.d.e.f.g.h.i]", "nesting-too-deep"),
        ("[[a.b.c]]\nx = [[[[]]]]", "[[a.b.c]]\nx = [[[[[]]]]]", "nesting-too-deep"),
        (f"x = [{'1,' * 3_999}]", f"x = [{'1,' * 4_000}]", "too-many-values"),
        ("x = []", f"x = [{'1,' * 30_000}]", "too-many-values"),
        (f"x = '{'x' * 8_000}'", f"x = '{'x' * 8_001}'", "text-too-long"),
        (f"'{'x' * 8_000}' = 1", f"'{'x' * 8_001}' = 1", "text-too-long"),
        (f"x = {'1' * 200}", f"x = {'1' * 201}", "word-too-long"),
        (f"{'x' * 200} = 1", f"{'x' * 201} = 1", "word-too-long"),
    ],
)
def test_limits(good: str, bad: str, code: str) -> None:
    read_document(good, "x")
    assert [fault.code for fault in faults_of(bad)] == [code]


@pytest.mark.parametrize(
    "source",
    [
        "[" * 60_000,
        "x = " + "[" * 60_000,
        "x = " + "{a=" * 20_000,
        "x = " + "[{a=" * 15_000,
        "[" + "a." * 30_000 + "a]",
        "a." * 30_000 + "a = 1",
        "x = 0x" + "f" * 60_000,
        "x = " + "1" * 60_000,
        # Brackets closed too often must not hide those that are opened later.
        "]" * 30_000 + "\nx = " + "[" * 30_000,
        "[a]" + "]" * 30_000 + "\nx = " + "[" * 30_000,
        'x = """' + "\\" * 60_000,
        '"' * 60_000,
        "x = '" * 10_000,
        "[a]\n" * 16_000,
        "x = 1\n" * 10_000,
        "x =\n" * 16_000,
    ],
    ids=lambda source: re.sub(r"\s", " ", source[:12]),
)
def test_hostile_files_are_refused(source: str) -> None:
    for fault in faults_of(source):
        assert fault.labels[0].span.line >= 1


NAMES = st.sampled_from(
    [
        "a",
        "b",
        "rule",
        "from",
        "1",
        "true",
        "inf",
        "1-2",
        "",
        "a b",
        "é",
        "漢",
        "x.y",
        'q"',
        "l'",
        "\\",
    ]
)
TEXTS = st.text(
    st.one_of(
        st.sampled_from("ab \"'\\#[]{}=,.\n\té漢😀\x7f\x1b\u202e"),
        st.characters(exclude_characters="\0", exclude_categories=["Cs"]),
    ),
    max_size=12,
)
SCALARS = st.one_of(
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    TEXTS,
    st.datetimes(timezones=st.just(datetime.UTC)),
    st.dates(),
    st.times(),
)
TABLES = st.dictionaries(
    NAMES,
    st.recursive(
        SCALARS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
        max_leaves=8,
    ),
    max_size=5,
)


class Writer:
    """Writes data as TOML, each part in a form that is drawn."""

    def __init__(self, data: st.DataObject) -> None:
        self.draw = data.draw
        self.lines: list[str] = []

    def chance(self) -> bool:
        return self.draw(st.booleans())

    def text(self, text: str) -> str:
        escaped = json.dumps(text, ensure_ascii=self.chance()).replace("\x7f", "\\u007f")
        # JSON writes what is beyond 16 bits as a pair of surrogates, which TOML does not know.
        escaped = re.sub(r"\\u(d[89ab]..)\\u(d[c-f]..)", self.long_escape, escaped)
        # A backslash at the end of a line also takes the space with which the next begins.
        forms = [escaped, f'""{escaped}""', f'""{escaped[0]}\\\n  {escaped[1:]}""']
        if text[:1] in (" ", "\t", "\n"):
            forms.pop()
        if not re.search(r"['\x00-\x08\x0a-\x1f\x7f]", text):
            forms.append(f"'{text}'")
        if not re.search(r"['\x00-\x08\x0b-\x1f\x7f]", text):
            forms.append(f"'''\n{text}'''")
        return self.draw(st.sampled_from(forms))

    @staticmethod
    def long_escape(pair: re.Match[str]) -> str:
        character = json.loads(f'"{pair[0]}"')
        return f"\\U{ord(character):08x}"

    def key(self, name: str) -> str:
        if re.fullmatch(r"[A-Za-z0-9_-]+", name) and self.chance():
            return name
        if self.chance() and not re.search(r"['\\]", name):
            return f"'{name}'"
        return json.dumps(name, ensure_ascii=False)

    def value(self, value: Any) -> str:
        match value:
            case bool():
                return "true" if value else "false"
            case str():
                return self.text(value)
            case datetime.date() | datetime.time():
                return value.isoformat()
            case list():
                space = self.draw(st.sampled_from(["", " ", "\n", " # ]\n\t"]))
                end = space if not value or self.chance() else f",{space}"
                return (
                    f"[{space}{f',{space}'.join(map(self.value, value))}{end if value else space}]"
                )
            case dict():
                pairs = [f"{self.key(key)} = {self.value(inner)}" for key, inner in value.items()]
                return f"{{ {', '.join(pairs)} }}"
            case _:
                return str(value)

    def pair(self, key: str, value: Any) -> None:
        if isinstance(value, dict) and value and self.chance():
            for name, inner in value.items():
                dot = self.draw(st.sampled_from([".", " . "]))
                self.pair(f"{key}{dot}{self.key(name)}", inner)
        else:
            space = self.draw(st.sampled_from(["", "  ", "\t"]))
            comment = self.draw(st.sampled_from(["", " # comment [é]"]))
            self.lines.append(f"{space}{key}{space}={space}{self.value(value)}{comment}")

    def table(self, data: dict[str, Any], header: str = "") -> None:
        later = []
        for name, value in data.items():
            tables = isinstance(value, list) and value and all(isinstance(x, dict) for x in value)
            if (tables or isinstance(value, dict)) and self.chance():
                later.append((name, value))
            else:
                self.pair(self.key(name), value)
        for name, value in later:
            inner = f"{header}.{self.key(name)}" if header else self.key(name)
            if isinstance(value, list):
                for element in value:
                    self.lines.append(f"[[{inner}]]")
                    self.table(element, inner)
            else:
                only_tables = value and all(isinstance(x, dict) and x for x in value.values())
                if only_tables and self.chance():
                    for each, below in value.items():
                        self.lines.append(f"[{inner}.{self.key(each)}]")
                        self.table(below, f"{inner}.{self.key(each)}")
                else:
                    self.lines.append(f"[ {inner} ]")
                    self.table(value, inner)


def write(data: st.DataObject, tables: dict[str, Any]) -> str:
    writer = Writer(data)
    writer.table(tables)
    return "\n".join(writer.lines)


@given(TABLES, st.data())
def test_everything_has_a_place(tables: dict[str, Any], data: st.DataObject) -> None:
    assume(all(len(path) < 8 for path, _ in paths_of(tables)))
    source = write(data, tables)
    document = read_document(source, "x")
    assert document.data == tables
    places = Places(document.text)
    for path, value in paths_of(tables):
        key = shown(document, document.key_span(path))
        written = document.text[slice(*places.values[path])]
        assert document.value_span(path) == document.span_at(*places.values[path])
        if isinstance(path[-1], str):
            assert tomllib.loads(f"{key} = 0") == {path[-1]: 0}
        else:
            assert written.startswith(key)
            assert key
        if not isinstance(value, dict | list):
            assert tomllib.loads(f"value = {written}") == {"value": value}
    assert not places.repeats


@given(TEXTS, st.data())
def test_every_character_of_a_text_has_a_place(text: str, data: st.DataObject) -> None:
    document = read_document(f"[a]\nx = {Writer(data).text(text)}", "x")
    for index, character in enumerate(text):
        written = shown(document, document.part_span(("a", "x"), index, index + 1))
        if character == "\n":
            assert written in ("", "\\n", "\\u000a")
        elif written != character:
            assert tomllib.loads(f'x = "{written}"') == {"x": character}


def read_or_refuse(source: str | bytes) -> None:
    try:
        document = read_document(source, "x\x1b\n.toml")
    except RulesError as error:
        assert not error.report.ok
        assert all(line.isprintable() for line in str(error).split("\n"))
        json.dumps(error.report.to_json())
        for fault in error.report.faults:
            for label in fault.labels:
                shown(error.report.document, label.span)
    else:
        assert document.data == tomllib.loads(document.text)


PIECES = st.sampled_from(
    [
        *"[]{}=.,#\"'\\\n\r\t \0\x1b\ufeffaé1",
        *(
            '"""',
            "'''",
            "[[",
            "]]",
            "a = ",
            "[a]\n",
            "[[a]]\n",
            "b.c",
            " = 1\n",
            ' = "x"\n',
            "\\u00e9",
        ),
        *(
            "\r\n",
            "2020-01-01",
            "07:30:00",
            "1e5",
            "inf",
            "-nan",
            "0x",
            "true",
            "\\U0001f600",
            "'x'",
        ),
        *("a = [\n", "a = {", '\\"', "“", "\udc80", "\u2028", "\x85", "\xa0"),
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_text_like_toml_is_read_or_refused(source: str) -> None:
    assume("nan" not in source)
    read_or_refuse(source)


@given(st.text() | st.binary())
def test_anything_is_read_or_refused(source: str | bytes) -> None:
    read_or_refuse(source)


@given(TABLES, st.data())
def test_broken_files_are_read_or_refused(tables: dict[str, Any], data: st.DataObject) -> None:
    source = write(data, tables)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(source)))
        end = data.draw(st.integers(at, min(len(source), at + 4)))
        source = (
            source[:at] + data.draw(PIECES.filter(lambda piece: "nan" not in piece)) + source[end:]
        )
    read_or_refuse(source)
