"""Writes the OpenAPI document: ``python -m cadogan.web.openapi web/openapi.json``."""

import json
import sys
import tempfile
from pathlib import Path

from cadogan.web.app import create_app
from cadogan.web.state import AppState


def document() -> str:
    """The document, as stored in the repository."""
    with tempfile.TemporaryDirectory() as folder:
        state = AppState(folder=Path(folder), workers=0)
        try:
            made = create_app(state).openapi()
        finally:
            state.close()
    # The version of the package is not part of the contract.
    made["info"]["version"] = "1"
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(document(), encoding="utf-8")
