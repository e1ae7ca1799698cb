"""Warnings: rule sets that can be played but look wrong."""

from cadogan.rules.report import Report
from cadogan.rules.rulebook import Rulebook


def lint(rulebook: Rulebook, report: Report) -> None:
    """Warns of what looks wrong in a checked game."""
