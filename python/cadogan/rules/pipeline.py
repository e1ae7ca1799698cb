"""Takes rules files through all stages."""

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath

from cadogan.i18n.text import gettext
from cadogan.rules.compile.program import Program
from cadogan.rules.faults.report import MAX_FAULTS, Report, RulesError
from cadogan.rules.files import read_rules_file, resolve, split_name
from cadogan.rules.read.read import read_document
from cadogan.rules.rulebook.rulebook import Rulebook
from cadogan.rules.source.document import Document
from cadogan.rules.source.reading import Reading


@dataclass(frozen=True)
class Rules:
    """The rules of a game after all stages.

    Attributes:
        rulebook: Checked core rules.
        program: Tables for the kernel.
        report: Warnings.
        text: The rules file as written.
        name: The name in the catalogue, or the path: ``"amazons:left-to-right"``.
    """

    rulebook: Rulebook
    program: Program
    report: Report
    text: str
    name: str

    @functools.cached_property
    def digest(self) -> str:
        """The digest of the program: two games with the same digest play alike."""
        return self.program.digest


def load_rules(name: str) -> Rules:
    """Loads a game by name or path, with variants.

    Args:
        name: ``"amazons"``, ``"amazons:left-to-right"``, ``"amazons:chance+skip-now"``, a title
            such as ``"Hidden Cards"``, or a path to a rules file, also with variants.

    Returns:
        The rules; their report has only warnings.

    Raises:
        UnknownGameError: If the catalogue has no such game.
        RulesError: If the file has faults.
        OSError: If a path cannot be read.

    >>> load_rules("flower-garden").rulebook.name
    'The Flower Garden'
    """
    name = resolve(name)
    game, chosen = split_name(name)
    source, shown, slug = read_rules_file(game)
    return _load(read_document(source, shown), slug, chosen, name)


def load_text(source: str, name: str) -> Rules:
    """Loads the text of a rules file, without variants.

    Args:
        source: The text.
        name: The name of the game.

    Raises:
        RulesError: If the file has faults.
    """
    return _load(read_document(source, name), name, (), name)


def _load(document: Document, slug: str, chosen: Sequence[str], name: str) -> Rules:
    report = Report(document)
    rulebook = _check(document, slug, chosen, report)
    if rulebook is None:
        raise RulesError(report)
    from cadogan.rules.compile.compile import compile_rulebook

    return Rules(rulebook, compile_rulebook(rulebook), report, document.text, name)


def check_text(
    source: str | bytes, name: str, each: Callable[[Rulebook, Program], None] | None = None
) -> Report:
    """Checks a rules file, with the game and each variant, and deals each of them.

    Args:
        source: The text.
        name: Its name in messages.
        each: Called with every reading that loads, beginning with the game without variants.

    Returns:
        All faults and warnings. If there is no error, every game of the file loads and deals.
    """
    from cadogan.rules.trial import DEALS, try_out
    from cadogan.rules.validate.schema import MAX_VARIANTS

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
            gettext("with so many variants the file is too large"),
            key=True,
            hint=gettext("write some of the variants as games of their own"),
        )
    # If there are too many variants, report only that.
    if len(names) > MAX_VARIANTS or work > MAX_WORK:
        names = []
    for chosen in [(), *((name,) for name in names)]:
        reading = Report(document)
        rulebook = _check(document, slug, chosen, reading, validated=chosen or None)
        if rulebook is not None:
            program = try_out(rulebook, reading, deals=1 if chosen else DEALS)
            if each is not None:
                each(rulebook, program)
        report.include(reading)
        if len(report.faults) >= MAX_FAULTS:
            break
    return report


def exclusions(source: str | bytes, name: str) -> dict[tuple[str, str], str]:
    """Returns which variants of a rules file cannot be combined.

    Two exclude each other if both set the same key differently, or if their combined rules have
    errors. In a large file with many variants not all pairs are compiled; then only the pairs
    that set the same key differently are sure to be found.

    Args:
        source: The text of the rules file, without errors.
        name: Its name in messages.

    Returns:
        The reasons, by the names of two variants in the order of the file.

    Raises:
        RulesError: If the text is not TOML.

    >>> from cadogan.storage import CATALOGUE
    >>> text = (CATALOGUE / "freecell.toml").read_text(encoding="utf-8")
    >>> exclusions(text, "freecell")["three-cells", "two-cells"]
    'both say what "cells.piles" is'
    """
    from cadogan.rules.validate.schema import MAX_VARIANTS
    from cadogan.rules.validate.variants import disputed, overlay, touched

    document = read_document(source, name)
    variants = document.data.get("variants", {})
    names = list(variants)[:MAX_VARIANTS] if isinstance(variants, dict) else []
    touches = {name: touched(variants[name]) for name in names}
    slug = FilePath(name).stem
    work = MAX_PAIR_WORK
    # Many variants are independent of each other, or make the same rules.
    read: dict[str, str | None] = {}
    found: dict[tuple[str, str], str] = {}
    for first, second in itertools.combinations(names, 2):
        if touches[first] & touches[second]:
            work -= document.size // 8
            if keys := disputed(document.data, first, second):
                found[first, second] = gettext('both say what "{key}" is', key=keys[0].strip('"'))
                continue
        if work <= 0:
            continue
        work -= document.size // 8
        merged = overlay(Reading(slug, (first, second), document.data), Report(document)).data
        key = repr({name: value for name, value in merged.items() if name != "variants"})
        if key not in read:
            work -= document.size + _READING
            report = Report(document)
            both = (first, second)
            _, sound = read_rulebook(document, slug, both, report, validated=both)
            read[key] = None if sound is not None else report.errors[0].title
        fault = read[key]
        if fault is not None:
            found[first, second] = gettext("together they are not sound: {fault}", fault=fault)
    return found


def expand_text(name: str) -> str:
    """Expands the roles and phrases of a game; returns the core rules as a rules file.

    Args:
        name: As for :func:`load_rules`.

    Raises:
        UnknownGameError, RulesError, OSError: As :func:`load_rules`.
    """
    from cadogan.rules.expand.write import write_core

    game, chosen = split_name(resolve(name))
    source, shown, slug = read_rules_file(game)
    document = read_document(source, shown)
    report = Report(document)
    reading, rulebook = read_rulebook(document, slug, chosen, report)
    if rulebook is None:
        raise RulesError(report)
    return write_core(reading.data)


MAX_WORK = 30_000
"""The limit of work for a file: its values, counted for the game and for each variant."""

MAX_PAIR_WORK = 100_000
"""The limit of work, in values, for comparing variants pair by pair."""

_READING = 50
"""The fixed cost of compiling a game, in values."""


def read_rulebook(
    document: Document,
    slug: str,
    chosen: Sequence[str],
    report: Report,
    validated: Sequence[str] | None = None,
) -> tuple[Reading, Rulebook | None]:
    """Takes one reading of a document through the stages up to the rulebook.

    Args:
        document: The rules file.
        slug: The short name of the game.
        chosen: The chosen variants.
        report: Receives the faults.
        validated: The variants to validate; by default all.

    Returns:
        The core rules, and the rulebook; ``None`` if there are faults.
    """
    # Imported here because a program that only lists games never needs them.
    from cadogan.rules.check.check import check
    from cadogan.rules.expand.expand import expand
    from cadogan.rules.validate.validate import validate
    from cadogan.rules.validate.variants import overlay

    wanted = None if validated is None else tuple(validated)
    reading = Reading(slug, tuple(chosen), document.data, validated=wanted)
    for stage in (overlay, validate, expand):
        reading = stage(reading, report)
    return reading, check(reading, report)


def _check(
    document: Document,
    slug: str,
    chosen: Sequence[str],
    report: Report,
    validated: Sequence[str] | None = None,
) -> Rulebook | None:
    from cadogan.rules.check.lint import lint

    _, rulebook = read_rulebook(document, slug, chosen, report, validated)
    if rulebook is not None:
        lint(rulebook, report)
    return rulebook
