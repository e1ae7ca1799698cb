"""The token of the server: the secret that every client must know."""

import os
import secrets
from pathlib import Path
from typing import Final

FILE: Final = "token"


def saved_token(folder: Path) -> str:
    """The token that is saved in a data folder; the first call creates it.

    It does not change, so that browsers that know it stay admitted.

    Raises:
        OSError: If the folder cannot be read or written.
    """
    path = folder / FILE
    found = path.read_text(encoding="utf-8").strip() if path.is_file() else ""
    if len(found) >= 32:
        return found
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = secrets.token_urlsafe(32)
    # Create it atomically: another server may be starting at the same time.
    fresh = folder / f"{FILE}.{os.getpid()}"
    fresh.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with os.fdopen(os.open(fresh, flags, 0o600), "w", encoding="utf-8") as file:
        file.write(made + "\n")
    fresh.replace(path)
    return path.read_text(encoding="utf-8").strip()
