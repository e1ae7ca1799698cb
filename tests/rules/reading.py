"""Shared by the tests of the compiler: rulebooks and faults of small texts."""

from cadogan.rules.faults.report import Fault, Report
from cadogan.rules.pipeline import read_rulebook
from cadogan.rules.read.read import read_document
from cadogan.rules.rulebook.rulebook import Rule, Rulebook

BASE = """
name = "A"

[counters.passes]
cap = 9

[foundations]
piles = 4
base  = "ace"
build = "up in suit"

[garden]
role  = "tableau"
piles = 6
build = "nothing"

[stock]

[waste]
"""
"""Groups that most tests make do with."""


def read(text: str, *chosen: str) -> tuple[Rulebook | None, Report]:
    """Reads a rules file with variants."""
    document = read_document(text, "a.toml")
    report = Report(document)
    return read_rulebook(document, "a", chosen, report)[1], report


def book_of(text: str, *chosen: str) -> Rulebook:
    """The rulebook of a file without faults."""
    book, report = read(text, *chosen)
    assert book is not None, report.render()
    return book


def faults_of(text: str, *chosen: str) -> list[Fault]:
    """The faults of a file that has some."""
    book, report = read(text, *chosen)
    assert book is None
    return report.faults


def codes_of(text: str, *chosen: str) -> list[str]:
    """The codes of all faults of a file."""
    return [fault.code for fault in faults_of(text, *chosen)]


def rule_of(keys: str, base: str = BASE) -> Rule:
    """A rule with some keys, in a game that has the usual groups."""
    return book_of(f'{base}\n[[rule]]\nname = "x"\n{keys}\n').rules[-1]


def rule_codes(keys: str, base: str = BASE) -> list[str]:
    """The faults of a rule."""
    return codes_of(f'{base}\n[[rule]]\nname = "x"\n{keys}\n')
