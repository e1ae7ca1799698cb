"""Reads the rows of a damaged SQLite file page by page.

SQLite finds rows through a B-tree. If a page near the root is damaged, SQLite finds nothing below
it, even if the pages there are intact. This module reads each page independently: if a page looks
like a leaf of a table, all its readable rows are returned. The caller must recognize from a row to
which table it belongs. Unused pages may hold old rows. The file format is described in
https://sqlite.org/fileformat2.html.
"""

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

Row = tuple[Any, ...]

_LEAF: Final = 13
_SIZES: Final = tuple(1 << power for power in range(9, 17))
_USUAL: Final = 4096
_WAL_HEADER: Final = 32
_WAL_MAGIC: Final = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_FRAME_HEADER: Final = 24
_LONGEST: Final = 1 << 26
"""The largest size of a row in bytes."""


class _UnreadableError(ValueError):
    """The bytes are not a row."""


def rows(database: Path, log: Path | None = None) -> Iterator[Row]:
    """Reads all rows that are readable in the pages of a file and of its write-ahead log.

    Args:
        database: The database file.
        log: Its write-ahead log. Pages of the log come first, newest first.

    Yields:
        The values of a row.
    """
    with _Bytes(database) as data:
        size = _page_size(data)
        if log is not None and log.exists():
            with _Bytes(log) as frames:
                wide = int.from_bytes(frames[8:12], "big") if len(frames) >= _WAL_HEADER else 0
                size = wide if wide in _SIZES else size
                step = size + _FRAME_HEADER
                for start in range(_WAL_HEADER, len(frames) - step + 1, step)[::-1]:
                    page = bytes(frames[start + _FRAME_HEADER : start + step])
                    yield from _rows_of(
                        page, int.from_bytes(frames[start : start + 4], "big"), data
                    )
        for start in range(0, len(data), size):
            yield from _rows_of(bytes(data[start : start + size]), start // size + 1, data)


def is_broken_log(log: Path) -> bool:
    """Whether a write-ahead log has a damaged header.

    SQLite would treat such a log as empty, and silently lose all its pages.
    """
    try:
        with log.open("rb") as file:
            header = file.read(_WAL_HEADER)
    except FileNotFoundError:
        return False
    # After a power failure, a log to which nothing was written may consist of zeros.
    return any(header) and header[:4] not in _WAL_MAGIC


class _Bytes:
    """The bytes of a file that may be empty, as a context manager."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")

    def __enter__(self) -> "mmap.mmap | bytes":
        try:
            self._mapped: mmap.mmap | None = mmap.mmap(
                self._file.fileno(), 0, access=mmap.ACCESS_READ
            )
        except ValueError:  # An empty file cannot be mapped.
            self._mapped = None
        return b"" if self._mapped is None else self._mapped

    def __exit__(self, *_: object) -> None:
        if self._mapped is not None:
            self._mapped.close()
        self._file.close()


def _page_size(data: "mmap.mmap | bytes") -> int:
    """The page size in the header, or SQLite's default if there is no valid header."""
    stored = int.from_bytes(data[16:18], "big")
    size = 65536 if stored == 1 else stored
    return size if data[:15] == b"SQLite format 3" and size in _SIZES else _USUAL


def _rows_of(page: bytes, number: int, data: "mmap.mmap | bytes") -> Iterator[Row]:
    """The rows of a page, if it is a leaf."""
    begin = 100 if number == 1 else 0
    size = len(page)
    if size < begin + 8 or page[begin] != _LEAF:
        return
    cells = int.from_bytes(page[begin + 3 : begin + 5], "big")
    pointers = begin + 8
    if pointers + 2 * cells > size:
        return
    for index in range(cells):
        place = int.from_bytes(page[pointers + 2 * index : pointers + 2 * index + 2], "big")
        try:
            length, place = _varint(page, place)
            _, place = _varint(page, place)
            yield _record(_payload(page, place, length, data))
        except (_UnreadableError, UnicodeDecodeError):
            continue


def _payload(page: bytes, place: int, length: int, data: "mmap.mmap | bytes") -> bytes:
    """The bytes of a row; a long row continues on overflow pages."""
    size = len(page)
    most = size - 35
    if length <= most:
        return page[place : place + length]
    if length > _LONGEST:
        raise _UnreadableError
    least = (size - 12) * 32 // 255 - 23
    here = least + (length - least) % (size - 4)
    here = here if here <= most else least
    found = [page[place : place + here]]
    left = length - here
    following = page[place + here : place + here + 4]
    while left > 0:
        start = (int.from_bytes(following, "big") - 1) * size
        if start < 0 or start + size > len(data):
            raise _UnreadableError
        part = bytes(data[start + 4 : start + 4 + min(left, size - 4)])
        found.append(part)
        left -= len(part)
        following = bytes(data[start : start + 4])
    return b"".join(found)


def _record(payload: bytes) -> Row:
    width, place = _varint(payload, 0)
    if width > len(payload):
        raise _UnreadableError
    at = width
    values: list[Any] = []
    while place < width:
        kind, place = _varint(payload, place)
        size = _size(kind)
        value = payload[at : at + size]
        if len(value) != size:
            raise _UnreadableError
        values.append(_value(kind, value))
        at += size
    return tuple(values)


def _size(kind: int) -> int:
    if kind >= 12:
        return (kind - 12) // 2
    if kind in (10, 11):
        raise _UnreadableError
    return (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[kind]


def _value(kind: int, value: bytes) -> Any:
    if kind == 0:
        return None
    if kind <= 6:
        return int.from_bytes(value, "big", signed=True)
    if kind == 7:
        return struct.unpack(">d", value)[0]
    if kind < 10:
        return kind - 8
    return value.decode() if kind % 2 else value


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """Reads a number of one to nine bytes; returns it and the place behind it."""
    number = 0
    for index in range(9):
        if place >= len(data):
            raise _UnreadableError
        byte = data[place]
        place += 1
        if index == 8:
            return number << 8 | byte, place
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return number, place
