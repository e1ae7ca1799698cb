"""The results of a study for notebooks and programs: rates at a glance, records as a data frame."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, final

from cadogan.pictures.html import table_html
from cadogan.study.errors import StudyError
from cadogan.study.plan import Plan
from cadogan.study.record import COLUMNS, KEY, Record
from cadogan.study.report import figures
from cadogan.study.store import Store
from cadogan.study.summary import Summary, plan_in, summarize

if TYPE_CHECKING:
    import duckdb
    import pandas
    import polars

_SHOWN = 10


@final
class Results:
    """The results of a study, read from its folder.

    In a notebook, it shows its rates with their intervals.

    Args:
        folder: The folder of the study.

    Raises:
        StudyError: If the folder is not a store of studies.
    """

    def __init__(self, folder: str | Path) -> None:
        self.store = Store(Path(folder))

    @property
    def plan(self) -> Plan:
        """The plan of the study.

        Raises:
            StudyError: If the store has no plan, or the plan is damaged.
        """
        return plan_in(self.store)

    def summaries(self) -> list[Summary]:
        """The figures of each study of the plan."""
        return summarize(self.store)

    def records(
        self, where: str = "true", values: Sequence[object] = (), *, best: bool = True
    ) -> "Records":
        """The records, to be read as a data frame or one by one.

        Args:
            where: A condition in SQL on the columns of a record, such as ``"nodes > ?"``.
            values: The values of its question marks.
            best: Whether to have only the most informative record of each deal and player.
                Otherwise there is one for each budget and solver, too.
        """
        return Records(self.store, where, tuple(values), "best" if best else "records")

    def __repr__(self) -> str:
        return f"Results({str(self.store.folder)!r})"

    def _repr_html_(self) -> str:
        return table_html(figures(self.summaries()))


@final
class Records:
    """Records of a study. Made by :meth:`Results.records`.

    It is an Arrow stream (``__arrow_c_stream__``), so programs that know Arrow read it in one call:
    ``polars.DataFrame(records)``, ``pyarrow.table(records)``.
    """

    def __init__(
        self,
        store: Store,
        where: str,
        values: tuple[object, ...],
        view: Literal["best", "records"],
    ) -> None:
        self._store = store
        self._query = f"from {view} where {where}"
        self._select = f"select {', '.join(COLUMNS)} {self._query} order by {', '.join(KEY)}"
        self._values = list(values)

    def pl(self) -> "polars.DataFrame":
        """The records as a data frame of polars.

        Raises:
            StudyError: If polars is not installed, or the records cannot be read.
        """
        try:
            import polars
        except ImportError:
            raise _not_installed("polars") from None
        return polars.DataFrame(self)

    def to_pandas(self) -> "pandas.DataFrame":
        """The records as a data frame of pandas.

        Raises:
            StudyError: If pandas is not installed, or the records cannot be read.
        """
        try:
            import pandas
        except ImportError:
            raise _not_installed("pandas") from None
        with self._store.open() as connection:
            frame: pandas.DataFrame = self._relation(connection).df()
            return frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        # A consumer may ask for other types; the protocol allows to ignore that.
        with self._store.open() as connection:
            # Everything is read now: a run may replace the parts of the store at any time.
            found: object = self._relation(connection).materialize().__arrow_c_stream__()
            return found

    def __iter__(self) -> Iterator[Record]:
        with self._store.open() as connection:
            cursor = connection.execute(self._select, self._values)
            while rows := cursor.fetchmany(1000):
                yield from (Record(*row) for row in rows)

    def __len__(self) -> int:
        with self._store.open() as connection:
            row = connection.execute(f"select count(*) {self._query}", self._values).fetchone()
        return int(row[0]) if row else 0

    def __repr__(self) -> str:
        return f"{len(self):,} records of {self._store.folder}"

    def _repr_html_(self) -> str:
        names = [name for name in COLUMNS if name not in ("line", "digest", "version", "solver")]
        rows = [names]
        for record, _ in zip(self, range(_SHOWN), strict=False):
            rows.append([str(getattr(record, name)) for name in names])
        count = len(self)
        more = f"<p>{count:,} records</p>" if count > _SHOWN else ""
        return table_html(rows) + more

    def _relation(self, connection: "duckdb.DuckDBPyConnection") -> "duckdb.DuckDBPyRelation":
        return connection.sql(self._select, params=self._values)


def _not_installed(package: str) -> StudyError:
    return StudyError(
        f"{package} is not installed, and this needs it", "pip install 'cadogan[data]'"
    )
