"""Texts in other languages: none is missing, and none has lost its gaps."""

import pickle
import re
from typing import Any

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from cadogan import load
from cadogan.rules import catalogue
from cadogan.told import FOLDER, LANGUAGES, told, translate
from tests.documents import ROOT

OTHERS = [language for language in LANGUAGES if language != "en"]


def messages(language: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    for path in sorted((FOLDER / language / "LC_MESSAGES").glob("*.po")):
        with path.open("rb") as file:
            found = read_po(file, locale=language, abort_invalid=True)
        assert not any(message.fuzzy for message in found if message.id)
        own = {str(m.id): str(m.string) for m in found if m.id and not m.context}
        assert not texts.keys() & own.keys(), "said in two catalogues"
        texts |= own
    return texts


def templates() -> set[str]:
    found: Any = extract_from_dir(
        ROOT / "python/cadogan", method_map=[("**.py", "python")], keywords={"told": None}
    )
    return {str(text) for _, _, text, _, _ in found}


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_translated(language: str) -> None:
    known = messages(language)
    assert len(templates()) > 100
    assert {text for text in templates() if not known.get(text)} == set()


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_has_gaps_of_its_own(language: str) -> None:
    for english, other in messages(language).items():
        gaps = set(re.findall(r"\{\w*\}", english))
        assert set(re.findall(r"\{\w*\}", other)) <= gaps, english


@pytest.mark.parametrize("language", OTHERS)
def test_the_names_of_the_catalogue_are_translated(language: str) -> None:
    known = messages(language)
    names = {group.name for game in catalogue() for group in load(game).rulebook.groups}
    assert {name for name in names if name not in known} == set()


def test_a_refusal_is_told_in_german() -> None:
    position = load("klondike").deal("cadogan:1")
    reason = position.why_not("tableau.1 > tableau.7")
    assert reason == "the tableau builds down in alternate colours: QS does not go on 3C"
    assert translate(reason, "de") == (
        "Tableau: gebaut wird abwärts in wechselnder Farbe (rot und schwarz); QS passt nicht auf 3C"
    )
    assert translate(pickle.loads(pickle.dumps(reason)), "de") == translate(reason, "de")


def test_what_has_no_translation_stays_english() -> None:
    assert translate("never seen", "de") == "never seen"
    assert translate(told("{x} never seen", x=1), "de") == "1 never seen"
