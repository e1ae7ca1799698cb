"""Texts in other languages: none is missing, and none has lost its fields."""

import pickle
import re
from typing import Any

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po
from pydantic import BaseModel

from cadogan import MoveError, load
from cadogan.i18n.text import FOLDER, LANGUAGES, Translatable, gettext, ngettext, translate
from cadogan.rules import catalogue
from cadogan.rules.validate import schema as shapes
from tests.documents import ROOT
from tests.rules.test_errors import EXAMPLES, report_of
from tests.rules.test_errors import FOLDER as FAULTS

OTHERS = [language for language in LANGUAGES if language != "en"]


def messages(language: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    for path in sorted((FOLDER / language / "LC_MESSAGES").glob("*.po")):
        with path.open("rb") as file:
            found = read_po(file, locale=language, abort_invalid=True)
        written = path.read_text(encoding="utf-8").count("\nmsgid ")
        assert written == sum(1 for _ in found), f"{path.name} translates a text twice: msguniq"
        assert not any(message.fuzzy for message in found if message.id)
        own = {text: other for m in found if m.id and not m.context for text, other in _forms(m)}
        assert not texts.keys() & own.keys(), "said in two catalogues"
        texts |= own
    return texts


def templates() -> set[str]:
    found: Any = extract_from_dir(
        ROOT / "python/cadogan",
        method_map=[("**.py", "python")],
        keywords={"gettext": None, "ngettext": (1, 2)},
    )
    texts: set[str] = set()
    for _, _, text, _, _ in found:
        texts.update(map(str, text) if isinstance(text, tuple) else [str(text)])
    return texts


def _forms(message: Any) -> list[tuple[str, str]]:
    """A message and its translation; of one that counts things, singular and plural."""
    if isinstance(message.id, tuple):
        return list(zip(message.id, message.string, strict=True))
    return [(str(message.id), str(message.string))]


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


def test_a_refusal_is_reported_in_german() -> None:
    position = load("klondike").deal("cadogan:1")
    reason = position.why_not("tableau.1 > tableau.7")
    assert reason == "the tableau builds down in alternate colours: QS does not go on 3C"
    assert translate(reason, "de") == (
        "Tableau: gebaut wird abwärts in wechselnder Farbe (rot und schwarz); QS passt nicht auf 3C"
    )
    assert translate(pickle.loads(pickle.dumps(reason)), "de") == translate(reason, "de")


def test_what_has_no_translation_stays_english() -> None:
    assert translate("never seen", "de") == "never seen"
    assert translate(gettext("{x} never seen", x=1), "de") == "1 never seen"


def test_what_a_rules_file_should_have_is_reported_in_german() -> None:
    known = messages("de")
    expected = {
        str(extra["expects"])
        for shape in vars(shapes).values()
        if isinstance(shape, type) and issubclass(shape, BaseModel)
        for field in shape.model_fields.values()
        if isinstance(extra := field.json_schema_extra, dict)
    }
    assert len(expected) > 50
    assert {text for text in expected if text not in known} == {
        *("true", '"wait"', '"emptiest first"'),
    }


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_fault_of_a_rules_file_is_reported_in_german(
    example: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FAULTS)
    for fault in report_of(example).faults:
        texts = [fault.title, *(label.text for label in fault.labels), fault.hint or ""]
        for text in filter(None, texts):
            german = translate(text, "de")
            assert german != text or re.fullmatch(r"U\+\w{4}|.*\btrue\b.*", text), text
            assert not re.search(r"\b(the|of|is|are|not|must|has|say|give|write)\b", _bare(german))


def _bare(text: str) -> str:
    """A text without what stands in quotes, and without what is written in a rules file."""
    return re.sub(r"„[^“]*“|\"[^\"]*\"|\[.*?\]", "", text)


REFUSED = {
    "klondike": ("tableau.1 > tableau.2", "stock > waste", "tableau > foundations.9", "deal x"),
    "the-queens": ("stock > shutter.1", "key > shutter.2", "waste > hand"),
    "besieged-city": ("reserve.1 > ramparts.7", "hand > waste", "lay off"),
    "hochzeitszug": ("upper.1 > queens.1", "gather", "upper.1", ""),
    "empress-of-india": ("army.1 > admirals.1", "army.1 + army.2", "navy.1 > navy.2"),
    "amazons": ("columns.1 > foundations.2", "columns.1 > columns.2", "gather"),
}


@pytest.mark.parametrize("game", REFUSED)
def test_whatever_is_wrong_with_a_move_is_reported_in_german(game: str) -> None:
    position = load(game).deal("cadogan:1")
    for move in REFUSED[game]:
        try:
            position.play(move)
        except MoveError as error:
            assert isinstance(error.reason, Translatable), error.reason
            german = translate(error.reason, "de")
            assert german != error.reason
            assert not re.search(r"\b(the|of|is|are|no|not|on|from|go|does)\b", german), german


@pytest.mark.parametrize(("number", "text"), [(1, "1 Spiel angesehen"), (2, "2 Spiele angesehen")])
def test_what_is_counted_has_its_plural(number: int, text: str) -> None:
    told_so = ngettext("{number} deal looked at", "{number} deals looked at", number=number)
    assert translate(told_so, "de") == text
    assert translate(pickle.loads(pickle.dumps(told_so)), "de") == text
