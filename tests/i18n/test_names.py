"""What piles, rules and variants are called."""

import pytest

from cadogan import load
from cadogan.i18n.names import pile_label, rule_label, variant_label
from cadogan.i18n.text import translate
from cadogan.rules import catalogue


@pytest.mark.parametrize("name", catalogue())
def test_in_english_names_are_those_of_the_rules_file(name: str) -> None:
    game = load(name)
    assert [pile_label(pile) for pile in game.pile_names] == list(game.pile_names)
    assert [rule_label(rule.name) for rule in game.rulebook.rules] == [
        rule.name for rule in game.rulebook.rules
    ]


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("play to foundations", "Ablegen (Grundstapel)"),
        ("build on garden", "Bauen (Garten)"),
        ("redeal", "Neu geben"),
    ],
)
def test_rules_that_roles_named_are_known_by_their_form(english: str, german: str) -> None:
    assert translate(rule_label(english), "de") == german


def test_piles_of_one_kind_differ_in_german_too() -> None:
    labels = {translate(pile_label(f"columns.{number}"), "de") for number in range(1, 9)}
    assert len(labels) == 8


def test_a_name_that_nobody_has_translated_stays() -> None:
    assert translate(pile_label("elephants.3"), "de") == "elephants 3"
    assert translate(variant_label("with-elephants"), "de") == "with elephants"
