"""What all routes need: the store, the games, the tables, and who looks for verdicts."""

from pathlib import Path
from typing import Annotated, Literal

from fastapi import Depends, Query, Request

from cadogan.table.hints import Adviser
from cadogan.table.library import Library
from cadogan.table.record import Record
from cadogan.table.store import Store
from cadogan.table.tables import StaleError, Tables
from cadogan.table.winnable import Searches
from cadogan.web import models, present
from cadogan.web.listeners import Listeners

LANGUAGES = ("en", "de")


class House:
    """Everything that is open while the server runs.

    Args:
        database: The address of the database; by default SQLite in the data folder.
        folder: The data folder; by default the user's.
        workers: How many processes look for verdicts; 0 for none.
    """

    def __init__(
        self, database: str | None = None, folder: Path | None = None, workers: int = 1
    ) -> None:
        self.store = Store(database, folder)
        self.library = Library(self.store)
        self.tables = Tables(self.store, self.library)
        self.searches = Searches()
        self.listeners = Listeners()
        self.tables.listen(self._changed)
        self.workers = workers
        self._advisers: dict[str, Adviser] = {}

    def _changed(self, record: Record) -> None:
        """A table has changed: its other tabs are told."""
        if self.listeners.heard(record.key):
            table = self.table(record, LANGUAGES[0])
            event = models.TableEvent.model_construct(type="table", table=table)
            self.listeners.tell(record.key, event.model_dump_json(by_alias=True))

    def looked_at(self, record: Record) -> None:
        """Somebody has opened a table."""

    def close(self) -> None:
        """Ends what runs, and closes the store."""
        self.searches.close()
        self.store.close()

    def verdict(self, record: Record, language: str) -> models.Verdict:
        """What is known of whether the game can be won."""
        return models.Verdict(
            mode=record.options.verdict,
            status="off",
            searching=False,
            nodes=0,
            since=None,
            since_exact=False,
            message=models.Message(key="verdict.off", text="not asked for"),
        )

    def table(self, record: Record, language: str) -> models.Table:
        """A table as it is told."""
        return present.table(record, self.verdict(record, language))

    def hint(self, key: str, version: int, language: str) -> models.Hint:
        """Advises a move at a table.

        Raises:
            StaleError: If the table has changed.
        """
        record = self.tables.get(key)
        if record.version != version:
            raise StaleError(record)
        at = record.position
        hint = self._advisers.setdefault(key, Adviser()).hint(at)
        if hint.move is None:
            lost = hint.verdict is not None and hint.verdict.status == "unwinnable"
            told = "the game cannot be won any more" if lost else "no line to a win was found"
            return models.Hint(
                kind="none",
                move=None,
                left=None,
                message=models.Message(key="hint.none", text=told),
            )
        kind: Literal["proved", "likely"] = "proved" if hint.proved else "likely"
        told = (
            f"proved: it wins in {hint.left} moves"
            if hint.proved
            else "not proved: it brings a card to a foundation"
        )
        return models.Hint(
            kind=kind,
            move=present.move(at, hint.move),
            left=hint.left if hint.proved else None,
            message=models.Message(key=f"hint.{kind}", text=told),
        )

    def settings(self) -> models.Settings:
        """What the player has set; what cannot be read any more is as at the beginning."""
        kept = self.store.setting("settings")
        known = {key: value for key, value in (kept or {}).items() if key in _SETTINGS}
        try:
            return models.Settings.model_validate(known)
        except ValueError:
            return models.Settings()


_SETTINGS = models.Settings.model_fields


def house(request: Request) -> House:
    """The house of a request."""
    found: House = request.app.state.house
    return found


def language(
    request: Request,
    lang: Annotated[
        str | None,
        Query(
            max_length=20,
            description="The language of texts; by default that of Accept-Language.",
        ),
    ] = None,
) -> str:
    """The language in which a request is answered."""
    asked = lang or request.headers.get("accept-language", "")
    for part in asked.split(","):
        name = part.split(";")[0].strip().lower()[:2]
        if name in LANGUAGES:
            return name
    return LANGUAGES[0]


InHouse = Annotated[House, Depends(house)]
Language = Annotated[str, Depends(language)]
