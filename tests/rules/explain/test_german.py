"""The rules in German: goldens, and what must hold for every game."""

import os
import re
from pathlib import Path

import pytest

from cadogan.i18n.text import declension, term, translate
from cadogan.rules import catalogue, load_rules
from cadogan.rules.explain import explain
from cadogan.rules.explain.german import is_complete
from cadogan.rules.rulebook.words import RANK_NAMES, plural
from tests.rules.explain.test_explain import CONSTRUCTS, NAMES

FOLDER = Path(__file__).parent / "de"
READ = (
    "amazons", "besieged-city", "empress-of-india", "flower-garden", "hochzeitszug", "klondike",
    "spider", "the-queens", str(CONSTRUCTS),
)  # fmt: skip
UPDATE = os.environ.get("UPDATE_GOLDENS") == "1"
TITLES = [
    "Die Karten", "Der Tisch", "Das Ziel", "Ablegen auf die Grundstapel", "Bauen",
    "Was von selbst geschieht", "Der Talon", "Weitere Züge", "Was gezählt wird", "Das Ende",
    "Anmerkungen", "Varianten", "Geschichte", "Quelle",
]  # fmt: skip
ENGLISH = re.compile(
    r"\b(the|of|and|is|are|with|cards?|piles?|when|from|to|be|may|it|its|top|any|each|waste|stock|"
    r"foundations?|deal|dealt|face|up|down|suit|columns?|played?|laid|move[ds]?)\b"
)


def _german(name: str) -> str:
    return explain(load_rules(name).rulebook, "de")


def _own(text: str) -> str:
    """The text without what is English by right: names, sources, and what the author says."""
    kept = re.sub(r"\*\*[a-z-]+\*\*|„[^“]*“", "X", text.partition("## Quelle")[0])
    return "\n".join(line for line in kept.splitlines() if not line.startswith(("    ", "# ")))


@pytest.mark.parametrize("game", READ, ids=lambda name: Path(name).stem)
def test_the_prose_is_as_it_was(game: str) -> None:
    text = _german(game)
    golden = FOLDER / f"{Path(game).stem}.md"
    if UPDATE:
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES, ids=lambda name: Path(name).name)
def test_it_is_german_and_tidy(name: str) -> None:
    text = _german(name)
    found = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert found == [title for title in TITLES if title in found]
    english = explain(load_rules(name).rulebook)
    assert len(found) == english.count("\n## ")
    assert english.count("\n- ") == text.count("\n- "), "as many items as in English"
    own = _own(text)
    assert not re.search(r"[|_<>=\[\]{}]", own)
    assert not re.search(r"\b(None|True|False|65535|416)\b", own)
    assert not re.search(r"  |,,| ,| [.;:)]|\.\.|,\.|\( ", own), "untidy"
    assert not re.search(r"\b(in|an|von|zu|bei) dem ", own.replace(", in dem ", "")), "not drawn in"
    assert not re.search(r"\beine (Ass|Bube|König|Stapel|Platz)\b|\bein (Zwei|Dame|Karte)\b", own)
    if not name.startswith(str(CONSTRUCTS)):
        assert ENGLISH.findall(own) == []


@pytest.mark.parametrize("game", catalogue())
def test_all_that_an_author_says_has_its_german(game: str) -> None:
    for variant in ("", *(f":{v.name}" for v in load_rules(game).rulebook.variants)):
        book = load_rules(game + variant).rulebook
        assert is_complete(book)
        assert {g.name for g in book.groups if not declension(g.name, "de")} <= RANKED
        counted = [c for c in book.counters if c.why]
        assert [c.why for c in counted if translate(term(c.why), "de") == c.why] == []
        text = explain(book, "de")
        for parts in book.variants:
            assert translate(term(parts.why), "de")[1:] in text
        for rule in book.rules:
            if rule.why:
                assert translate(term(rule.why), "de")[1:] in text


RANKED = {word for rank in range(13) for word in (plural(rank), RANK_NAMES[rank])}
"""Foundations that are named by a rank: the grammar forms them without the catalogue."""


def test_a_game_of_somebody_else_is_reported_in_german_and_quotes_its_words() -> None:
    book = load_rules(str(CONSTRUCTS)).rulebook
    text = explain(book, "de")
    assert "Die oberste Karte jedes Stapels „wells“" in text
    assert "Nobody has ever won this game." in text
    assert not is_complete(book)


def test_a_language_that_nobody_tells_is_named() -> None:
    with pytest.raises(ValueError, match="in en and de, not in 'fr'"):
        explain(load_rules("golf").rulebook, "fr")


FACTS = {
    "amazons:queens-free": (
        "Eine Dame oben auf einer Spalte darf auf einen begonnenen Grundstapel",
    ),
    "besieged-city:one-transposition": ("Zwei beliebige Karten der Reserve dürfen die Plätze",),
    "the-queens:queens-ride-along": ("bis dreimal so viele Karten außer Damen dabei sind, wie",),
    "the-queens:key-first": ("darf die andere nicht von anderswo abgelegt werden",),
    "empress-of-india:double-play": ("keine ohne die anderen",),
    "canfield": ("mit einer Karte vom Grundwert", "das Ass folgt auf den König"),
    "golf": ("vom Tableau abgespielt", "Auf einen König kann nichts gelegt werden"),
    "golf:queens-on-kings": ("Auch auf einen König darf gelegt werden",),
    "freecell": ("vier Plätze für je eine Karte", "Eine leere Zelle darf"),
    "yukon": ("ob in Folge oder nicht, darf auf die oberste Karte",),
    "spider:one-suit": ("aber nur Pik spielt mit",),
    "bakers-game:kings-only": ("nimmt nur Könige",),
    "black-hole": ("Pik-Ass für das Loch",),
}


@pytest.mark.parametrize("name", FACTS)
def test_what_a_player_must_know_is_reported(name: str) -> None:
    text = _german(name)
    for fact in FACTS[name]:
        assert fact in text
