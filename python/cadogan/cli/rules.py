"""``cadogan check``, ``expand``, ``import``, ``rules``, ``schema``: rules files, their content."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.choose import GameName, Json

if TYPE_CHECKING:
    from cadogan.rules.faults.report import Report

Files = Annotated[
    list[Path], Parameter(help="Rules files; - is standard input.", allow_leading_hyphen=True)
]
Tongue = Annotated[Literal["en", "de"], Parameter(help="The language.")]
SchemaFile = Annotated[Path | None, Parameter(help="The file to write; by default it is printed.")]
Program = Annotated[Literal["solvitaire"], Parameter(help="The program.")]
Source = Annotated[
    Path, Parameter(help="Its rules; - is standard input.", allow_leading_hyphen=True)
]
Out = Annotated[Path | None, Parameter(help="The file to write; by default it is printed.")]
Name = Annotated[str | None, Parameter(help="The name of the game; by default that of the file.")]
Strict = Annotated[bool, Parameter(name="--strict", help="Treat warnings as errors.")]


def check(files: Files, /, *, strict: Strict = False, json: Json = False) -> int:
    """Check rules files and report everything wrong with them.

    The exit status is 1 if any of them has an error.
    """
    reports = [(str(file), _report(file)) for file in files]
    bad = any(not report.ok or (strict and report.faults) for _, report in reports)
    if json:
        output.data_json([_facts(name, report) for name, report in reports])
        return int(bad)
    for index, (name, report) in enumerate(reports):
        if index and (report.faults or reports[index - 1][1].faults):
            output.data()
        if report.faults:
            output.data_report(report)
        else:
            output.data(f"{name}: no problems found")
    return int(bad)


def expand(game: GameName, /, *, json: Json = False) -> None:
    """Expand the phrases of a game into core rules.

    The output is a rules file. With --json it is the same data as JSON.
    """
    from cadogan.rules import expand_text

    text = expand_text(game)
    if json:
        import tomllib

        output.data_json(tomllib.loads(text))
    else:
        output.data(text.rstrip("\n"))


def rules(game: GameName, /, *, language: Tongue = "en", json: Json = False) -> None:
    """Explain the rules of a game, in English or in German."""
    from cadogan.rules.cache import compiled
    from cadogan.rules.explain import explain

    book = compiled(game).rulebook
    text = explain(book, language)
    if json:
        output.data_json({"name": game, "title": book.name, "text": text})
        return
    from cadogan.cli.prose import prose

    output.data_text(prose(text, output.width()))


def import_rules(program: Program, file: Source, /, out: Out = None, *, name: Name = None) -> int:
    """Translate the rules of another program.

    A rules file is written. For Solvitaire, FILE has its rules in JSON, as it prints them with

        solvitaire --describe-game-rules GAME
    """
    from cadogan.exchange.solvitaire import SolvitaireError, rules_file
    from cadogan.reading import read_text

    if name is None:
        name = "Imported" if str(file) == "-" else file.stem.replace("-", " ").title()
    try:
        text = rules_file(read_text(file), name)
    except SolvitaireError as wrong:
        source = "standard input" if str(file) == "-" else file
        for fault in wrong.faults:
            output.error(f"{source}: {fault}")
        return 2
    if out is None:
        output.data(text.rstrip("\n"))
        return 0
    if out.exists():
        raise output.UsageError(f"{out} exists already", "name another file")
    from cadogan.storage import replace_file

    replace_file(out, text)
    output.note(f"check it with: cadogan check {out}")
    return 0


def schema(file: SchemaFile = None, /) -> None:
    """Write the JSON Schema of rules files, for editors.

    Without a file the schema is printed. Rules files begin with the line

        #:schema ./cadogan.schema.json

    so write it beside them, with: cadogan schema cadogan.schema.json
    """
    from cadogan.rules.validate.schema import schema_text

    if file is None:
        output.data(schema_text().rstrip("\n"))
        return
    if file.suffix != ".json":
        raise output.UsageError(
            f"{file} is not the name of a JSON file", "cadogan schema cadogan.schema.json"
        )
    from cadogan.storage import replace_file

    replace_file(file, schema_text())


def _report(file: Path) -> "Report":
    from cadogan.rules import check_text
    from cadogan.rules.read.read import MAX_BYTES

    # One byte too many is enough for the check to report the file as too long.
    if str(file) == "-":
        return check_text(sys.stdin.buffer.read(MAX_BYTES + 1), "<stdin>")
    with file.open("rb") as opened:
        return check_text(opened.read(MAX_BYTES + 1), str(file))


def _facts(name: str, report: "Report") -> dict[str, Any]:
    return {"file": name, "ok": report.ok, "faults": report.to_json()}
