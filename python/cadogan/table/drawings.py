"""Pictures as PNG, drawn within limits: in a process of their own, cached, so many for a client.

resvg holds the interpreter while it draws, up to a second for a large table on a small machine. So
it draws in another process, which is killed if it takes too long or too much memory.
"""

import hashlib
import threading
import time
from collections import Counter, OrderedDict
from typing import Final

from cadogan.i18n.text import gettext
from cadogan.pictures.png import as_png
from cadogan.table.attempts import from_address
from cadogan.table.trials import NoTrialsError, TooManyTrialsError, Trials

SECONDS: Final = 5.0
"""The time limit for one picture."""
MOST_BYTES: Final = 16 << 20
"""The size of all cached pictures; the one that was not asked for longest goes first."""
MOST_OF_A_CLIENT: Final = 120
"""Pictures for a client in a period, also those that are cached."""
PERIOD: Final = 60.0
MOST_CLIENTS: Final = 10_000
"""So many clients are counted; if there are more, all are forgotten."""


class TooManyPicturesError(RuntimeError):
    """A client has asked for too many pictures."""


class NoPictureError(RuntimeError):
    """A picture took too long, or cannot be drawn now."""


class Drawings:
    """The pictures of a server process.

    Args:
        seconds: The time limit for one picture.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._process = Trials(seconds)
        self._lock = threading.Lock()
        self._cached: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._clients: Counter[str] = Counter()
        self._since = 0.0

    def close(self) -> None:
        """Ends the process that draws."""
        self._process.close()

    def count(self, address: str) -> None:
        """Counts a picture for a client.

        Args:
            address: The address of the client.

        Raises:
            TooManyPicturesError: If it has asked for too many.
        """
        client = from_address(address).key
        with self._lock:
            at = time.monotonic()
            if at > self._since + PERIOD or len(self._clients) >= MOST_CLIENTS:
                self._clients.clear()
                self._since = at
            self._clients[client] += 1
            if self._clients[client] > MOST_OF_A_CLIENT:
                raise TooManyPicturesError(
                    gettext("too many pictures were asked for; try again in a minute")
                )

    def png(self, svg: str) -> bytes:
        """A picture as PNG.

        Raises:
            NoPictureError: If it takes too long, or if too many others wait.
        """
        key = hashlib.sha256(svg.encode()).hexdigest()
        with self._lock:
            if (found := self._cached.get(key)) is not None:
                self._cached.move_to_end(key)
                return found
        try:
            drawn = self._process.run(as_png, svg)
        except (TooManyTrialsError, NoTrialsError):
            drawn = None
        if drawn is None:
            raise NoPictureError(gettext("the server cannot draw this picture now"))
        with self._lock:
            if key not in self._cached:
                self._cached[key] = drawn
                self._size += len(drawn)
            while self._size > MOST_BYTES:
                self._size -= len(self._cached.popitem(last=False)[1])
        return drawn
