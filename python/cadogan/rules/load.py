"""Finding rules files and taking them through the stages."""

import functools
import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path as FilePath

from cadogan.rules.document import MAX_BYTES, Document, read_document
from cadogan.rules.program import Program
from cadogan.rules.report import MAX_FAULTS, Report, RulesError, nearest
from cadogan.rules.rulebook import Rulebook
from cadogan.told import told

FOLDER = resources.files("cadogan") / "catalogue"
"""Where the rules files of the catalogue are."""


class UnknownGame(LookupError):  # noqa: N818 - the name is part of the public face
    """There is no game of that name.

    Attributes:
        name: The name asked for.
        hint: The nearest name of the catalogue, or ``None``.
    """

    def __init__(self, name: str, hint: str | None) -> None:
        self.name = name
        self.hint = hint
        super().__init__(
            told('there is no game called "{name}"; did you mean "{guess}"?', name=name, guess=hint)
            if hint
            else told('there is no game called "{name}"', name=name)
        )


@dataclass(frozen=True)
class Rules:
    """A game's rules, through all stages.

    Attributes:
        rulebook: Checked core rules.
        program: Tables for the kernel.
        report: Warnings.
        text: The rules file as written.
        name: How it was asked for: ``"amazons:left-to-right"``.
    """

    rulebook: Rulebook
    program: Program
    report: Report
    text: str
    name: str

    @functools.cached_property
    def digest(self) -> str:
        """Names the program: two games with one digest play alike."""
        return self.program.digest


@functools.cache
def catalogue() -> tuple[str, ...]:
    """The names of all games that come with Cadogan.

    >>> "flower-garden" in catalogue()
    True
    """
    names = (file.name for file in FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def split_name(name: str) -> tuple[str, tuple[str, ...]]:
    """Splits a name into game (or path) and variants.

    >>> split_name("amazons:left-to-right+queens-free")
    ('amazons', ('left-to-right', 'queens-free'))
    >>> split_name("mine/garden.toml")
    ('mine/garden.toml', ())

    What stands between two signs is a name, even if it is empty and so no variant's:

    >>> split_name("klondike:+draw-three")
    ('klondike', ('', 'draw-three'))
    """
    match = re.fullmatch(r"(?P<game>.+?):(?P<variants>[\w+-]*)", name, re.DOTALL)
    if match is None:
        return name, ()
    return match["game"], tuple(match["variants"].split("+"))


def _read(game: str) -> tuple[bytes, str, str]:
    """The bytes of a rules file, the name to show, and the game's short name.

    Raises:
        UnknownGame: If a name is not in the catalogue.
        OSError: If a path cannot be read.
    """
    if game.endswith(".toml") or "/" in game or "\\" in game:
        with FilePath(game).open("rb") as file:
            return file.read(MAX_BYTES + 1), game, FilePath(game).stem
    if game not in catalogue():
        raise UnknownGame(game, nearest(game, catalogue()))
    file_name = f"{game}.toml"
    return (FOLDER / file_name).read_bytes(), file_name, game


def load_rules(name: str) -> Rules:
    """Loads a game by name or path, with variants.

    Args:
        name: ``"amazons"``, ``"amazons:left-to-right"``, ``"amazons:chance+skip-now"`` or a path
            to a rules file, which may carry variants too.

    Returns:
        The rules; their report holds warnings only.

    Raises:
        UnknownGame: If the catalogue has no such game.
        RulesError: If the file has faults.
        OSError: If a path cannot be read.

    >>> load_rules("flower-garden").rulebook.name
    'The Flower Garden'
    """
    game, chosen = split_name(name)
    source, shown, slug = _read(game)
    document = read_document(source, shown)
    report = Report(document)
    rulebook = _check(document, slug, chosen, report)
    if rulebook is None:
        raise RulesError(report)
    from cadogan.rules.compile import compile_rulebook

    return Rules(rulebook, compile_rulebook(rulebook), report, document.text, name)


def check_text(
    source: str | bytes, name: str, each: Callable[[Rulebook, Program], None] | None = None
) -> Report:
    """Checks a rules file, the plain game and every variant, and deals each of them.

    Args:
        source: The text.
        name: What to call it in messages.
        each: Called with every reading that loads, the plain game first.

    Returns:
        All faults and warnings. If there is no error, every game of the file loads and deals.
    """
    from cadogan.rules.shape import MAX_VARIANTS
    from cadogan.rules.trial import DEALS, try_out

    try:
        document = read_document(source, name)
    except RulesError as error:
        return error.report
    report = Report(document)
    slug = FilePath(name).stem
    variants = document.data.get("variants", {})
    names = list(variants) if isinstance(variants, dict) else []
    work = (1 + len(names)) * (document.size + _READING)
    if work > MAX_WORK and len(names) <= MAX_VARIANTS:
        report.error(
            "too-costly",
            ("variants",),
            told("with so many variants the file is too large"),
            key=True,
            hint=told("write some of the variants as games of their own"),
        )
    # Of too many that is said, and no more.
    if len(names) > MAX_VARIANTS or work > MAX_WORK:
        names = []
    for chosen in [(), *((name,) for name in names)]:
        reading = Report(document)
        rulebook = _check(document, slug, chosen, reading, shapes=chosen or None)
        if rulebook is not None:
            program = try_out(rulebook, reading, deals=1 if chosen else DEALS)
            if each is not None:
                each(rulebook, program)
        report.include(reading)
        if len(report.faults) >= MAX_FAULTS:
            break
    return report


def exclusions(source: str | bytes, name: str) -> dict[tuple[str, str], str]:
    """Which variants of a rules file cannot be chosen together.

    Two exclude each other if both say the same thing differently, or if the rules they make
    together are not sound. In a large file with many variants not all pairs are read together;
    then only those that say the same thing differently are sure to be found.

    Args:
        source: The text of the rules file. It must be sound.
        name: What to call it in messages.

    Returns:
        The reason, by the names of the two in the order of the file.

    Raises:
        RulesError: If the text is no TOML.

    >>> from cadogan.rules.load import FOLDER
    >>> text = (FOLDER / "freecell.toml").read_text(encoding="utf-8")
    >>> exclusions(text, "freecell")["three-cells", "two-cells"]
    'both say what "cells.piles" is'
    """
    from cadogan.rules.shape import MAX_VARIANTS
    from cadogan.rules.variants import disputed, overlay, touched

    document = read_document(source, name)
    variants = document.data.get("variants", {})
    names = list(variants)[:MAX_VARIANTS] if isinstance(variants, dict) else []
    touches = {name: touched(variants[name]) for name in names}
    slug = FilePath(name).stem
    work = MAX_PAIR_WORK
    # Many variants change nothing that another would notice, and make the same rules.
    read: dict[str, str | None] = {}
    found: dict[tuple[str, str], str] = {}
    for first, second in itertools.combinations(names, 2):
        if touches[first] & touches[second]:
            work -= document.size // 8
            if keys := disputed(document.data, first, second):
                found[first, second] = told('both say what "{key}" is', key=keys[0].strip('"'))
                continue
        if work <= 0:
            continue
        work -= document.size // 8
        merged, _ = overlay(document.data, (first, second), Report(document))
        key = repr({name: value for name, value in merged.items() if name != "variants"})
        if key not in read:
            work -= document.size + _READING
            report = Report(document)
            sound = Reading(document, slug, (first, second), report, (first, second)).rulebook
            read[key] = None if sound is not None else report.errors[0].title
        fault = read[key]
        if fault is not None:
            found[first, second] = told("together they are not sound: {fault}", fault=fault)
    return found


def expand_text(name: str) -> str:
    """The core rules that a game's roles and phrases stand for, as a rules file.

    Args:
        name: As for :func:`load_rules`.

    Raises:
        UnknownGame, RulesError, OSError: As :func:`load_rules`.
    """
    from cadogan.rules.write import write_core

    game, chosen = split_name(name)
    source, shown, slug = _read(game)
    document = read_document(source, shown)
    report = Report(document)
    reading = Reading(document, slug, chosen, report)
    if reading.rulebook is None:
        raise RulesError(report)
    return write_core(reading.core)


MAX_WORK = 30_000
"""Values of the file, read once for the game and once for each variant."""

MAX_PAIR_WORK = 100_000
"""Values of the file that are read to find out which variants go together, pair by pair."""

_READING = 50
"""What it costs to read a game of no size, in values."""


class Reading:
    """One reading of a document: the stages from the text to the rulebook.

    Args:
        document: The document.
        slug: The short name of the game.
        chosen: The variants in force.
        report: Where faults go.
        shapes: The variants whose shape is checked; all if it is not given.

    Attributes:
        core: The core rules.
        rulebook: The rulebook, or ``None`` if there are faults.
    """

    def __init__(
        self,
        document: Document,
        slug: str,
        chosen: Sequence[str],
        report: Report,
        shapes: Sequence[str] | None = None,
    ) -> None:
        # Imported here because a program that only lists games never needs them.
        from cadogan.rules.check import Checker
        from cadogan.rules.expand import Expansion
        from cadogan.rules.prune import prune
        from cadogan.rules.variants import overlay

        merged, back = overlay(document.data, chosen, report)
        report.redirect(back)
        sound = prune(merged, report, shapes)
        expansion = Expansion(sound, report)
        report.redirect(expansion.back)
        self.core = expansion.core
        checker = Checker(self.core, report, slug, chosen, expansion.strangers)
        rules = sound.get("rule", () if "rule" not in merged else (None,))
        doubtful = any(rule is None or "name" not in rule for rule in rules)
        self.rulebook = checker.run(doubtful_rules=doubtful)


def _check(
    document: Document,
    slug: str,
    chosen: Sequence[str],
    report: Report,
    shapes: Sequence[str] | None = None,
) -> Rulebook | None:
    from cadogan.rules.lint import lint

    rulebook = Reading(document, slug, chosen, report, shapes).rulebook
    if rulebook is not None:
        lint(rulebook, report)
    return rulebook
