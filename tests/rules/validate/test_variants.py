"""Variants: overrides of a game in the same file."""

import pytest

from cadogan.rules import RulesError, UnknownGameError, check_text, load_rules
from cadogan.rules.faults.report import Report
from cadogan.rules.files import split_name
from cadogan.rules.pipeline import exclusions
from cadogan.rules.read.read import read_document
from cadogan.rules.source.reading import Reading
from cadogan.rules.validate.variants import overlay
from tests.rules.reading import BASE, book_of, codes_of, faults_of

RULES = """
[[rule]]
name = "one"
from = "garden"
to   = "waste"
[[rule]]
name = "two"
from = "stock"
to   = "waste"
"""
GAME = BASE + RULES


def names(text: str, *chosen: str) -> list[str]:
    return [rule.name for rule in book_of(text, *chosen).rules]


def test_keys_are_laid_over_keys() -> None:
    text = f"{GAME}[variants.more]\npacks = 2\ngarden.piles = 8\nfoundations.base = 'king'\n"
    text += "foundations.build = 'down'\n"
    assert [group.count for group in book_of(text).groups] == [4, 6, 1, 1]
    book = book_of(text, "more")
    assert (book.packs, book.chosen) == (2, ("more",))
    assert [group.count for group in book.groups] == [4, 8, 1, 1]
    assert book.groups[0].build_order is not None
    assert book.groups[0].build_order.ranks[0] == 12


def test_groups_and_counters_may_be_added() -> None:
    text = f"{GAME}[variants.more.cells]\npiles = 3\n[variants.more.counters.c]\ncap = 1\n"
    book = book_of(text, "more")
    assert book.groups[-1].name == "cells"
    assert [counter.name for counter in book.counters] == ["passes", "c"]


def test_rules_are_changed_dropped_and_added() -> None:
    assert names(GAME) == ["play to foundations", "one", "two"]
    text = f'{GAME}[variants.v]\ndrop = ["one"]'
    assert names(text, "v") == ["play to foundations", "two"]
    text = f'{GAME}[[variants.v.change]]\nrule = "one"\nname = "three"\nfrom = "garden.1"'
    assert names(text, "v") == ["play to foundations", "three", "two"]
    added = '[[variants.v.add]]\nname = "three"\nfrom = "waste"\nto = "stock"\n'
    assert names(GAME + added, "v")[-1] == "three"
    assert names(f'{GAME}{added}before = "two"', "v")[-2:] == ["three", "two"]


def test_groups_may_be_dropped() -> None:
    text = f'{GAME}[cells]\npiles = 2\n[variants.v]\ndrop = ["cells", "one"]'
    book = book_of(text, "v")
    assert "cells" not in [group.name for group in book.groups]
    assert [rule.name for rule in book.rules] == ["play to foundations", "two"]
    assert "cells" in [group.name for group in book_of(text).groups]


def test_a_name_of_a_group_and_a_rule_means_the_rule() -> None:
    text = GAME.replace('"one"', '"cells"') + '[cells]\npiles = 2\n[variants.v]\ndrop = ["cells"]'
    book = book_of(text, "v")
    assert "cells" in [group.name for group in book.groups]
    assert "cells" not in [rule.name for rule in book.rules]


def test_variants_go_together() -> None:
    text = f"{GAME}[variants.a]\npacks = 2\n[variants.b]\npacks = 3\ngarden.piles = 1"
    assert book_of(text, "a", "b").packs == 3
    assert book_of(text, "b", "a").packs == 2
    assert book_of(text, "b", "a").groups[1].count == 1
    assert book_of(text).packs == 1


def test_the_document_is_not_changed() -> None:
    document = read_document(f"{GAME}[variants.a]\ngarden.piles = 1\ndrop = ['one']", "a.toml")
    before = repr(document.data)
    overlay(Reading("a", ("a",), document.data), Report(document))
    assert repr(document.data) == before


def test_faults_point_into_the_variant() -> None:
    text = f'{GAME}[variants.v]\ngarden.build = "upp"\n[[variants.v.change]]\nrule = "two"\n'
    text += 'to = "nowhere"\n[[variants.v.add]]\nname = "three"\nfrom = "gardn"\nto = "waste"'
    lines = text.split("\n")
    places = [fault.labels[0].span for fault in faults_of(text, "v")]
    told = [lines[place.line - 1][place.column - 1 : place.end - 1] for place in places]
    assert told == ["upp", "nowhere", "gardn"]


@pytest.mark.parametrize(
    ("table", "codes"),
    [
        ('drop = ["six"]', ["unknown-rule"]),
        ('drop = ["packs"]', ["unknown-rule"]),
        ('drop = ["garden"]', ["unknown-group"]),
        ('drop = "one"', ["wrong-type"]),
        ('change = [{ rule = "six" }]', ["unknown-rule"]),
        ('change = [{ rule = "play to foundations", forced = true }]', ["unknown-rule"]),
        ("change = [{ forced = true }]", ["missing-key"]),
        ('change = [{ rule = "one", forsed = true }]', ["unknown-key"]),
        ('change = [{ rule = "one", forced = 1 }]', ["wrong-type"]),
        ("change = 3", ["wrong-type"]),
        ('add = [{ name = "x" }]', ["missing-key"]),
        ('add = [{ from = "garden", to = "waste" }]', ["missing-key"]),
        ('add = [{ name = "one", from = "garden", to = "waste" }]', ["said-twice"]),
        ('add = [{ name = "x", from = "stock", to = "waste", before = "y" }]', ["unknown-rule"]),
        ("why = 3", ["wrong-type"]),
        ("packs = 0", ["out-of-range"]),
        ("pakcs = 2", ["unknown-key"]),
        ("garden = 3", ["unknown-key"]),
        ('gardn.build = "down"', ["missing-role"]),
        ('garden.biuld = "down"', ["unknown-key"]),
        ("rule = 3", ["unknown-key"]),
        ("core = true", ["unknown-key"]),
        ("variants.v.packs = 2", ["unknown-key"]),
    ],
)
def test_faults(table: str, codes: list[str]) -> None:
    text = f"{GAME}[variants.v]\n{table}"
    assert codes_of(text, "v") == codes
    # Checking the file finds them too, each once.
    assert [fault.code for fault in check_text(text, "a.toml").errors] == codes


@pytest.mark.parametrize("variants", ["variants = 3", "variants.v = 3", "variants = [{}]"])
def test_variants_are_tables(variants: str) -> None:
    assert codes_of(f"{variants}\n{GAME}") == ["wrong-type"]


def test_names_of_variants() -> None:
    assert codes_of(f'{GAME}[variants."Left to right"]') == ["bad-name"]
    assert split_name("a:b+c") == ("a", ("b", "c"))
    assert split_name("a:") == ("a", ("",))
    assert split_name("C:\\games\\a.toml") == ("C:\\games\\a.toml", ())
    with pytest.raises(RulesError, match="there is no variant"):
        load_rules("amazons:sideways")
    with pytest.raises(UnknownGameError, match='did you mean "amazons"'):
        load_rules("amazon")


def test_variants_that_say_the_same_thing_differently_exclude_each_other() -> None:
    text = GAME
    text += "[variants.six]\ngarden.piles = 7\n[variants.eight]\ngarden.piles = 8\n"
    text += "[variants.double]\npacks = 2\n"
    text += '[variants.without]\ndrop = ["one"]\n'
    text += '[[variants.other.change]]\nrule = "one"\nto = "garden"\n'
    text += '[[variants.more.add]]\nname = "three"\nfrom = "waste"\nto = "garden"\n'
    text += '[[variants.less.add]]\nname = "four"\nfrom = "waste"\nto = "garden"\n'
    found = exclusions(text, "game")
    assert set(found) == {("six", "eight"), ("without", "other")}
    assert found["six", "eight"] == 'both say what "garden.piles" is'
    assert 'no rule of this file is called "one"' in found["without", "other"]


def test_variants_that_make_no_sound_rules_together_exclude_each_other() -> None:
    text = GAME + '[variants.gone]\ndrop = ["waste", "one", "two"]\n'
    text += '[[variants.more.add]]\nname = "three"\nfrom = "waste"\nto = "garden"\n'
    (reason,) = exclusions(text, "game").values()
    assert reason.startswith("together they are not sound: ")
