"""The rules in words: the prose of every game as a golden, and what all must contain."""

import re
from pathlib import Path

import pytest

from cadogan.rules import catalogue, load_rules
from cadogan.rules.explain import explain
from cadogan.rules.rulebook.rulebook import Rulebook
from tests.catalogue import all_readings
from tests.games import write_game
from tests.goldens import UPDATE

FOLDER = Path(__file__).parent
CONSTRUCTS = FOLDER / "constructs.toml"
"""A game that has what no game of the catalogue has."""

GAMES = (*catalogue(), str(CONSTRUCTS))


def _named(name: str) -> str:
    return Path(name).stem if name.endswith(".toml") else name


NAMES = [
    *all_readings(),
    *(
        f"{CONSTRUCTS}{variant}"
        for variant in (
            "",
            *(f":{v.name}" for v in load_rules(str(CONSTRUCTS)).rulebook.variants),
        )
    ),
]


def _book(name: str) -> Rulebook:
    return load_rules(name).rulebook


@pytest.mark.parametrize("game", GAMES, ids=_named)
def test_the_prose_is_as_it_was(game: str) -> None:
    text = explain(_book(game))
    golden = FOLDER / f"{_named(game)}.md"
    if UPDATE:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES, ids=lambda name: Path(name).name)
def test_every_group_and_every_variant_is_reported(name: str) -> None:
    book = _book(name)
    text = explain(book)
    for group in book.groups:
        words = group.name.replace("-", " ")
        alone = words.removesuffix("s") if group.count == 1 else words
        assert words in text.lower() or alone in text.lower()
    for variant in book.variants:
        assert variant.why[1:] in text
    for chosen in book.chosen:
        assert f"“{chosen}”" in text
    for remark in book.remarks:
        assert remark[1:] in text
    assert book.source[1:] in text
    assert book.history[1:] in text


@pytest.mark.parametrize("name", NAMES, ids=lambda name: Path(name).name)
def test_nothing_raw_is_left(name: str) -> None:
    text = explain(_book(name))
    prose = "\n".join(line for line in text.splitlines() if not line.startswith("    "))
    assert not re.search(r"[_<>=\[\]{}]", prose)
    assert not re.search(r"\b(None|True|False|65535|416)\b", prose)
    assert not re.search(r"  |,,| ,| \.|\.\.|,\.|\b([a-z]+) \1\b", prose), "untidy"
    assert not re.search(r"\b[aA] (?!eu|Eu)[aeioAEIO]\w*|\b[aA]n ([eE]u|[^aeiouAEIOU\W])", prose), (
        "wrong article"
    )
    assert not re.search(r"\bone (cards|piles|times)\b", prose), "wrong number"


@pytest.mark.parametrize("name", NAMES, ids=lambda name: Path(name).name)
def test_every_rule_of_the_author_is_reported(name: str) -> None:
    book = _book(name)
    text = explain(book)
    for rule in book.rules:
        if rule.why:
            assert rule.why[1:] in text
        if rule.verb and not rule.forced:
            assert f"**{rule.verb.capitalize()}.**" in text


@pytest.mark.parametrize("game", GAMES, ids=_named)
def test_sections_come_in_order(game: str) -> None:
    order = [
        "The pack", "The table", "The aim", "Playing to the foundations", "Building on the table",
        "What happens by itself", "The stock", "Other moves", "What is counted", "The end",
        "Remarks", "Variants", "History", "Source",
    ]  # fmt: skip
    found = [line[3:] for line in explain(_book(game)).splitlines() if line.startswith("## ")]
    assert found == [title for title in order if title in found]
    assert {"The pack", "The table", "The aim", "The end", "Source"} <= set(found)


@pytest.mark.parametrize("name", NAMES, ids=lambda name: Path(name).name)
def test_it_is_tidy_markdown(name: str) -> None:
    """Paragraphs, headings and lists are set apart as Markdown wants it."""
    text = explain(_book(name))
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\n\n\n" not in text
    for heading in re.finditer(r"(?m)^#+ .+$", text):
        assert text[heading.end() : heading.end() + 2] == "\n\n"


FACTS = {
    "amazons": (
        "28 cards",
        "An ace on top of any column goes to the first empty foundation",
        "from the first column only to the first foundation",
        "the columns from the first to the last; each is turned over and put under the stock",
        "fewer than two passes begun since a card was last placed",
    ),
    "amazons:left-to-right": ("the columns from the last to the first",),
    "amazons:queens-free": ("A queen on top of any column may be played",),
    "hochzeitszug": (
        "the remaining 40 cards",
        "two, four, six, eight, ten, queen",
        "ace, three, five, seven, nine, knave, king",
        "the nine of hearts on the ten of hearts",
        "with the top four cards of the stock (or as many as there are, if fewer)",
        "first the upper piles from the last to the first, then the lower piles",
        "at most twice",
    ),
    "hochzeitszug:one-relay": ("only once in the game",),
    "hochzeitszug:by-twos": ("the eight of hearts on the ten of hearts",),
    "the-queens": (
        "one pile of 32 cards, face up; only the top card can be seen",
        "14 cards are taken from the top of the key",
        "A king on top of any pile of the shutter goes to the first empty foundation",
        "king, ace, two, three, four",
        "Nothing can be laid on an ace or a king",
        "three for each of the queens laid off on the waste since the last payment",
        "or the card in the hand (or, when there is none, the top card of the stock)",
        "the player chooses which",
    ),
    "the-queens:key-first": ("its double may not be played from elsewhere",),
    "empress-of-india": (
        "the eight black aces are taken out for the admirals",
        "ace, two, three, four, five, six, seven, eight, nine, ten, knave, king",
        "king, queen, ten, nine",
        "neither without the other",
        "inseparable",
        "a red card goes on the red waste; a black card goes on the black waste",
    ),
    "empress-of-india:double-play": ("none without the others",),
    "besieged-city": (
        ".   T14 R1  R2  R3  T4",
        "eight, seven, seven, eight",
        "a vacancy among the ramparts is filled with any card of the reserve",
        "in the same row or the same column of the picture",
        "the top card of the waste, or, when there is none, the card in the hand",
        "No card is played from the reserve or the waste",
    ),
    "besieged-city:one-transposition": ("Any two cards of the reserve may change places",),
    "flower-garden": (
        "six piles of six cards each",
        "any nine on any ten",
        "A vacancy in the garden may be filled with any of these cards",
        "What lies on a foundation stays there",
    ),
    "flower-garden:worrying-back": ("the top card of any foundation",),
    "klondike": ("takes only kings", "without limit", "a red nine on a black ten"),
    "klondike:draw-three": ("three cards are dealt from the stock face up on the waste",),
    "spider": ("there is no vacancy in the tableau", "A complete sequence of 13 cards"),
    "yukon": ("whether in sequence or not",),
    "canfield": ("a card of the base rank", "the ace following the king"),
    "golf": ("clear the tableau", "Nothing can be laid on a king"),
    "freecell": ("four places for one card each",),
    "beleaguered-castle": ("the four aces are taken out",),
}


@pytest.mark.parametrize("name", FACTS)
def test_what_a_player_must_know_is_reported(name: str) -> None:
    text = explain(_book(name))
    for fact in FACTS[name]:
        assert fact in text


SENTENCES = """
name = "Sentences"
packs = 2
picture = "F1 F2 T1 T2 T3"
layout = [
    { route = [
        { cards = "kings", to = "tableau.1", overflow = "kings-aside" },
        { cards = "any card", overflow = "others-aside" },
    ], from = "stock", until = "tableau.1" },
    { take = "all", from = "others-aside", to = "tableau.2" },
    { deal = 1, from = "stock", to = "peaks", face = "down" },
]
[foundations]
piles = 2
mark = "F"
order = "A 2 3 A 2 3 A 2 3"
build = "in suit"
[tableau]
mark = "T"
piles = 3
build = ["down in suit", "same rank in another suit"]
moves = "packets"
[peaks]
role = "reserve"
piles = 4
[others-aside]
role = "reserve"
[kings-aside]
role = "reserve"
[counters.done]
why = "whether a hand has been dealt"
[counters.idle]
cap = 3
[stock]
[[rule]]
name = "uncover"
forced = true
turn_up = "peaks"
[[rule]]
name = "a red king comes down"
forced = true
from = "others-aside"
from_holds = [1, 4]
which = "red kings"
to = "occupied tableau"
when = "done < 1 "
[[rule]]
name = "aces rest"
from = "peaks"
to = "occupied tableau.3"
which = "aces"
build = "same rank in alternate colours"
[[rule]]
name = "again"
steps = [
    { gather = "tableau", to = "kings-aside" },
    { take = 9, from = "kings-aside", to = "tableau.1" },
]
"""


@pytest.mark.parametrize(
    ("language", "said", "unsaid"),
    [
        (
            "en",
            [
                "if that is empty, else on the kings aside; any other card goes on the others",
                "until the first pile of the tableau is no longer empty",
                "the peaks, the others aside, the kings aside and the stock lie beside them",
                "any face-up card of the peaks",
                "that holds at most four cards, if it is a red king, goes on",
                "in this order, three times over: ace, two, three.",
                "a red ace on a black ace, for instance",
                "may be repeated without limit",
            ],
            ["no move is left", "has been dealt", "ten on a black ten", "idle"],
        ),
        (
            "de",
            [
                "wenn dort noch nichts liegt, sonst auf den Stapel „kings-aside“; jede andere",
                "bis der erste Stapel des Tableaus nicht mehr leer ist",
                "jede offene Karte",
                "in dieser Folge, dreimal hintereinander: Ass, Zwei, Drei.",
                "beliebig oft erlaubt",
            ],
            ["kein Zug mehr möglich", "Zehn"],
        ),
    ],
)
def test_sentences_that_once_went_wrong(
    language: str, said: list[str], unsaid: list[str], tmp_path: Path
) -> None:
    text = explain(write_game(tmp_path, SENTENCES).rulebook, language)
    assert [words for words in said if words not in text] == []
    assert [words for words in unsaid if words in text] == []
