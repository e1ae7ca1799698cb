"""Exports records to files that other programs read."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cadogan.study.errors import StudyError
from cadogan.study.record import COLUMNS, KEY
from cadogan.study.store import Store
from cadogan.study.verify import text_lines

ENDINGS = (".csv", ".jsonl", ".parquet")


def export(store: Store, to: Path, *, lines: bool = False) -> int:
    """Writes the records of a store, one for each key, in the order of their keys.

    Args:
        store: The store.
        to: The file; its ending chooses the format.
        lines: Whether to write moves as text. Otherwise their codes are written: in hexadecimal,
            or as bytes in Parquet.

    Returns:
        How many records were written.

    Raises:
        StudyError: If the ending is unknown, or text is requested for Parquet.
        OSError: If the file cannot be written.
    """
    if to.suffix not in ENDINGS:
        raise StudyError(
            f"the ending of {to} is not a known format", f"use one of {', '.join(ENDINGS)}"
        )
    if to.suffix == ".parquet":
        if lines:
            raise StudyError(
                "Parquet files hold the codes of moves, not their text", "write .csv or .jsonl"
            )
        return _parquet(store, to)
    count = 0
    with to.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        if to.suffix == ".csv":
            table.writerow(COLUMNS)
        for row in _rows(store, lines):
            count += 1
            if to.suffix == ".csv":
                table.writerow(row.values())
            else:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return count


def _rows(store: Store, lines: bool) -> Iterator[dict[str, Any]]:
    texts = text_lines(store) if lines else iter(())
    for record in store.records():
        row: dict[str, Any] = record._asdict()
        row["line"] = record.line.hex()
        if lines and record.line:
            # Both iterators visit the records in the same order.
            row["line"] = next(texts)[1]
        yield row


def _parquet(store: Store, to: Path) -> int:
    with store.open() as connection:
        order = ", ".join(KEY)
        name = str(to).replace("'", "''")
        connection.execute(
            f"copy (select * from records order by {order}) to '{name}' (format parquet)"
        )
        found = connection.execute("select count(*) from records").fetchone()
    return int(found[0]) if found else 0
