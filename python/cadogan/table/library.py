"""The games that can be played: the catalogue, and rules files of the player's own.

A rules file of the player's is kept in the store under a name made of its title and its text:
``own.rock-garden.1f0c9a2b``. It is never run, and never written anywhere else.
"""

import hashlib
import re
import threading
import unicodedata
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Final

from cadogan.game import Game, load
from cadogan.i18n.text import told, translate
from cadogan.rules import UnknownGameError, catalogue, check_text, load_rules
from cadogan.rules.faults.report import Report, RulesError
from cadogan.rules.files import split_name
from cadogan.rules.pipeline import exclusions
from cadogan.storage import replace_file
from cadogan.table.store import Store
from cadogan.table.win_rates import Chances, chances, is_measured

OWN: Final = "own."
MOST_BYTES: Final = 256 * 1024
MOST_LOADED: Final = 64
MOST_OWN: Final = 500


class LibraryFullError(ValueError):
    """A rules file is too long, or there are too many."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a list tells of a game.

    Attributes:
        name: Its name, without variants.
        game: The game without variants.
        own: Whether it is the player's own rules file.
        open: Whether all cards can be seen after the deal.
    """

    name: str
    game: Game
    own: bool
    open: bool


_CATALOGUE: dict[str, Facts] = {}
"""The catalogue does not change while the program runs."""


class Library:
    """The games.

    Args:
        store: Where rules files of the player's are kept.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._own: OrderedDict[str, Game] = OrderedDict()
        self._facts: dict[str, Facts] = {}
        self._chances: dict[str, Chances | None] = {}
        self._exclusions: dict[str, dict[tuple[str, str], str]] = {}
        self._lock = threading.Lock()

    def names(self) -> list[str]:
        """All games: those of the catalogue, then the player's own."""
        own = [name for name, (_, hidden) in self._store.rules().items() if not hidden]
        return [*catalogue(), *own]

    def load(self, name: str) -> Game:
        """Reads a game, with or without variants.

        Raises:
            UnknownGameError: If there is no such game or variant. A path is no game: a browser must
                not make the server read files.
            RulesError: If a variant has faults.
        """
        base, _ = split_name(name)
        if not base.startswith(OWN):
            if base not in catalogue():
                from cadogan.rules.faults.report import nearest

                raise UnknownGameError(base, nearest(base, catalogue()))
            return load(name)
        with self._lock:
            game = self._own.get(name)
            if game is not None:
                self._own.move_to_end(name)
                return game
        game = Game(name, load_rules(self.address(name)))
        with self._lock:
            self._own[name] = game
            while len(self._own) > MOST_LOADED:
                self._own.popitem(last=False)
        return game

    def address(self, name: str) -> str:
        """What :func:`cadogan.load` finds a game by in another process: its name, or its path."""
        base, variants = split_name(name)
        if not base.startswith(OWN):
            return name
        text, _ = self._store.rules().get(base, (None, False))
        if text is None:
            raise UnknownGameError(base, None)
        path = self._store.folder / "rules" / base / f"{base.split('.')[1]}.toml"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            replace_file(path, text)
        return f"{path}:{'+'.join(variants)}" if variants else str(path)

    def facts(self, name: str) -> Facts:
        """What is told of a game in a list.

        Raises:
            UnknownGameError: If there is no such game.
            RulesError: If its rules file has faults.
        """
        own = name.startswith(OWN)
        known = (self._facts if own else _CATALOGUE).get(name)
        if known is None:
            game = self.load(name)
            seen = game.deal("cadogan:1").visible_piles()
            is_open = all(card is not None for pile in seen.values() for card in pile)
            known = Facts(name, game, own, is_open)
            (self._facts if own else _CATALOGUE)[name] = known
        return known

    def exclusions(self, name: str) -> dict[tuple[str, str], str]:
        """Which variants of a game cannot be chosen together, and why.

        Raises:
            UnknownGameError: If there is no such game.
        """
        base, _ = split_name(name)
        known = self._exclusions.get(base)
        if known is None:
            known = self._exclusions[base] = exclusions(self.text(base), base)
        return known

    def chances(self, name: str) -> Chances | None:
        """How often a game comes out, with or without variants; ``None`` if it is not known."""
        if name not in self._chances:
            # Most have never been measured, and need not be loaded to know that.
            self._chances[name] = chances(self.load(name)) if is_measured(name) else None
        return self._chances[name]

    def text(self, name: str) -> str:
        """The rules file of a game, as written.

        Raises:
            UnknownGameError: If there is no such game.
        """
        base, _ = split_name(name)
        if base.startswith(OWN):
            self.address(base)
            return self._store.rules()[base][0]
        if base not in catalogue():
            raise UnknownGameError(base, None)
        return load_rules(base).text

    def add(self, text: str, replaces: str | None = None) -> tuple[str, Report]:
        """Takes in a rules file.

        Args:
            text: The rules file.
            replaces: A rules file of the player's of which this is a new version: the old one goes
                off the list, and if it was a favourite this one is.

        Returns:
            The name it can be played by, and what ``cadogan check`` warns of.

        Raises:
            RulesError: If it has faults. Nothing is kept then.
            LibraryFullError: If it is too long, or if there are too many.
        """
        report = self.check(text)
        if not report.ok:
            raise RulesError(report)
        import tomllib

        title = str(tomllib.loads(text).get("name", "game"))
        plain = unicodedata.normalize("NFKD", title.lower()).encode("ascii", "ignore").decode()
        slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "game"
        mark = hashlib.sha256(text.encode()).hexdigest()[:8]
        name = f"{OWN}{slug}.{mark}"
        own = self._store.rules()
        if name not in own and len(own) >= MOST_OWN:
            raise LibraryFullError(told("there are {number} rules files already", number=MOST_OWN))
        self._store.keep_rules(name, text)
        if replaces is not None and replaces != name and replaces in own:
            self._store.hide_rules(replaces)
            if replaces in self._store.favourites():
                self._store.set_favourite(replaces, False)
                self._store.set_favourite(name, True)
        return name, report

    def check(self, text: str) -> Report:
        """What ``cadogan check`` says of a rules file. Nothing is kept.

        Raises:
            LibraryFullError: If it is too long.
        """
        if len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
            raise LibraryFullError(
                told("a rules file has at most {number} kB", number=MOST_BYTES // 1024)
            )
        return check_text(text, "rules")

    def remove(self, name: str) -> None:
        """Takes a rules file of the player's off the list; what was played by it stays.

        Raises:
            UnknownGameError: If there is none of that name.
        """
        if name not in self._store.rules():
            raise UnknownGameError(name, None)
        self._store.hide_rules(name)


def faults(report: Report, language: str = "en") -> list[dict[str, Any]]:
    """The faults of a rules file, each with the place it is told at, in a language."""
    found = []
    for fault in report.to_json():
        place = fault["labels"][0]
        found.append(
            {
                "severity": fault["severity"],
                "code": fault["code"],
                "title": translate(fault["title"], language),
                "line": place["line"],
                "column": place["column"],
                "end": place["end"],
                "hint": None if fault["hint"] is None else translate(fault["hint"], language),
            }
        )
    return found
