"""No phrase is nonsense: what is accepted is played and explained as it reads.

Phrases are composed at random. Each is read three times: by the compiler and the kernel, by the
rules in words, and here, word by word. The first and the last must agree, and two phrases that the
rules in words explain alike must mean the same. What has no meaning is refused.
"""

import itertools
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from cadogan import Card, Game, Position, load
from cadogan.i18n.german import NOM
from cadogan.rules.explain import explain
from cadogan.rules.explain.english.phrases import Phrases
from cadogan.rules.explain.english.prose import Cards
from cadogan.rules.explain.german.cards import GermanCards
from cadogan.rules.explain.german.phrases import GermanPhrases
from cadogan.rules.rulebook.words import WordError, parse_class
from cadogan.views import FACE_DOWN
from tests.rules.composed.reading import BOUNDS, SIZES

RANKS: Final = "A23456789TJQK"
SUITS: Final = {"club": "C", "diamond": "D", "heart": "H", "spade": "S"}
NAMES: Final = {
    "ace": "A", "deuce": "2", "two": "2", "three": "3", "six": "6", "10": "T", "ten": "T",
    "jack": "J", "knave": "J", "queen": "Q", "king": "K",
}  # fmt: skip
PACK: Final = [Card(code) for code in range(52)]

# -- classes of cards ------------------------------------------------------------------------------

Cards_ = frozenset[str]


def of(test: Callable[[str, str], bool]) -> Cards_:
    return frozenset(str(card) for card in PACK if test(*str(card)))


def one_class(chance: random.Random) -> tuple[str, Cards_]:
    """A class without "and", and its cards."""
    red = chance.random() < 0.5
    colour = "red" if red else "black"
    rank, letter = chance.choice(list(NAMES.items()))
    many = rank if rank == "10" else "sixes" if rank == "six" else f"{rank}s"
    suit, mark = chance.choice(list(SUITS.items()))
    return chance.choice(
        [
            ("any card", of(lambda r, s: True)),
            ("no card", frozenset()),
            (f"{colour} cards", of(lambda r, s: (s in "DH") == red)),
            (f"{suit}s", of(lambda r, s: s == mark)),
            (chance.choice([f"a {rank}", f"the {rank}", f"any {rank}", many]),
             of(lambda r, s: r == letter)),
            (f"{colour} {many}", of(lambda r, s: r == letter and (s in "DH") == red)),
            (f"the {rank} of {suit}s", of(lambda r, s: r + s == letter + mark)),
        ]
    )  # fmt: skip


def some_class(chance: random.Random) -> tuple[str, Cards_]:
    """A class of cards, and its cards."""
    parts = [one_class(chance) for _ in range(chance.choice((1, 1, 2, 3)))]
    words, last = [text for text, _ in parts], chance.choice((" and ", " or "))
    text = last.join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
    cards = frozenset[str]().union(*(cards for _, cards in parts))
    if chance.random() < 0.2:
        return f"all but {text}", of(lambda r, s: True) - cards
    return text, cards


def test_classes_of_cards() -> None:
    chance = random.Random(1)
    explained: dict[tuple[str, ...], Cards_] = {}
    english, german = Cards(range(13), range(4)), GermanCards(range(13), range(4))
    for _ in range(3000):
        text, cards = some_class(chance)
        read = parse_class(text)
        assert {str(card) for card in PACK if read.mask >> card.code & 1} == cards, text
        mask = read.mask
        words = (
            english.many(mask),
            english.one(mask),
            german.some(mask, NOM),
            german.single(mask),
        )
        assert explained.setdefault(words, cards) == cards, (text, words)


WORDS: Final = [
    "red",
    "kings",
    "queens",
    "no",
    "cards",
    "3",
    "of",
    "hearts",
    "spades",
    "all",
    "any",
]


def test_words_in_any_order_are_a_class_with_cards_or_refused() -> None:
    chance = random.Random(2)
    for _ in range(3000):
        text = " ".join(chance.choice(WORDS) for _ in range(chance.randint(1, 4)))
        try:
            found = parse_class(text)
        except WordError:
            continue
        if "no" in text.split():
            assert not found.mask
            continue
        # Every word narrows the class to its own cards.
        for word in text.split():
            if word not in ("no", "cards", "of", "all", "any"):
                assert not found.mask & ~parse_class(word).mask, text
        assert found.mask, text


# -- conditions ------------------------------------------------------------------------------------

TABLE = """
name = "Probes"
ranks = "A 2 3 4"
suits = "hearts spades"
aim = "count = 999"
layout = [
    { deal = 1, from = "stock", to = "garden.1 and garden.2 and fans.1" },
    { deal = 1, from = "stock", to = "garden.1" },
]
[counters.count]
cap = 3
[counters.probed]
cap = 1
[foundations]
piles = 2
base = "ace"
build = "up in suit"
[garden]
role = "reserve"
piles = 3
[fans]
role = "reserve"
piles = 2
[stock]
[waste]
[[rule]]
name = "up"
from = ["garden", "fans", "waste"]
to = "foundations"
add = { count = 1 }
[[rule]]
name = "about"
from = ["garden", "fans", "waste or stock"]
to = "garden and fans"
cards = "the whole pile"
[[rule]]
name = "single"
from = ["garden", "fans", "stock"]
to = ["waste", "fans"]
"""
GROUPS: Final = {"foundations": 2, "garden": 3, "fans": 2, "stock": 1, "waste": 1}

Table = dict[str, list[str]]
Holds = Callable[[Table, int], bool]


def table_of(position: Position) -> Table:
    names = position.game.pile_names
    heaps = position._state.piles()
    return {
        name: [str(Card(byte % FACE_DOWN)) for byte in heap]
        for name, heap in zip(names, heaps, strict=False)
    }


def some_piles(chance: random.Random, *, single: bool = False) -> tuple[str, list[str]]:
    """A phrase that names piles, and the piles."""
    parts: list[tuple[str, list[str]]] = []
    for group in chance.sample(list(GROUPS), 1 if single else chance.choice((1, 1, 2, 3))):
        count = GROUPS[group]
        if count == 1:
            parts.append((chance.choice((group, f"the {group}")), [group]))
        elif single or chance.random() < 0.4:
            pile = f"{group}.{chance.randint(1, count)}"
            parts.append((pile, [pile]))
        else:
            back = chance.choice(("", "", " from last to first"))
            parts.append((group + back, [f"{group}.{n + 1}" for n in range(count)]))
    words = [text for text, _ in parts]
    text = " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
    return text, [pile for _, piles in parts for pile in piles]


NUMBERS: Final = ["no", "one", "two", "3", "4"]


def some_count(chance: random.Random) -> tuple[str, Holds]:
    """A condition that counts piles or cards, and what it says."""
    text, piles = some_piles(chance)
    number = chance.randrange(len(NUMBERS))
    kind = chance.choice(("piles", "cards", "sizes", "either"))
    if kind == "piles":
        bound, test = chance.choice(list(BOUNDS.items())[:2])
        negated = chance.random() < 0.3
        # "At least none" and "at most all" are refused: they always hold.
        low = bound == "at least"
        number = chance.randint(int(low), len(piles) - int(not low))
        word = chance.choice((str(number), *NUMBERS[number : number + 1]))
        phrase = f"{bound} {word} of {text} are {'not ' if negated else ''}vacant"
        return phrase, lambda t, n: test(sum(bool(t[p]) == negated for p in piles), number)
    if kind == "cards":
        bound, test = chance.choice(list(BOUNDS.items()))
        cards, members = some_class(chance)
        if not number and bound in ("at least", "fewer than"):
            number = 1  # They would always hold, or never.
        return f"{text} hold {bound} {NUMBERS[number]} {cards}", lambda t, n: test(
            sum(card in members for pile in piles for card in t[pile]), number
        )
    if kind == "sizes":
        than, others = some_piles(chance)
        size, test = chance.choice(list(SIZES.items()))
        return f"{text} hold {size} {than}", lambda t, n: test(
            sum(len(t[p]) for p in piles), sum(len(t[p]) for p in others)
        )
    made = [some_condition(chance, nested=True) for _ in range(chance.choice((2, 2, 3)))]
    phrase = " or ".join(text for text, _ in made)
    return f"either {phrase}", lambda t, n: any(test(t, n) for _, test in made)


def some_condition(chance: random.Random, *, nested: bool = False) -> tuple[str, Holds]:
    """A condition, and what it says."""
    if not nested and chance.random() < 0.4:
        return some_count(chance)
    text, piles = some_piles(chance)
    kind = chance.choice(("empty", "empty", "holds", "top", "counter", "complete"))
    if kind == "holds":
        cards, members = some_class(chance)
        if cards.startswith("no "):  # "holds no card" denies.
            cards, members = "any card", of(lambda r, s: True)
        if chance.random() < 0.4:
            return (
                f"{text} holds no {cards}",
                lambda t, n: not any(card in members for pile in piles for card in t[pile]),
            )
        return f"{text} hold {cards}", lambda t, n: any(
            card in members for pile in piles for card in t[pile]
        )
    if kind == "top":
        text, (pile,) = some_piles(chance, single=True)
        cards, members = some_class(chance)
        return (
            f"top of {text} is {cards}",
            lambda t, n: t[pile][-1:] != [] and t[pile][-1] in members,
        )
    if kind == "counter":
        sign = chance.choice(("<", "<=", "=", ">=", ">"))
        # "Less than 0" and "at least 0" are refused.
        number = chance.randint(int(sign in ("<", ">=")), 4)
        tests: dict[str, Callable[[int], bool]] = {
            "<": lambda n: n < number, "<=": lambda n: n <= number, "=": lambda n: n == number,
            ">=": lambda n: n >= number, ">": lambda n: n > number,
        }  # fmt: skip
        return f"count {sign} {number}", lambda t, n: tests[sign](n)
    if kind == "complete":
        piles = chance.choice((["foundations.1"], ["foundations.1", "foundations.2"]))
        text = "foundations" if len(piles) == 2 else piles[0]
        return f"{text} are complete", lambda t, n: all(len(t[pile]) == 4 for pile in piles)
    be, empty = chance.choice(("is", "are")), chance.choice(("empty", "vacant"))
    which = chance.choice(("", "no ", "some ", "all ", "all of ", "not all of "))
    negated = chance.random() < 0.3 and which not in ("no ", "not all of ")
    phrase = f"{which}{text} {be} {'not ' if negated else ''}{empty}"
    if negated or which == "not all of ":
        return phrase, lambda t, n: any(t[pile] for pile in piles)
    if which == "no ":
        return phrase, lambda t, n: all(t[pile] for pile in piles)
    if which == "some ":
        return phrase, lambda t, n: any(not t[pile] for pile in piles)
    return phrase, lambda t, n: all(not t[pile] for pile in piles)


def positions_of(game: Game, number: int) -> list[Position]:
    """Positions of random games, the same in all games that differ by probes only."""
    found = []
    for deal in range(1, 9):
        chance, position = random.Random(deal), game.deal(f"cadogan:{deal}")
        for _ in range(number):
            found.append(position)
            moves = [move for move in position.moves() if not move.rule.startswith("probe")]
            if not moves:
                break
            position = position.play(chance.choice(moves))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_conditions(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    explained: dict[tuple[str, ...], tuple[str, list[bool]]] = {}
    for batch in range(3):
        made = [
            [some_condition(chance) for _ in range(chance.choice((1, 1, 2)))] for _ in range(60)
        ]
        probes = "".join(
            f'[[rule]]\nname = "probe {index}"\nset = {{ probed = 1 }}\n'
            f"when = [{', '.join(repr(text) for text, _ in all_of)}]\n"
            for index, all_of in enumerate(made)
        )
        path = tmp_path / f"probes-{batch}.toml"
        path.write_text(TABLE + probes, encoding="utf-8")
        game = load(path)
        book = game.rulebook
        english, german = Phrases(book), GermanPhrases(book)
        # Rules that an earlier one makes superfluous are still listed: each is a script of its own.
        positions = positions_of(game, 12)
        seen: list[list[bool]] = [[] for _ in made]
        for position in positions:
            table, count = table_of(position), position.counters["count"]
            legal = {move.rule for move in position.moves()}
            for index, all_of in enumerate(made):
                holds = all(test(table, count) for _, test in all_of)
                assert (f"probe {index}" in legal) == holds, ([t for t, _ in all_of], table, count)
                seen[index].append(holds)
        rules = {rule.name: rule for rule in book.rules}
        for index, all_of in enumerate(made):
            when = rules[f"probe {index}"].when
            words = (english.all_of(when), german.all_that_holds(when))
            text = "; ".join(text for text, _ in all_of)
            before, meant = explained.setdefault(words, (text, seen[index]))
            assert meant == seen[index], (before, text, words)


# -- moves: piles, units, numbers of cards ---------------------------------------------------------

MOVES = """
name = "Moves"
ranks = "A 2 3 4 5 6"
aim = "fans.1 and fans.2 and stock are empty"
layout = [
    { deal = 3, from = "stock", to = "garden.1 and garden.2", face = "up" },
    { deal = 1, from = "stock", to = "garden.1", face = "down" },
    { deal = 2, from = "stock", to = "garden.1 and fans.1", face = "up" },
    { deal = 1, from = "stock", to = "waste", face = "up" },
]
[counters.probed]
[garden]
role = "tableau"
piles = 3
build = "nothing"
from = "stock"
space = "nothing"
[fans]
role = "reserve"
piles = 2
[stock]
[waste]
"""


UNITS: Final[dict[str, Callable[[list[str]], set[int]]]] = {
    "one card": lambda up: {1} if up else set(),
    "a packet": lambda up: set(range(1, len(up) + 1)),
    "a sequence down": lambda up: sequence(up, lambda a, b: rank(b) - rank(a) == -1),
    "a sequence up in alternate colours": lambda up: sequence(
        up, lambda a, b: rank(b) - rank(a) == 1 and (a[1] in "DH") != (b[1] in "DH")
    ),
    "a sequence down or else up": lambda up: sequence(up, lambda a, b: abs(rank(b) - rank(a)) == 1),
}


def rank(card: str) -> int:
    return RANKS.index(card[0])


def sequence(up: list[str], follows: Callable[[str, str], bool]) -> set[int]:
    """How many top cards form a sequence, bottom card first."""
    found = set()
    for count in range(1, len(up) + 1):
        cards = up[-count:]
        if all(follows(low, high) for low, high in itertools.pairwise(cards)):
            found.add(count)
    return found


def face_up(heap: Sequence[int]) -> list[str]:
    """The face-up cards on top of a pile."""
    cards: list[str] = []
    for byte in reversed(heap):
        if byte >= FACE_DOWN:
            break
        cards.insert(0, str(Card(byte)))
    return cards


def counts_of(unit: str, heap: Sequence[int]) -> set[int]:
    """How many cards of a pile a unit can have."""
    if unit == "the whole pile":
        return {len(heap)} - {0}
    if unit.startswith("up to"):
        return {min(int(unit.split()[2]), len(heap))} - {0}
    return UNITS[unit](face_up(heap))


HOLDS: Final[dict[str, tuple[int, int]]] = {
    "": (0, 999),
    "2": (2, 2),
    "[1, 3]": (1, 3),
    '"at least 2"': (2, 999),
    '"at most three"': (0, 3),
    '"exactly 3 cards"': (3, 3),
}


Keys = dict[str, str]
Made = set[tuple[str, int, str]]

SOURCES: Final[list[tuple[list[str], list[list[str]]]]] = [
    (["garden"], [["garden.1"], ["garden.2"], ["garden.3"]]),
    (["garden.2", "waste"], [["garden.2"], ["waste"]]),
    (["waste or fans.1"], [["waste", "fans.1"]]),
    (
        ["fans.2 or fans.1 or garden.1", "garden.2"],
        [["fans.2", "fans.1", "garden.1"], ["garden.2"]],
    ),
]
TARGETS: Final[list[tuple[str, list[str]]]] = [
    ("garden", ["garden.1", "garden.2", "garden.3"]),
    ("fans and garden.3", ["fans.1", "fans.2", "garden.3"]),
    ("waste", ["waste"]),
]
STATES: Final = {"": (0, 999), "vacant ": (0, 0), "occupied ": (1, 999)}
BUILDS: Final[list[tuple[str, Callable[[str, str], bool]]]] = [
    ("", lambda a, b: True),
    ("down", lambda a, b: rank(b) - rank(a) == -1),
    ("up in suit", lambda a, b: rank(b) - rank(a) == 1 and a[1] == b[1]),
]


class Rule:
    """A rule composed of parts, and its moves as it reads."""

    PARTS: Final[dict[str, Callable[[random.Random], object]]] = {
        "lanes": lambda chance: chance.choice(SOURCES),
        "to": lambda chance: chance.choice(TARGETS),
        "state": lambda chance: chance.choice(list(STATES)),
        "unit": lambda chance: chance.choice([*UNITS, "up to 2 cards", "the whole pile"]),
        "from_holds": lambda chance: chance.choice(list(HOLDS)),
        "to_holds": lambda chance: chance.choice(list(HOLDS)),
        "which": lambda chance: some_class(chance) if chance.random() < 0.5 else None,
        "build": lambda chance: chance.choice(BUILDS),
    }

    def __init__(self, parts: dict[str, Any]) -> None:
        self.parts = parts

    def sibling(self, chance: random.Random) -> "Rule":
        """A rule that differs in one part."""
        part = chance.choice(list(self.PARTS))
        return Rule({**self.parts, part: self.PARTS[part](chance)})

    @property
    def to_holds(self) -> str:
        """A target that must be vacant or occupied says already how many cards it holds."""
        return "" if self.parts["state"] else self.parts["to_holds"]

    @property
    def text(self) -> str:
        parts = self.parts
        which, build = parts["which"], parts["build"][0]
        keys = {
            "from": repr(parts["lanes"][0]),
            "to": repr(parts["state"] + parts["to"][0]),
            "cards": repr(parts["unit"]),
            "from_holds": parts["from_holds"],
            "to_holds": self.to_holds,
            "which": repr(which[0]) if which else "",
            "build": repr(build) if build else "",
        }
        return "".join(f"{key} = {value}\n" for key, value in keys.items() if value)

    def moves(self, position: Position) -> Made:
        """Its moves, read word by word."""
        parts = self.parts
        heaps = dict(zip(position.game.pile_names, position._state.piles(), strict=False))
        found = set()
        for lane in parts["lanes"][1]:
            source = next((pile for pile in lane if heaps[pile]), None)
            least, most = HOLDS[parts["from_holds"]]
            if source is None or not least <= len(heaps[source]) <= most:
                continue
            for count in counts_of(parts["unit"], heaps[source]):
                cards = [str(Card(byte % FACE_DOWN)) for byte in heaps[source][-count:]]
                lowest = cards[-1] if parts["unit"].startswith("up to") else cards[0]
                if parts["which"] is not None and lowest not in parts["which"][1]:
                    continue
                found |= {
                    (source, count, target)
                    for target in parts["to"][1]
                    if target != source and self.fits(lowest, heaps[target])
                }
        return found

    def fits(self, card: str, heap: Sequence[int]) -> bool:
        """Whether a card may be laid on a pile."""
        name, follows = self.parts["build"]
        for least, most in (HOLDS[self.to_holds], STATES[self.parts["state"]]):
            if not least <= len(heap) <= most:
                return False
        if not heap or not name:
            return True
        return heap[-1] < FACE_DOWN and follows(str(Card(heap[-1])), card)


@pytest.mark.parametrize("seed", range(4))
def test_moves(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    explained: dict[str, tuple[str, list[Made]]] = {}
    for _ in range(20):
        rule = Rule({name: part(chance) for name, part in Rule.PARTS.items()})
        as_variant = chance.random() < 0.3
        for each in (rule, rule.sibling(chance), rule.sibling(chance)):
            game = game_with(each, tmp_path, as_variant=as_variant)
            meant = []
            for deal in range(1, 7):
                position = game.deal(f"cadogan:{deal}")
                meant.append(each.moves(position))
                for _ in range(4):
                    own = [move for move in position.moves() if move.rule == "move"]
                    made = {(move.source, move.count, move.target) for move in own}
                    assert made == each.moves(position), (each.text, position.piles)
                    if not own:
                        break
                    position = position.play(chance.choice(own))
            words = explain(game.rulebook) + explain(game.rulebook, "de")
            before, others = explained.setdefault(words, (each.text, meant))
            assert others == meant, f"{before}\nand\n{each.text}are explained alike"


def game_with(rule: Rule, folder: Path, *, as_variant: bool) -> Game:
    """The game with a rule, or with a variant that adds it."""
    # Conditions on single piles keep the kernel from leaving out places that are alike.
    text = MOVES + "".join(
        f'[[rule]]\nname = "probe {pile}"\nset = {{ probed = {number} }}\n'
        f'when = "top of {pile} is the ace of hearts"\n'
        for number, pile in enumerate(("garden.1", "garden.2", "fans.1"), 1)
    )
    if as_variant:
        text += f"[variants.other]\nwhy = 'so'\n[[variants.other.add]]\nname = 'move'\n{rule.text}"
    else:
        text += f"[[rule]]\nname = 'move'\n{rule.text}"
    path = folder / "moves.toml"
    path.write_text(text, encoding="utf-8")
    return load(f"{path}:other" if as_variant else path)
