"""Who is told of what happens at which table."""

import threading
from collections.abc import Callable

Send = Callable[[str], None]
Text = Callable[[str], str]
"""A text in a language."""


class Subscriptions:
    """Who wants to know of which table. Told from any thread."""

    def __init__(self) -> None:
        self._sends: dict[str, list[tuple[str, Send]]] = {}
        self._lock = threading.Lock()

    def add(self, key: str, language: str, send: Send) -> None:
        """Tells somebody of a table from now on."""
        with self._lock:
            self._sends.setdefault(key, []).append((language, send))

    def remove(self, key: str, send: Send) -> None:
        """Tells somebody no more."""
        with self._lock:
            sends = self._sends.get(key, [])
            sends[:] = [each for each in sends if each[1] is not send]
            if not sends:
                self._sends.pop(key, None)

    def heard(self, key: str) -> bool:
        """Whether anybody wants to know of a table."""
        return key in self._sends

    def tell(self, key: str, text: Text) -> None:
        """Tells everybody who wants to know of a table, each in his language."""
        with self._lock:
            sends = list(self._sends.get(key, ()))
        texts = {language: text(language) for language in {language for language, _ in sends}}
        for language, send in sends:
            send(texts[language])
