"""The form that writes a rules file: what the answers say is what is played."""

import random
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import cadogan
from cadogan.i18n.text import translate
from cadogan.rules import catalogue, check_text
from cadogan.rules.explain import explain
from cadogan.rules.rulebook.rulebook import Rulebook
from cadogan.rules.writing.answers import Answers
from cadogan.rules.writing.choice import NO, YES, AnswersError, Choice
from cadogan.rules.writing.choices import CHOICES, SECTIONS
from cadogan.rules.writing.recognition import answers_of
from cadogan.rules.writing.rules_file import rules_file

NO_RESERVE = {"reserves": "0"}
SPIDER = {"foundations": "sequences", "suits": "suit", "moves": "spider", **NO_RESERVE}

KNOWN: dict[str, dict[str, str]] = {
    "klondike": {
        **NO_RESERVE,
        "stock": "waste",
        "redeals": "unlimited",
        "worrying-back": YES,
        "piles": "7",
        "moves": "sequences",
        "space": "king",
        "shape": "triangle",
        "face-down": "6",
    },
    "yukon": {
        **NO_RESERVE,
        "piles": "7",
        "moves": "packets",
        "space": "king",
        "face-down": "0 1 2 3 4 5 6",
        "face-up": "1 5 5 5 5 5 5",
    },
    "forty-thieves": {
        **NO_RESERVE,
        "packs": "2",
        "stock": "waste",
        "piles": "10",
        "suits": "suit",
        "face-up": "4",
    },
    "bakers-dozen": {
        **NO_RESERVE,
        "piles": "13",
        "suits": "any",
        "space": "nothing",
        "to-bottom": "kings",
    },
    "east-haven": {
        **NO_RESERVE,
        "stock": "tableau",
        "worrying-back": YES,
        "piles": "7",
        "moves": "sequences",
        "face-down": "2",
    },
    "grounds-for-a-divorce": {
        **SPIDER,
        "packs": "2",
        "stock": "occupied",
        "foundations": "any-sequences",
        "piles": "10",
        "corner": YES,
        "face-up": "5",
    },
    "somerset": {**NO_RESERVE, "piles": "10", "shape": "triangle", "face-up": "8"},
    "king-albert": {
        "piles": "9",
        "reserves": "7",
        "capacity": "0",
        "reserve-deal": "1",
        "shape": "triangle",
        "face-up": "9",
    },
    "raglan": {
        "laid-out": YES,
        "piles": "9",
        "reserves": "6",
        "capacity": "0",
        "reserve-deal": "1",
        "face-up": "1 2 3 4 5 6 7 7 7",
    },
}
"""Games of the catalogue, as answers: the compiled programs are the same."""

PLAYED_ALIKE: dict[str, dict[str, str]] = {
    "freecell": {"reserves": "4"},
    "bakers-game": {"suits": "suit", "reserves": "4"},
    "spider": {
        **SPIDER,
        "packs": "2",
        "stock": "full",
        "piles": "10",
        "face-down": "5",
        "most": "54",
    },
    "simple-simon": {**SPIDER, "piles": "10", "face-up": "8 8 8 7 6 5 4 3 2 1"},
    "spiderette": {**SPIDER, "stock": "full", "piles": "7", "shape": "triangle", "face-down": "6"},
    "seahaven-towers": {
        "piles": "10",
        "suits": "suit",
        "space": "king",
        "reserves": "4",
        "reserve-deal": "0 1 1 0",
        "face-up": "5",
    },
    "eight-off": {
        "suits": "suit",
        "space": "king",
        "reserves": "8",
        "reserve-deal": "1 1 1 1 0 0 0 0",
        "face-up": "6",
    },
    "agnes-bernauer": {
        "stock": "reserve",
        "base": "dealt",
        "piles": "7",
        "corner": YES,
        "moves": "sequences",
        "space": "before-base",
        "reserves": "7",
        "capacity": "0",
        "reserve-deal": "1",
        "shape": "triangle",
        "face-up": "7",
    },
    "canfield": {
        "stock": "waste",
        "at-a-time": "3",
        "redeals": "unlimited",
        "base": "dealt",
        "piles": "4",
        "moves": "sequences",
        "corner": YES,
        "refill": "reserve",
        "reserves": "1",
        "capacity": "0",
        "reserve-deal": "13",
        "reserve-hidden": YES,
    },
}
"""Others, whose groups stand in another order: the same moves are legal in every position."""

ORDERS: dict[str, Callable[[list[str]], list[str]]] = {
    # The card that begins the foundations is dealt first there, and not between the groups.
    "agnes-bernauer": lambda deck: [deck[35], *deck[:35], *deck[36:]],
    "canfield": lambda deck: [deck[13], *deck[14:18], *deck[:13], *deck[18:]],
}
"""How the cards that a game of the catalogue deals must lie for the game that is written."""


def answered(seed: int) -> dict[str, str]:
    """Random answers, of which many do not fit together."""
    rng = random.Random(seed)
    given = {}
    for choice in CHOICES.values():
        if choice.kind == "text" or rng.random() < 0.4:
            continue
        if choice.values:
            given[choice.key] = rng.choice(choice.values)
        elif choice.kind == "number":
            given[choice.key] = str(rng.randint(choice.least, min(choice.most, 20)))
        else:
            given[choice.key] = str(rng.randint(0, 5))
    return given


def fitting(seed: int) -> tuple[Answers, str]:
    """Random answers that fit together, and the file: answers that do not fit are dropped."""
    given = answered(seed)
    while True:
        try:
            return Answers(given), rules_file(given)
        except AnswersError as error:
            # Without one of its answers the first misfit is gone, and perhaps others with it.
            first = error.misfits[0]
            given.pop(next(key for key in first.choices if key in given))


def loaded(text: str, folder: Path) -> cadogan.Game:
    """The game of a file."""
    file = folder / "game.toml"
    file.write_text(text, encoding="utf-8")
    return cadogan.load(str(file))


@pytest.mark.parametrize("slug", KNOWN)
def test_answers_give_a_game_of_the_catalogue(slug: str, tmp_path: Path) -> None:
    mine = loaded(rules_file(KNOWN[slug]), tmp_path)
    assert mine.digest == cadogan.load(slug).digest


@pytest.mark.parametrize("slug", PLAYED_ALIKE)
def test_answers_give_a_game_with_the_same_moves(slug: str, tmp_path: Path) -> None:
    theirs = cadogan.load(slug)
    mine = loaded(rules_file(PLAYED_ALIKE[slug]), tmp_path)
    order = ORDERS.get(slug, list)
    made = 0
    for seed in range(12):
        rng = random.Random(seed)
        deck = [str(card) for card in theirs.pack]
        rng.shuffle(deck)
        here, there = mine.deal(deck=order(deck)), theirs.deal(deck=deck)
        for _ in range(50):
            moves = sorted(map(str, here.moves()))
            assert moves == sorted(map(str, there.moves()))
            if not moves:
                break
            move = rng.choice(moves)
            here, there = here.play(move), there.play(move)
            made += 1
        assert here.outcome == there.outcome
    assert made > 100


@pytest.mark.parametrize("slug", [*KNOWN, *PLAYED_ALIKE])
def test_a_game_is_recognized(slug: str, tmp_path: Path) -> None:
    found = answers_of(slug)
    assert found is not None
    known = KNOWN.get(slug) or PLAYED_ALIKE[slug]
    mine, same = (loaded(rules_file(each), tmp_path).digest for each in (found, known))
    assert mine == same
    assert len(found) <= len(known)


def test_a_variant_is_recognized() -> None:
    found = answers_of("klondike:draw-three+two-redeals")
    assert found is not None
    assert (found["at-a-time"], found["redeals"]) == ("3", "2")


@pytest.mark.parametrize("slug", ["golf", "pyramid", "accordion", "penguin", "sultan", "cruel"])
def test_other_games_are_not_recognized(slug: str) -> None:
    assert answers_of(slug) is None


@pytest.mark.parametrize("slug", catalogue())
def test_what_is_recognized_has_the_piles_and_rules_of_the_game(slug: str, tmp_path: Path) -> None:
    found = answers_of(slug)
    if found is None:
        assert slug not in {*KNOWN, *PLAYED_ALIKE}
        return
    mine, theirs = loaded(rules_file(found), tmp_path), cadogan.load(slug)
    shapes = [
        sorted((group.role, group.count) for group in game.rulebook.groups)
        for game in (mine, theirs)
    ]
    assert shapes[0] == shapes[1]
    assert sorted(map(str, mine.pack)) == sorted(map(str, theirs.pack))
    counts = [
        sorted(len(pile) for pile in game.deal("cadogan:1").piles.values())
        for game in (mine, theirs)
    ]
    assert counts[0] == counts[1]
    assert len(mine.rulebook.rules) == len(theirs.rulebook.rules)


def test_what_is_left_out_is_what_the_language_has_by_default() -> None:
    text = rules_file({"name": 'Quotes " and \\', "worrying-back": NO})
    assert tomllib.loads(text)["name"] == 'Quotes " and \\'
    assert not {"worrying_back", "moves", "refill", "start"} & set(re.findall(r"\w+", text))


def _words(pattern: str) -> Callable[[Rulebook, str], bool]:
    return lambda _, text: re.search(pattern, " ".join(text.split())) is not None


SAID: Mapping[tuple[str, str], Callable[[Rulebook, str], bool]] = {
    ("packs", "1"): _words("One pack of 52 cards"),
    ("packs", "2"): _words("Two packs"),
    ("packs", "3"): _words("Three packs"),
    ("packs", "4"): _words("Four packs"),
    ("stock", "waste"): _words(r"dealt from the stock face up on the waste"),
    ("stock", "tableau"): _words(r"face up on each pile of the tableau"),
    ("stock", "occupied"): _words(r"each (occupied pile|pile of the tableau that)|on the tableau"),
    ("stock", "full"): _words(r"not empty and (there is no vacancy in|the tableau is not)"),
    ("stock", "first"): _words("dealt from the stock face up on the (first pile of the )?tableau"),
    ("stock", "reserve"): _words(r"face up on (each pile of )?the reserve"),
    ("at-a-time", "3"): _words("three cards are dealt"),
    ("empty-waste", YES): _words("and the waste is empty"),
    ("redeals", "1"): _words("once"),
    ("redeals", "2"): _words("twice"),
    ("redeals", "3"): _words("three times"),
    ("redeals", "unlimited"): _words("as often as|any number of times|without limit"),
    ("shuffle", YES): _words("shuffled"),
    ("foundations", "sequences"): _words("complete sequence"),
    ("foundations", "any-sequences"): _words("complete sequence.*round the corner"),
    ("base", "king"): _words("begins? with a king|in this order: king, ace"),
    ("base", "dealt"): _words("base"),
    ("base", "chosen"): _words("first card that is played there makes the base"),
    ("base", "each-dealt"): _words("begins with the card dealt to it"),
    ("base", "each-chosen"): _words("begins with any card"),
    ("laid-out", YES): _words("(aces|kings).* (begin|lie|laid|start)"),
    ("foundation-direction", "down"): _words("built down|ace, king, queen|begins with a king|base"),
    ("worrying-back", YES): _words("come back from the foundations"),
    ("suits", "nothing"): _words(
        "Nothing is ever (built|put) on the tableau|A vacancy in the tableau may"
    ),
    ("moves", "packets"): _words("whatever (cards )?(they are|lie)|packet|all the cards"),
    ("space", "king"): _words("(vacan|empty).*king"),
    ("space", "nothing"): _words(
        "(vacancies|vacancy|empty),? .*stays?|(is filled at once by itself|takes none)"
    ),
    ("corner", YES): _words("round the corner"),
    ("to-bottom", "kings"): _words("kings.*bottom"),
    ("to-bottom", "aces"): _words("aces.*bottom"),
}
"""For some answers, what the rulebook or the rules in words must say."""


@pytest.mark.parametrize("seed", range(160))
@pytest.mark.sample(40)
def test_random_answers_give_a_game_that_says_what_was_answered(seed: int, tmp_path: Path) -> None:
    answers, text = fitting(seed)
    report = check_text(text, "game.toml")
    assert report.ok, report.render()
    assert {fault.code for fault in report.faults} <= {"endless-redeals"}, report.render()
    game = loaded(text, tmp_path)
    rng = random.Random(seed)
    at = game.deal(f"cadogan:{seed}")
    for _ in range(20):
        moves = at.moves()
        if not moves:
            break
        at = at.play(rng.choice(moves))
    assert sum(map(len, at.piles.values())) == 52 * answers.number("packs")
    book = game.rulebook
    said = explain(book, "en")
    for (key, answer), check in SAID.items():
        if answers[key] == answer and answers.applies(key):
            assert check(book, said), f"{key}={answer}\n{text}\n{said}"
    groups = {group.name: group.count for group in book.groups}
    assert groups["tableau"] == answers.number("piles")
    assert groups["foundations"] == 4 * answers.number("packs")
    assert groups.get("cells", 0) + groups.get("reserve", 0) == answers.number("reserves")
    assert ("stock" in groups) == (answers["stock"] != "none")
    assert ("waste" in groups) == (answers["stock"] == "waste")


@pytest.mark.parametrize("seed", range(300))
@pytest.mark.sample(60)
def test_answers_are_written_or_refused_with_the_names_of_the_choices(seed: int) -> None:
    try:
        text = rules_file(answered(seed))
    except AnswersError as error:
        for misfit in error.misfits:
            assert misfit.choices
            labels = [CHOICES[key].label for key in misfit.choices]
            assert sum(label in misfit.text for label in labels) >= min(2, len(labels)), misfit
            german = translate(misfit.text, "de")
            assert sum(translate(label, "de") in german for label in labels) >= min(2, len(labels))
    else:
        assert check_text(text, "game.toml").ok


REFUSED: dict[str, tuple[dict[str, str], str]] = {
    "unknown": ({"colour": "red"}, 'there is no choice "colour"'),
    "number": ({"packs": "five"}, '"Packs" cannot be "five": a number from 1 to 4'),
    "option": (
        {"shape": "circle"},
        '"Shape of the tableau" cannot be "circle": one of rectangle, triangle, pyramid',
    ),
    "numbers": (
        {"face-up": "1 2 x"},
        (
            '"Face-up cards in each pile" cannot be "1 2 x": a number from 0 to 104, or one for'
            " each pile"
        ),
    ),
    "name": ({"name": " "}, '"Name" cannot be "": up to 80 letters'),
    "meaningless": (
        {"stock": "tableau", "at-a-time": "3"},
        '"Cards at a time" means nothing with "The stock is dealt: to all piles of the tableau"',
    ),
    "no waste": (
        {"refill": "waste"},
        (
            '"A vacancy is filled at once: from the waste" does not fit "The stock is dealt: not'
            ' at all"'
        ),
    ),
    "never": (
        {"foundations": "sequences"},
        (
            '"The foundations take: complete sequences between king and ace" and "Each card of a'
            ' foundation is: of the same suit" do not fit "Each card of the tableau is: of the'
            ' other colour"'
        ),
    ),
    "too many cards": (
        {"face-up": "7"},
        (
            '"Face-down cards in each pile: 0" and "Face-up cards in each pile: 7" deal too many'
            " cards: 56 are dealt in all, but there are 52"
        ),
    ),
    "lists": (
        {"face-up": "7 7 7"},
        (
            '"Face-up cards in each pile: 7 7 7" gives 3 numbers, but "Piles of the tableau: 8"'
            " needs 8"
        ),
    ),
    "shapes": (
        {"piles": "2", "face-up": "3 4", "shape": "triangle"},
        (
            '"Face-up cards in each pile: 3 4" says already how many cards each pile gets, so'
            ' "Shape of the tableau: triangle" does not fit'
        ),
    ),
    "no face": (
        {"face-down": "3", "face-up": "0", "stock": "waste"},
        (
            '"Face-down cards in each pile: 3" and "Face-up cards in each pile: 0" leave piles'
            " without a face-up card"
        ),
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_answers_that_do_not_fit_are_refused(case: str) -> None:
    given, sentence = REFUSED[case]
    with pytest.raises(AnswersError) as caught:
        rules_file(given)
    assert [misfit.text for misfit in caught.value.misfits] == [sentence]


def test_all_misfits_are_reported_at_once() -> None:
    with pytest.raises(AnswersError) as caught:
        rules_file({"packs": "9", "piles": "0", "unknown": "x"})
    assert {misfit.choices for misfit in caught.value.misfits} == {
        ("packs",),
        ("piles",),
        ("unknown",),
    }


@pytest.mark.parametrize(
    ("shape", "down", "up"),
    [
        ("rectangle", [2] * 7, [3] * 7),
        ("triangle", [0, 1, 2, 2, 2, 2, 2], [1, 1, 1, 2, 3, 3, 3]),
        ("pyramid", [0, 1, 2, 2, 2, 1, 0], [1, 1, 1, 2, 1, 1, 1]),
    ],
)
def test_the_shape_of_the_tableau(shape: str, down: list[int], up: list[int]) -> None:
    given = {"piles": "7", "stock": "waste", "shape": shape, "face-down": "2", "face-up": "3"}
    group = tomllib.loads(rules_file(given))["tableau"]
    assert [group["deal_down"], group["deal"]] == [
        numbers[0] if len({*numbers}) == 1 else numbers for numbers in (down, up)
    ]


def test_a_limit_takes_cards_from_the_last_piles() -> None:
    given = {"packs": "2", "piles": "10", "stock": "waste", "face-down": "5", "most": "54"}
    group = tomllib.loads(rules_file(given))["tableau"]
    assert (group["deal_down"], group["deal"]) == ([5, 5, 5, 5, 4, 4, 4, 4, 4, 4], 1)


def test_a_redeal_is_shuffled_and_counted(tmp_path: Path) -> None:
    given = {"stock": "tableau", "redeals": "2", "shuffle": YES, **NO_RESERVE}
    said = " ".join(explain(loaded(rules_file(given), tmp_path).rulebook, "en").split())
    assert "gathered on the stock, which is shuffled" in said
    assert "at most twice" in said


def test_each_choice_has_a_default_that_can_be_answered() -> None:
    for choice in CHOICES.values():
        assert choice.read(choice.default) == choice.default
        assert choice.help.endswith(".")
        assert translate(choice.help, "de") != choice.help
    assert sum(len(section.choices) for section in SECTIONS) == len(CHOICES)


def test_a_choice_depends_on_earlier_ones_only() -> None:
    seen: dict[str, Choice] = {}
    for key, choice in CHOICES.items():
        for other, answers in choice.unless.items():
            assert set(answers) <= set(seen[other].values) or seen[other].kind == "number"
        seen[key] = choice
