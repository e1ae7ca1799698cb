"""The fuzzer knows what the manual says: every key, and every phrase of its tables and examples."""

import random

import pytest

from cadogan.rules import check_text
from tests.attacks.grown import Grower
from tests.attacks.seeds import SMALL, seeds_by_key
from tests.attacks.vocabulary import (
    PHRASES,
    SHAPES,
    TEXTS,
    Names,
    Shape,
    filled,
    keys,
    manual_tables,
    place,
    sections,
    vocabulary,
)

KEYS = [(shape, key) for shape in SHAPES for key in keys(shape)]


def grower() -> Grower:
    return Grower(random.Random(1))


def test_every_table_of_phrases_says_which_keys_they_suit() -> None:
    tables = {
        heading
        for heading, section in sections().items()
        for head, *_ in manual_tables(section)
        if head[0] in ("Phrase", "Number")
    }
    assert tables == PHRASES.keys()


@pytest.mark.parametrize(("shape", "key"), KEYS)
def test_every_key_has_values(shape: Shape, key: str) -> None:
    assert vocabulary().get(place(shape, key)) or key in grower().makers


def test_sound_files_have_every_key() -> None:
    """The games of the catalogue and of the manual are checked elsewhere."""
    assert seeds_by_key().keys() == {place(shape, key) for shape, key in KEYS}
    assert all(check_text(text, "a.toml").ok for text in SMALL)


@pytest.mark.parametrize(("shape", "key"), KEYS)
def test_every_phrase_of_the_manual_is_said(shape: Shape, key: str) -> None:
    known = vocabulary().get(place(shape, key), ())
    unsaid = {f"{key} = {value!r}" for value, source in known if source == "manual"}
    one = grower()
    one.wild = False
    for _ in range(100 * len(known)):
        if not unsaid:
            break
        one.value(shape, key)
        unsaid -= one.spoken
    assert not unsaid


@pytest.mark.parametrize(
    ("shape", "key", "phrase"),
    [
        ("RuleShape", "leave", ["{group tableau}", "{group waste}"]),
        ("RuleShape", "match", "a court card and three others of different ranks adding to 18"),
        ("RuleShape", "number", [2, 4]),
        ("RuleShape", "neighbours", "{group reserve}"),
        ("RuleShape", "along", "the third to the left"),
        ("RuleShape", "to", "{group discard} of its rank"),
        ("GroupShape", "open", "while all places above or below are vacant"),
        ("GroupShape", "covered", "by those above"),
        ("GroupShape", "base", "dealt, each its own"),
        ("StepShape", "except", "rows in order up in suit, from twos"),
        ("StepShape", "leaving", "the first vacancy of each row"),
        ("StepShape", "shuffle", "{group stock}"),
        ("StepShape", "take", "3 * {counter} of all but queens"),
        ("ScoreShape", "bonus", {"{group tableau} is empty": 10}),
        ("HeaderShape", "aim", "rows of {group tableau} lie in order up in suit"),
    ],
)
def test_it_is_read_from_the_manual(shape: str, key: str, phrase: object) -> None:
    assert phrase in [value for value, _ in vocabulary()[shape, key]]


def test_names_become_slots_and_names_again() -> None:
    doc = {
        "name": "A",
        "tableau": {"piles": 2},
        "rows": {"role": "reserve"},
        "kings": {"role": "foundation"},
        "counters": {"passes": {}},
    }
    phrases = {
        "top of tableau.2 is a king": "top of {pile tableau} is a king",
        "rows holds kings": "{group reserve} holds kings",
        "rows of tableau lie in order up": "rows of {group tableau} lie in order up",
        "passes < 2": "{counter} < 2",
        "no 'build on rows' is possible": "no {rule} is possible",
    }
    names = Names.of(doc)
    assert {phrase: names.slotted(phrase) for phrase in phrases} == phrases
    said = filled("top of {pile tableau} is a king", lambda slot: slot.upper())
    assert said == "top of PILE TABLEAU is a king"


def test_texts_are_not_collected() -> None:
    assert not {key for _, key in vocabulary()} & TEXTS
