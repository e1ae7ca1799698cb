"""The token of the table: what everybody must know who comes."""

import os
import secrets
from pathlib import Path
from typing import Final

FILE: Final = "token"


def saved_token(folder: Path) -> str:
    """The token that is saved in a data folder; it is made at the first call.

    It stays the same, so that a browser that was there before finds the door open.

    Raises:
        OSError: If the folder cannot be read or written.
    """
    path = folder / FILE
    found = path.read_text(encoding="utf-8").strip() if path.is_file() else ""
    if len(found) >= 32:
        return found
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = secrets.token_urlsafe(32)
    # It is complete as soon as it is there: another server may be starting, too.
    fresh = folder / f"{FILE}.{os.getpid()}"
    fresh.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with os.fdopen(os.open(fresh, flags, 0o600), "w", encoding="utf-8") as file:
        file.write(made + "\n")
    fresh.replace(path)
    return path.read_text(encoding="utf-8").strip()
