"""The games that can be played: the catalogue, and the player's own rules files.

A rules file of the player is stored under a name that is built from its title and its text:
``own.rock-garden.`` and a digest. It is tried in a separate process before it is stored, and before
it is loaded for the first time (:mod:`cadogan.table.trials`).
"""

import copy
import hashlib
import re
import threading
import unicodedata
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from cadogan.game import Game, load
from cadogan.i18n.text import gettext, translate
from cadogan.rules import UnknownGameError, catalogue, load_rules
from cadogan.rules.faults.report import Report, RulesError
from cadogan.rules.files import is_path, resolve, split_name, unknown_game
from cadogan.rules.pipeline import exclusions
from cadogan.rules.read.read import MAX_BYTES
from cadogan.storage import replace_file
from cadogan.table.drafts import NAME, Draft, check_and_draw
from cadogan.table.store import Store
from cadogan.table.trials import NoTrialsError, TooManyTrialsError, Trials, too_costly
from cadogan.table.win_rates import Chances, chances, is_measured

OWN: Final = "own."
FILES: Final = "rules-files"
"""The setting that maps paths to the player's rules files."""
MOST_LOADED: Final = 64
MOST_OWN: Final = 500
"""The largest number of the player's rules files; old versions do not count."""

DIGEST_DIGITS: Final = 32
"""Hexadecimal digits of a text's digest in its name: enough to make a collision infeasible. Old
names have eight digits and remain valid."""


class LibraryFullError(ValueError):
    """A rules file is too long, or there are too many rules files."""


class FaultyGameError(ValueError):
    """A rules file of the player can no longer be loaded; the message says why."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a list shows of a game.

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


@dataclass(frozen=True, slots=True)
class Faulty:
    """A rules file of the player that cannot be loaded.

    Attributes:
        name: Its name.
        title: The title in the file.
        reason: What is wrong with it.
    """

    name: str
    title: str
    reason: str


_CATALOGUE: dict[str, Facts] = {}
"""The catalogue does not change while the program runs."""


class Library:
    """The games that can be played.

    Args:
        store: Where the player's rules files are stored.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._trials = Trials()
        self._tried: dict[str, Report] = {}
        self._own: OrderedDict[str, Game] = OrderedDict()
        self._facts: dict[str, Facts] = {}
        self._chances: dict[str, Chances | None] = {}
        self._exclusions: dict[str, dict[tuple[str, str], str]] = {}
        self._lock = threading.Lock()
        self._excluding = threading.Lock()

    def of(self, player: int) -> Self:
        """The same games with the rules files of another player.

        Loaded games are shared: a rules file is found by the digest of its text.
        """
        if player == self._store.player:
            return self
        view = copy.copy(self)
        view._store = self._store.of(player)
        return view

    def _check_own(self, name: str) -> None:
        """Refuses the rules files of other players.

        Raises:
            UnknownGameError: If the player does not have this rules file.
        """
        if not self._store.has_rules(name):
            raise UnknownGameError(name, None)

    def close(self) -> None:
        """Ends the process that tries rules files."""
        self._trials.close()

    def names(self) -> list[str]:
        """Returns the names of all games: the catalogue, then the player's own."""
        own = [name for name, (_, hidden) in self._store.rules().items() if not hidden]
        return [*catalogue(), *own]

    def load(self, name: str) -> Game:
        """Loads the game of a table, with or without variants.

        A name that was accepted when the table was dealt stays valid, whatever the order of its
        variants. For new names see :meth:`choose`.

        Raises:
            UnknownGameError: If the game or a variant is unknown. Paths are not accepted: a player
                in the browser must not make the server read files.
            RulesError: If a variant has faults.
            FaultyGameError: If a rules file of the player takes too much time or memory.
        """
        base, variants = split_name(name)
        # Older servers accepted empty and repeated variants; the last one applied counts.
        variants = tuple(dict.fromkeys(part for part in variants[::-1] if part))[::-1]
        name = f"{base}:{'+'.join(variants)}" if variants else base
        if not base.startswith(OWN):
            if base not in catalogue():
                raise unknown_game(base)
            return load(name)
        self._check_own(base)
        with self._lock:
            game = self._own.get(name)
            if game is not None:
                self._own.move_to_end(name)
                return game
        fault = next((each for each in self._try(base).errors if each.code == "too-costly"), None)
        if fault is not None:
            raise FaultyGameError(fault.title)
        game = Game(name, load_rules(self.address(name)))
        with self._lock:
            self._own[name] = game
            while len(self._own) > MOST_LOADED:
                self._own.popitem(last=False)
        return game

    def choose(self, name: str) -> Game:
        """Loads a game that a player asks for, by its name or a title.

        Variants are sorted as in the rules file if that gives the same game. So each game has one
        name, and its statistics are not split.

        Raises:
            UnknownGameError, RulesError, FaultyGameError: As :meth:`load`; and if a variant is
                empty or named twice.
        """
        if not name.startswith(OWN):
            name = resolve(name)
        base, variants = split_name(name)
        if "" in variants or len(set(variants)) < len(variants):
            self.load(base)
            load_rules(self.address(name))  # raises the error that names the fault
        game = self.load(name)
        order = [each.name for each in game.variants if each.name in variants]
        if list(variants) == order:
            return game
        ordered = self.load(f"{base}:{'+'.join(order)}")
        return ordered if ordered.digest == game.digest else game

    def is_file(self, name: str) -> bool:
        """Whether the name of a game is the path of a rules file, which may carry variants."""
        return is_path(split_name(name)[0])

    def named(self, name: str) -> str:
        """The name here of a game as the command line names it.

        A rules file is stored as one of the player's own. If it has changed since, the new version
        takes the place of the old one in the list.

        Args:
            name: A name, or the path of a rules file, with or without variants.

        Raises:
            RulesError: If the rules file has faults.
            LibraryFullError: If it is too long, or if there are too many.
            OSError: If it cannot be read.
        """
        if not self.is_file(name):
            return name if name.startswith(OWN) else resolve(name)
        text = load_rules(name).text
        base, variants = split_name(name)
        path = str(Path(base).resolve())
        known = self._store.setting(FILES)
        known = known if isinstance(known, dict) else {}
        own, _ = self.add(text, replaces=known.get(path))
        if known.get(path) != own:
            self._store.set_setting(FILES, {**known, path: own})
        return f"{own}:{'+'.join(variants)}" if variants else own

    def _try(self, name: str) -> Report:
        """Tries a rules file of the player; the report is cached while the program runs."""
        report = self._tried.get(name)
        if report is None:
            report = self._tried[name] = self._trials.check(self.text(name))
        return report

    def address(self, name: str) -> str:
        """Returns the name or path by which :func:`cadogan.load` finds a game in any process."""
        base, variants = split_name(name)
        if not base.startswith(OWN):
            return name
        # Searches for all players ask here, so this is not about the player's own files only.
        text = self._store.rules_text(base)
        if text is None:
            raise UnknownGameError(base, None)
        path = self._store.folder / "rules" / base / f"{base.split('.')[1]}.toml"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            replace_file(path, text, private=True)
        return f"{path}:{'+'.join(variants)}" if variants else str(path)

    def facts(self, name: str) -> Facts:
        """Returns what a list shows of a game.

        Raises:
            UnknownGameError: If the game is unknown.
            RulesError, FaultyGameError: If its rules file has faults.
        """
        own = name.startswith(OWN)
        if own:
            self._check_own(name)
        known = self._facts.get(name) if own else _CATALOGUE.get(name)
        if known is None:
            if own and not (report := self._try(name)).ok:
                raise RulesError(report)
            game = self.load(name)
            seen = game.deal("cadogan:1").visible_piles()
            is_open = all(card is not None for pile in seen.values() for card in pile)
            known = Facts(name, game, own, is_open)
            (self._facts if own else _CATALOGUE)[name] = known
        return known

    def listed(self, name: str) -> Facts | Faulty:
        """Like :meth:`facts`, for a game that may be faulty: one bad file must not hide the others.

        Raises:
            UnknownGameError: If the game is unknown.
        """
        try:
            return self.facts(name)
        except UnknownGameError:
            raise
        except Exception as error:
            if not name.startswith(OWN):
                raise
            if isinstance(error, RulesError):
                reason = error.report.errors[0].title
            elif isinstance(error, TooManyTrialsError | NoTrialsError | FaultyGameError):
                reason = error.args[0]
            else:
                reason = gettext("an internal error: {name}", name=type(error).__name__)
            return Faulty(name, self._title(name), reason)

    def _title(self, name: str) -> str:
        """The title in a rules file, as far as it can be found."""
        found = re.search(
            r'^[ \t]*name[ \t]*=[ \t]*"([^"\\\n]{1,80})"', self.text(name)[:4000], re.MULTILINE
        )
        return found[1] if found else name.split(".")[1]

    def exclusions(self, name: str) -> dict[tuple[str, str], str]:
        """Returns which pairs of variants of a game exclude each other, and why.

        Raises:
            UnknownGameError: If the game is unknown.
        """
        base, _ = split_name(name)
        if base.startswith(OWN):
            self._check_own(base)
        # Other threads wait for the result instead of computing it, too.
        with self._excluding:
            known = self._exclusions.get(base)
            if known is None:
                self.load(base)
                known = self._exclusions[base] = exclusions(self.text(base), base)
            return known

    def chances(self, name: str) -> Chances | None:
        """Returns how often a game can be won, or ``None`` if that is not known."""
        if name not in self._chances:
            # Most games were never measured; they need not be loaded.
            self._chances[name] = chances(self.load(name)) if is_measured(name) else None
        return self._chances[name]

    def text(self, name: str) -> str:
        """Returns the text of a game's rules file.

        Raises:
            UnknownGameError: If the game is unknown.
        """
        base, _ = split_name(name)
        if base.startswith(OWN):
            text, _ = self._store.rules().get(base, (None, False))
            if text is None:
                raise UnknownGameError(base, None)
            return text
        if base not in catalogue():
            raise UnknownGameError(base, None)
        return load_rules(base).text

    def add(self, text: str, replaces: str | None = None) -> tuple[str, Report]:
        """Adds a rules file.

        Args:
            text: The text of the rules file.
            replaces: The rules file of which this is a new version. The old one is removed from
                the list. If it was a favourite, the new one becomes one.

        Returns:
            The name of the game, and the report of ``cadogan check``.

        Raises:
            RulesError: If the file has faults. Nothing is stored then.
            LibraryFullError: If the file is too long, or there are too many.
            TooManyTrialsError: If too many files are being checked.
        """
        report = self.check(text)
        if not report.ok:
            raise RulesError(report)
        import tomllib

        title = str(tomllib.loads(text).get("name", "game"))
        plain = unicodedata.normalize("NFKD", title.lower()).encode("ascii", "ignore").decode()
        slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "game"
        digest = hashlib.sha256(text.encode()).hexdigest()
        own = self._store.rules()
        name = f"{OWN}{slug}.{digest[:DIGEST_DIGITS]}"
        before = f"{OWN}{slug}.{digest[:8]}"
        if before in own and own[before][0] == text:
            name = before
        listed = [each for each, (_, hidden) in own.items() if not hidden]
        if name not in listed and len(listed) >= MOST_OWN:
            raise LibraryFullError(
                gettext("there are {number} rules files already", number=MOST_OWN)
            )
        self._store.save_rules(name, text)
        self._tried[name] = report
        if replaces is not None and replaces != name and replaces in own:
            self._store.hide_rules(replaces)
            if replaces in self._store.favourites():
                self._store.set_favourite(replaces, False)
                self._store.set_favourite(name, True)
        self._store.drop_unused_rules()
        return name, report

    def check(self, text: str) -> Report:
        """Checks a rules file as ``cadogan check`` does. Nothing is stored.

        Raises:
            LibraryFullError: If the file is too long.
            TooManyTrialsError: If too many files are being checked.
            NoTrialsError: If files cannot be checked now, for want of memory, say.
        """
        _check_size(text)
        return self._trials.check(text)

    def draft(self, text: str, deal: str, language: str) -> tuple[Report, Draft | None]:
        """Checks a rules file like :meth:`check`, and draws its table if it has no errors.

        Args:
            text: The text.
            deal: The name of the deal to draw.
            language: The language of the rules in words.

        Raises:
            LibraryFullError, TooManyTrialsError, NoTrialsError: As :meth:`check`.
        """
        _check_size(text)
        found = self._trials.run(check_and_draw, text, deal, language)
        return (too_costly(text, NAME), None) if found is None else found

    def remove(self, name: str) -> None:
        """Removes a rules file of the player from the list. Its tables stay.

        Raises:
            UnknownGameError: If no rules file has that name.
        """
        if name not in self._store.rules():
            raise UnknownGameError(name, None)
        self._store.hide_rules(name)
        self._store.drop_unused_rules()


def _check_size(text: str) -> None:
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise LibraryFullError(
            gettext("a rules file has at most {number} KiB", number=MAX_BYTES // 1024)
        )


def faults(report: Report, language: str = "en") -> list[dict[str, Any]]:
    """Returns the faults of a rules file with their places, in the given language."""
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
