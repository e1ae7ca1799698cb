"""The rules of games in words, in the language of whoever asks.

English is made from what is played. Other languages are written by hand, a file a game, which
names the English text that it translates by its fingerprint: when that changes, the file is not
shown any more, and a test tells.
"""

import hashlib
import re
from typing import Final

from cadogan.game import Game
from cadogan.rules.explain import explain
from cadogan.told import FOLDER

_HEAD: Final = re.compile(r"<!-- translates (?P<mark>[0-9a-f]{16}) -->\n+")


def mark(english: str) -> str:
    """The fingerprint of an English text."""
    return hashlib.sha256(english.encode()).hexdigest()[:16]


def rules_in(game: Game, language: str) -> tuple[str, str]:
    """The rules in words.

    Args:
        game: The game, with variants.
        language: The language asked for.

    Returns:
        Markdown, and the language it is in.
    """
    english = explain(game.rulebook)
    if language == "en" or not re.fullmatch(r"[a-z0-9-]+", game.name):
        # Translations are of the plain game; with variants it is another text.
        return english, "en"
    path = FOLDER / language / "rules" / f"{game.name}.md"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return english, "en"
    head = _HEAD.match(text)
    if head is None or head["mark"] != mark(english):
        return english, "en"
    return text[head.end() :], language
