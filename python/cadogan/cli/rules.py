"""``cadogan check``, ``expand``, ``explain`` and ``schema``: rules files and what is in them."""

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
Tongue = Annotated[Literal["en", "de"], Parameter(help="The language: en or de.")]
Strict = Annotated[bool, Parameter(name="--strict", help="Take warnings for errors.")]


def check(files: Files, /, *, strict: Strict = False, json: Json = False) -> int:
    """Check rules files and tell all their faults.

    The exit status is 1 if there is an error in one of them.
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
            output.data(f"{name}: nothing to complain of")
    return int(bad)


def expand(game: GameName, /, *, json: Json = False) -> None:
    """Write out the core rules that a game's phrases stand for.

    The expansion is a rules file itself; with --json it is the same data as JSON.
    """
    from cadogan.rules import expand_text

    text = expand_text(game)
    if json:
        import tomllib

        output.data_json(tomllib.loads(text))
    else:
        output.data(text.rstrip("\n"))


def explain(game: GameName, /, *, language: Tongue = "en", json: Json = False) -> None:
    """Tell the rules of a game in words, in English or in German."""
    from cadogan.rules import load_rules
    from cadogan.rules.explain import explain as told

    book = load_rules(game).rulebook
    text = told(book, language)
    if json:
        output.data_json({"name": game, "title": book.name, "text": text})
        return
    from cadogan.cli.prose import prose

    output.data_text(prose(text, output.width()))


def schema() -> None:
    """Write the JSON Schema of rules files, for editors."""
    from cadogan.rules.validate.schema import schema as told

    output.data_json(told())


def _report(file: Path) -> "Report":
    from cadogan.rules import check_text

    if str(file) == "-":
        return check_text(sys.stdin.buffer.read(), "<stdin>")
    return check_text(file.read_bytes(), str(file))


def _facts(name: str, report: "Report") -> dict[str, Any]:
    return {"file": name, "ok": report.ok, "faults": report.to_json()}
