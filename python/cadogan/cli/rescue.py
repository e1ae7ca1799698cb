"""``cadogan rescue``: copies everything intact from a damaged database."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from cadogan.cli import output

OldFile = Annotated[Path, Parameter(help="The damaged database, such as tables.sqlite3.")]
NewFile = Annotated[
    Path | None, Parameter(name="--to", help="The new database; by default FILE.rescued.")
]


def rescue(file: OldFile, /, *, to: NewFile = None) -> int:
    """Copy everything intact from a damaged database.

    FILE does not change. Stop 'cadogan serve' first. Copies each table with all changes before the
    first lost one, and rules files, favourites, settings and verdicts. The exit status is 1 if FILE
    is damaged.
    """
    from cadogan.table.rescue import RescueError
    from cadogan.table.rescue import rescue as rescued

    new = file.with_name(f"{file.name}.rescued") if to is None else to
    try:
        found = rescued(file, new)
    except RescueError as fault:
        hint = "choose another new file with --to" if new.exists() else None
        raise output.UsageError(str(fault), hint) from None
    for loss in found.losses:
        game = " ".join(filter(None, (loss.game, loss.deal))) or "a table"
        if loss.reason is None:
            output.data(f"{game} ({loss.key}): {loss.rescued} of {loss.changes} changes rescued")
        elif loss.rescued or loss.game is not None:
            output.data(f"{game} ({loss.key}): {loss.reason}")
        else:
            output.data(f"{game} ({loss.key}) with {loss.changes} changes: {loss.reason}")
    output.data(f"{found.whole} tables are complete, {len(found.losses)} are not")
    others = ", ".join(f"{number} {kind.replace('_', ' ')}" for kind, number in found.other.items())
    output.data(f"also rescued: {others}")
    if found.damaged:
        output.note("the file is damaged: more may be lost than can be seen")
    else:
        output.note(f"{file} is not damaged; {new} is a copy")
    output.note(
        f"hint: replace {file} by {new}; keep the old file until you have checked the new one"
    )
    return int(found.damaged or bool(found.losses))
