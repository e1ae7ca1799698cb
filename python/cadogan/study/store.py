"""The store of a study's records: a folder of Parquet files.

    DIR/store.json      marks the folder as a store, and gives its format
    DIR/plan.json       the studies
    DIR/parts/*.parquet the records
    DIR/costs/*.json    the cost of runs (:mod:`cadogan.study.costs`)

A part is written under a temporary name and renamed when it is complete and on disk. Its name is a
hash of its records. So a part is written once and never changed, and stores are merged by copying
their parts into one folder; records with the same key count once. If a writer is killed at any
time, only what it has not written yet is lost.
"""

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cadogan.storage import replace_file, replacing
from cadogan.study.errors import StudyError
from cadogan.study.planner import Known
from cadogan.study.players import LOST, WON
from cadogan.study.record import COLUMNS, CRASHED, FAILED, KEY, Record, digest_of
from cadogan.study.statistics import missing

if TYPE_CHECKING:
    import duckdb

FORM: Final = 2
"""The version of the folder's format."""
BLOCK: Final = 10_000
"""How many numbers of deals a part of a finished study covers."""
_MAGIC: Final = b"PAR1"
_SHORTEST: Final = 12
_TRIES: Final = 20
"""How often the folder is listed again if a part disappeared meanwhile."""


def _words(words: Iterable[str]) -> str:
    return ", ".join(f"'{word}'" for word in sorted(words))


_DECIDED: Final = f"verdict in ({_words(WON | LOST)})"
_FAULTY: Final = f"verdict in ({_words({CRASHED, FAILED})})"

_BEST: Final = (
    "qualify row_number() over (partition by game, digest, player, scheme, number "
    f"order by {_FAULTY}, not {_DECIDED}, "
    f"case when {_DECIDED} then budget::hugeint else -budget::hugeint end, solver) = 1"
)
"""Selects the most informative record of each deal."""


class Store:
    """A store of records.

    Args:
        folder: Its folder.
        create: Whether to create the store if it does not exist.

    Raises:
        StudyError: If the folder is not a store, or a store of another format.
    """

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        self.folder = folder
        self.parts_folder = folder / "parts"
        mark = folder / "store.json"
        if not mark.exists():
            if not create:
                raise StudyError(
                    f"{folder} is not a store of studies",
                    "'cadogan study run --out DIR' creates one",
                )
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise StudyError(
                    f"{folder} exists already and is not a store of studies",
                    "name a new or empty folder",
                )
            self._make(mark)
        self._database: duckdb.DuckDBPyConnection | None = None
        try:
            form = json.loads(mark.read_text(encoding="utf-8"))["form"]
        except (ValueError, KeyError, TypeError):
            raise StudyError(f"{mark} cannot be read", "is this folder a store?") from None
        if form != FORM:
            raise StudyError(
                f"{folder} is a store of format {form}, and this version reads format {FORM}",
                "use the version of Cadogan that wrote it, or another folder",
            )

    def _make(self, mark: Path) -> None:
        try:
            self.parts_folder.mkdir(parents=True, exist_ok=True)
            text = json.dumps({"what": "a store of Cadogan's studies", "form": FORM})
            replace_file(mark, text + "\n")
        except OSError as error:
            raise self._unwritten(error) from None

    # Writing.

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Locks the store for writing, and removes unfinished files of a killed writer.

        Raises:
            StudyError: If another process is writing into this store.
        """
        with (self.folder / ".lock").open("a") as file:
            try:
                _lock(file.fileno())
            except OSError:
                raise StudyError(
                    f"another process is writing into {self.folder}",
                    "wait for it, or use another folder and merge them",
                ) from None
            for draft in self.parts_folder.glob(".*"):
                draft.unlink(missing_ok=True)
            yield

    def write(self, records: Iterable[Record]) -> Path | None:
        """Writes records as a part. When this returns, they are on disk.

        Returns:
            The part; ``None`` if there are no records.

        Raises:
            StudyError: If the records cannot be written. Older records are not affected.
        """
        ordered = sorted(records, key=lambda record: tuple(getattr(record, name) for name in KEY))
        if not ordered:
            return None
        path = self.parts_folder / f"part-{digest_of(ordered)}.parquet"
        if path.exists():
            return path
        duckdb = _duckdb()
        try:
            with replacing(path) as draft, self._connect() as connection:
                connection.register("incoming", _columns(ordered))
                chosen = ", ".join(
                    f"unhex({name}) as {name}" if kind == "BLOB" else f"{name}::{kind} as {name}"
                    for name, kind in COLUMNS.items()
                )
                connection.execute(
                    f"copy (select {chosen} from incoming) to {_quoted(str(draft))} "
                    "(format parquet, compression zstd)"
                )
        except (OSError, duckdb.Error) as error:
            raise self._unwritten(error) from None
        return path

    def _unwritten(self, error: Exception) -> StudyError:
        reason = getattr(error, "strerror", None) or str(error).strip().splitlines()[0]
        return StudyError(
            f"{self.folder}: the results could not be written: {reason}",
            "all earlier results are saved; solve the problem and run the study again",
        )

    def compact(self, block_size: int = BLOCK) -> None:
        """Rewrites the records in few parts, split by the numbers of the deals.

        Stores that hold the same records have the same parts afterwards. This may be killed at any
        time: old parts are deleted only when the new ones are on disk.

        Args:
            block_size: How many numbers a part covers. One shard of many has few of them.
        """
        old = set(self.parts())
        new: set[Path] = set()
        block: list[Record] = []
        place: tuple[object, ...] | None = None
        for record in self.records():
            here = (*record[:4], record.number // block_size)
            if here != place and block:
                new.add(self.write(block) or self.folder)
                block = []
            place = here
            block.append(record)
        if block:
            new.add(self.write(block) or self.folder)
        for part in old - new:
            part.unlink(missing_ok=True)

    def merge(self, other: "Store") -> int:
        """Copies the records of another store into this one. Repeating it changes nothing.

        Returns:
            How many parts were new.

        Raises:
            StudyError: If a part of the other store does not match its name.
        """
        before = len(self.parts())
        for part in other.parts():
            self.write(other.checked(part))
        return len(self.parts()) - before

    # Reading.

    def parts(self) -> list[Path]:
        """Lists the files with records.

        Raises:
            StudyError: If a file is damaged, or the files change all the time.
        """
        for _ in range(_TRIES):
            found = sorted(self.parts_folder.glob("part-*.parquet"))
            try:
                damaged = next((path for path in found if not _looks_whole(path)), None)
            except FileNotFoundError:
                # A run has just compacted it.
                continue
            if damaged is not None:
                raise _damaged(damaged)
            return found
        raise self._changed()

    def checked(self, part: Path) -> list[Record]:
        """Reads the records of a part and checks that its name is their hash.

        Raises:
            StudyError: If the part is damaged.
        """
        duckdb = _duckdb()
        try:
            with self._connect() as connection:
                chosen = ", ".join(COLUMNS)
                rows = connection.execute(
                    f"select {chosen} from read_parquet({_quoted(str(part))}, "
                    "file_row_number = true) order by file_row_number"
                ).fetchall()
        except duckdb.Error:
            raise _damaged(part) from None
        records = [Record(*row) for row in rows]
        if part.name != f"part-{digest_of(records)}.parquet":
            raise _damaged(part)
        return records

    @contextlib.contextmanager
    def open(self) -> "Iterator[duckdb.DuckDBPyConnection]":
        """Opens a connection with the views ``stored``, ``records`` (one row per key) and ``best``.

        In ``best`` a deal has one row for each game and player: the decided one, or else the one
        with the largest budget.

        Raises:
            StudyError: If the store cannot be read, or changes meanwhile.
        """
        duckdb = _duckdb()
        parts = self.parts()
        with self._connect() as connection:
            if parts:
                names = ", ".join(_quoted(str(part)) for part in parts)
                source = f"read_parquet([{names}])"
            else:
                blanks = ", ".join(f"null::{kind} as {name}" for name, kind in COLUMNS.items())
                source = f"(select {blanks} where false)"
            try:
                connection.execute(f"create or replace temp view stored as select * from {source}")
                connection.execute(
                    "create or replace temp view records as "
                    f"select {', '.join(COLUMNS)} from stored qualify row_number() over "
                    f"(partition by {', '.join(KEY)} order by {_FAULTY}, "
                    "version, verdict, nodes, line, note) = 1"
                )
                connection.execute(
                    f"create or replace temp view best as select * from records {_BEST}"
                )
                yield connection
            except duckdb.Error as error:
                # A run may have compacted the parts, which deletes the small ones.
                if not all(part.exists() for part in parts):
                    raise self._changed() from None
                for part in parts:
                    self.checked(part)
                raise StudyError(f"{self.folder} cannot be read: {error}") from None

    def _changed(self) -> StudyError:
        return StudyError(
            f"{self.folder} changed while it was read", "a study is running there; try again"
        )

    def _connect(self) -> "duckdb.DuckDBPyConnection":
        # Starting a database takes longer than writing a part.
        if self._database is None:
            self._database = _duckdb().connect(
                config={"autoinstall_known_extensions": "false", "threads": "2"}
            )
        return self._database.cursor()

    def records(self, where: str = "true", values: Sequence[object] = ()) -> Iterator[Record]:
        """Reads the records, one for each key, in the order of their keys.

        Args:
            where: A condition in SQL.
            values: The values of its question marks.

        Yields:
            The records.
        """
        chosen = ", ".join(COLUMNS)
        with self.open() as connection:
            cursor = connection.execute(
                f"select {chosen} from records where {where} order by {', '.join(KEY)}",
                list(values),
            )
            while rows := cursor.fetchmany(BLOCK):
                yield from (Record(*row) for row in rows)

    def best_with_nodes(self) -> Iterator[tuple[Any, ...]]:
        """Reads the most informative record of each deal, in the order of the keys.

        Yields:
            The columns of the record, and the nodes that its solver spent on the deal with all
            budgets.
        """
        study = "game, digest, player, scheme"
        chosen = ", ".join(f"top.{name}" for name in COLUMNS)
        with self.open() as connection:
            # Block by block, so that a million lines need not be in memory at the same time.
            blocks = connection.execute(
                f"select distinct {study}, number // {BLOCK} from stored order by all"
            ).fetchall()
            for *names, block in blocks:
                yield from connection.execute(
                    "with found as (select * from records where game = ? and digest = ? "
                    "and player = ? and scheme = ? and number between ? and ?), "
                    f"top as (select * from found {_BEST}) "
                    f"select {chosen}, spent.nodes from top join "
                    "(select number, solver, sum(nodes)::ubigint as nodes from found "
                    "group by number, solver) as spent using (number, solver) order by number",
                    [*names, block * BLOCK, block * BLOCK + BLOCK - 1],
                ).fetchall()

    def copy_rows(
        self,
        rows: Sequence[tuple[Any, ...]],
        columns: Sequence[tuple[str, str, str | None]],
        to: Path,
    ) -> None:
        """Writes rows that are not records into a Parquet file.

        Args:
            rows: The rows.
            columns: The name and the type of each column, and for a column of lists what parts
                their items in the text of a row.
            to: The file.

        Raises:
            StudyError: If it cannot be written.
        """
        import numpy

        duckdb = _duckdb()
        chosen = []
        data: dict[str, Any] = {}
        for (name, kind, between), values in zip(columns, zip(*rows, strict=True), strict=True):
            number = {"UBIGINT": numpy.uint64, "UINTEGER": numpy.uint32}.get(kind, object)
            data[name] = numpy.array(values, dtype=number)
            if between is None:
                chosen.append(f"{name}::{kind} as {name}")
            else:
                parts = f"string_split({name}::VARCHAR, {_quoted(between)})"
                chosen.append(f"case when {name} = '' then [] else {parts} end as {name}")
        try:
            with self._connect() as connection:
                connection.register("incoming", data)
                connection.execute(
                    f"copy (select {', '.join(chosen)} from incoming) to {_quoted(str(to))} "
                    "(format parquet, compression zstd)"
                )
        except duckdb.Error as error:
            raise StudyError(f"{to} could not be written: {str(error).splitlines()[0]}") from None

    def known(
        self,
        game: str,
        digest: str,
        player: str,
        scheme: str,
        budgets: Sequence[int],
        solver: str | None = None,
    ) -> dict[int, Known]:
        """Returns the results that a planner need not ask for again.

        Args:
            game: The name of the game.
            digest: The fingerprint of its rules.
            player: The player, with its options.
            scheme: The scheme of the deals.
            budgets: The budgets of the study, smallest first.
            solver: The fingerprint of a solver. If given, undecided results of other solvers are
                left out.

        Returns:
            The results by the number of the deal.
        """
        known: dict[int, Known] = {}
        with self.open() as connection:
            cursor = connection.execute(
                "select number, verdict, nodes, budget from records "
                "where game = ? and digest = ? and player = ? and scheme = ? "
                f"and ({_DECIDED} or solver = coalesce(?, solver)) {_BEST}",
                [game, digest, player, scheme, solver],
            )
            for number, verdict, nodes, budget in cursor.fetchall():
                stage = sum(each <= budget for each in budgets) - 1
                if verdict in WON or verdict in LOST:
                    known[number] = Known(verdict in WON, nodes, len(budgets) - 1)
                elif verdict in (CRASHED, FAILED):
                    known[number] = Known(None, nodes, len(budgets) - 1)
                elif stage >= 0:
                    known[number] = Known(None, nodes, stage)
        return known

    def rules(self) -> list[tuple[str, str]]:
        """Returns the games that were tried, each with the fingerprint of its rules."""
        with self.open() as connection:
            found = connection.execute("select distinct game, digest from stored order by all")
            return [(game, digest) for game, digest in found.fetchall()]

    def digests(self, game: str) -> set[str]:
        """Returns the fingerprints of the rules with which a game was tried."""
        return {digest for name, digest in self.rules() if name == game}

    def forget_faulty(self) -> int:
        """Removes the records of deals that crashed or failed, so that they are tried again.

        Returns:
            How many records were removed.
        """
        count = 0
        for part in self.parts():
            records = self.checked(part)
            good = [each for each in records if each.verdict not in (CRASHED, FAILED)]
            if len(good) < len(records):
                self.write(good)
                part.unlink()
                count += len(records) - len(good)
        return count


def disagreement(stores: Sequence[Store]) -> str | None:
    """Describes a question that two stores answer differently; ``None`` if there is none.

    The same solver gives the same answer. A deal that crashed somewhere has no answer.
    """
    parts = [part for store in stores for part in store.parts()]
    if not parts:
        return None
    names = ", ".join(_quoted(str(part)) for part in parts)
    answer = "verdict, nodes, length, line, note"
    with stores[0]._connect() as connection:
        found = connection.execute(
            f"select game, scheme, number, player, min(filename), max(filename) "
            f"from read_parquet([{names}], filename = true) where not {_FAULTY} "
            f"group by game, scheme, number, player, {', '.join(KEY)}, hash({answer}) "
            f"qualify count(*) over (partition by {', '.join(KEY)}) > 1 order by all limit 2"
        ).fetchall()
    if not found:
        return None
    game, scheme, number, player, *_ = found[0]
    one, other = (Path(row[4]).parent.parent for row in found)
    return f"{one} and {other} disagree about {game} {scheme}:{number}, {player}"


def _looks_whole(part: Path) -> bool:
    with part.open("rb") as file:
        head = file.read(len(_MAGIC))
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - len(_MAGIC), 0))
        return size >= _SHORTEST and head == _MAGIC == file.read()


def _damaged(part: Path) -> StudyError:
    return StudyError(
        f"{part} is damaged, or does not match its name",
        "move it away and run the study again: only its deals are tried again",
    )


def _columns(records: Sequence[Record]) -> dict[str, Any]:
    import numpy

    kinds = {"UBIGINT": numpy.uint64, "UINTEGER": numpy.uint32}
    columns: dict[str, Any] = {}
    for name, values in zip(COLUMNS, zip(*records, strict=True), strict=True):
        kind = COLUMNS[name]
        if kind == "BLOB":
            values = tuple(value.hex() for value in values)
        columns[name] = numpy.array(values, dtype=kinds.get(kind, object))
    return columns


def _duckdb() -> Any:
    try:
        import duckdb
    except ImportError:
        raise missing("duckdb") from None
    return duckdb


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _lock(handle: int) -> None:
    try:
        import fcntl
    except ImportError:  # Without a lock, parts are still written atomically.
        return
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
