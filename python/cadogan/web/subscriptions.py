"""Delivers the events of tables to their subscribers."""

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

Send = Callable[[str], None]
Text = Callable[[str], str]
"""Returns a text in a language."""

MOST_AT_A_TABLE: Final = 200
MOST_WATCHERS: Final = 150
"""So many that there is room for the player."""
MOST_OF_A_CLIENT: Final = 500


@dataclass(frozen=True, slots=True)
class _Listener:
    language: str
    send: Send
    client: str


class Subscriptions:
    """The subscribers of each table. Safe to use from any thread."""

    def __init__(self) -> None:
        self._at: dict[str, list[_Listener]] = {}
        self._sent: dict[str, int] = {}
        self._clients: Counter[str] = Counter()
        self._lock = threading.Lock()

    def add(
        self, key: str, language: str, send: Send, client: str = "", most: int = MOST_AT_A_TABLE
    ) -> bool:
        """Subscribes to the events of a table.

        Args:
            key: The table.
            language: The language of the texts.
            send: Called with each event; must not block.
            client: The address of the listener.
            most: How many subscribers the table may have for this one to be accepted.

        Returns:
            Whether there was room: the number of subscriptions per table and per client is limited.
        """
        with self._lock:
            here = self._at.get(key, [])
            if len(here) >= most or self._clients[client] >= MOST_OF_A_CLIENT:
                return False
            self._at[key] = [*here, _Listener(language, send, client)]
            self._clients[client] += 1
            return True

    def remove(self, key: str, send: Send) -> None:
        """Ends a subscription."""
        with self._lock:
            here = self._at.pop(key, [])
            rest = [each for each in here if each.send is not send]
            if rest:
                self._at[key] = rest
            else:
                self._sent.pop(key, None)
            for each in here:
                if each.send is send:
                    self._clients[each.client] -= 1
            self._clients = +self._clients

    def has_listeners(self, key: str) -> bool:
        """Whether a table has subscribers."""
        return key in self._at

    def count(self) -> int:
        """How many subscriptions there are."""
        return self._clients.total()

    def keys(self) -> list[str]:
        """The tables that have subscribers."""
        return list(self._at)

    def begins_at(self, key: str, version: int) -> None:
        """Notes which version of a table its first subscriber has got."""
        with self._lock:
            if key in self._at:
                self._sent.setdefault(key, version)

    def is_behind(self, key: str, version: int) -> bool:
        """Whether a table has subscribers who have not got this version of it."""
        return key in self._at and self._sent.get(key, -1) < version

    def publish(self, key: str, text: Text, version: int = -1) -> None:
        """Sends an event to all subscribers of a table, each in their language.

        Args:
            key: The table.
            text: Returns the event in a language.
            version: The version of the table that the event brings, if it brings one.
        """
        here = self._at.get(key, [])
        texts = {language: text(language) for language in {each.language for each in here}}
        for each in here:
            each.send(texts[each.language])
        with self._lock:
            if key in self._at and version > self._sent.get(key, -1):
                self._sent[key] = version
