import json
import re
import tomllib
from pathlib import Path

import pytest

import cadogan
from cadogan.rules.faults.codes import CODES
from cadogan.rules.faults.report import Report
from cadogan.rules.read.read import read_document

from .conftest import Run

CATALOGUE = Path(cadogan.__file__).parent / "catalogue"
BAD = 'name = "Bad"\npacks = 1\n[garden]\nrole = "tablaeu"\n'


def test_check_of_good_files(run: Run) -> None:
    result = run("check", str(CATALOGUE / "flower-garden.toml"), str(CATALOGUE / "golf.toml"))
    assert result.status == 0
    assert [line.rpartition(": ")[2] for line in result.out.splitlines()] == [
        "no problems found"
    ] * 2


def test_check_reports_faults_as_data_and_says_no(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(BAD)
    result = run("check", str(CATALOGUE / "golf.toml"), str(file))
    assert result.status == 1
    assert f"{file}:4:8" in result.out
    assert '"tablaeu"' in result.out
    assert result.err == ""


def test_check_of_standard_input_and_as_json(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(BAD)
    (facts,) = json.loads(run("check", str(file), "--json").out)
    assert facts["ok"] is False
    assert facts["faults"][0]["labels"][0]["line"] == 4


def test_check_takes_warnings_for_errors_when_strict(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def odd(source: bytes, name: str) -> Report:
        report = Report(read_document(source, name))
        report.warning(next(iter(CODES)), ("name",), "this looks wrong")
        return report

    monkeypatch.setattr("cadogan.rules.check_text", odd)
    file = str(CATALOGUE / "golf.toml")
    result = run("check", file)
    assert "warning[" in result.out
    assert result.status == 0
    assert run("check", "--strict", file).status == 1


def test_expand_writes_rules_that_play_alike(run: Run, tmp_path: Path) -> None:
    out = run("expand", "flower-garden").out
    assert tomllib.loads(out) == json.loads(run("expand", "flower-garden", "--json").out)
    file = tmp_path / "flower-garden.toml"
    file.write_text(out)
    assert cadogan.load(str(file)).digest == cadogan.load("flower-garden").digest


def test_rules_tells_the_rules_in_lines_that_fit(run: Run) -> None:
    result = run("rules", "flower-garden", width=60)
    assert result.status == 0
    assert "garden" in result.out
    assert max(map(len, result.out.splitlines())) <= 60
    text = json.loads(run("rules", "flower-garden", "--json").out)["text"]
    assert text.split()[:5]


def test_schema_is_printed_or_written_to_a_file(run: Run, tmp_path: Path) -> None:
    printed = run("schema").out
    assert json.loads(printed)["$defs"]
    result = run("schema", str(tmp_path / "cadogan.schema.json"))
    assert (result.status, result.out) == (0, "")
    assert (tmp_path / "cadogan.schema.json").read_text(encoding="utf-8") == printed


def test_schema_overwrites_no_rules_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("mine")
    result = run("schema", str(file))
    assert result.status == 2
    assert "mine.toml is not the name of a JSON file" in result.err
    assert "cadogan schema cadogan.schema.json" in result.err
    assert file.read_text() == "mine"


def test_expand_names_the_schema(run: Run) -> None:
    assert run("expand", "flower-garden").out.startswith("#:schema ./cadogan.schema.json\n")


def test_version(run: Run) -> None:
    result = run("--version")
    assert result.status == 0
    assert result.out.startswith("cadogan ")


def lines_of_help() -> list[tuple[str, str]]:
    """Every command with its line of help."""
    from cadogan.cli import COMMANDS, FAMILIES

    return [
        *((name, text) for _, name, _, text in COMMANDS),
        *(
            (f"{family} {name}", text)
            for family, commands in FAMILIES.items()
            for name, text in commands
        ),
    ]


def test_help_names_every_command(run: Run) -> None:
    from cadogan.cli import FAMILIES

    families = [(), *((family,) for family in FAMILIES)]
    out = "".join(run(*words, "--help").out for words in families)
    for name, text in lines_of_help():
        assert re.search(rf"^  {name.split()[-1]} +{re.escape(text)}$", out, re.MULTILINE)
    assert "".join(run(*words).out for words in families) == out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(("name", "text"), lines_of_help())
def test_help_of_a_command_begins_with_its_line_in_the_list(run: Run, name: str, text: str) -> None:
    result = run(*name.split(), "--help")
    assert result.status == 0
    usage, _, *about = result.out.splitlines()
    assert f"{usage} ".startswith(f"Usage: cadogan {name} ")
    # The list shows the first sentence.
    assert " ".join(about).startswith(text.rstrip("."))
    # The text of a long option begins on the next line.
    without = r"^  (--\S+|[A-Z]+)(?: [A-Z.]+)?$(?!\n {6,}\S)"
    for option in re.findall(without, result.out, re.MULTILINE):
        raise AssertionError(f"{option} has no text")


def test_rules_keeps_the_picture_as_it_is_drawn(run: Run) -> None:
    lines = run("rules", "besieged-city").out.splitlines()
    assert "    F1  .   T1  T2  T3  .   F2" in lines
    assert "    .   T14 R1  R2  R3  T4  ." in lines


def test_rules_of_another_program_become_a_rules_file(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "my-garden.json"
    source.write_text('{"tableau piles": {"count": 6}, "reserve": {"size": 16}}')
    printed = run("import", "solvitaire", str(source)).out
    assert tomllib.loads(printed)["name"] == "My Garden"
    target = tmp_path / "garden.toml"
    result = run("import", "solvitaire", str(source), str(target), "--name", "Garden")
    assert f"cadogan check {target}" in result.err
    assert target.read_text() == printed.replace("My Garden", "Garden")
    assert run("check", "--strict", str(target)).status == 0
    again = run("import", "solvitaire", str(source), str(target))
    assert again.status == 2
    assert "exists already" in again.err


def test_rules_that_cannot_be_translated_are_refused_with_all_reasons(
    run: Run, tmp_path: Path
) -> None:
    source = tmp_path / "bad.json"
    source.write_text('{"tableau piles": {"count": "6"}, "resrve": {}}')
    result = run("import", "solvitaire", str(source))
    assert result.status == 2
    assert result.err.splitlines() == [
        f'error: {source}: "tableau piles" "count" must be a number from 0 to 120',
        f'error: {source}: the rules have no key "resrve"',
    ]
    assert run("import", "patience", str(source)).status == 2
