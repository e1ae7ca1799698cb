"""Rules files grown by mutation from valid ones, with knowledge of the language.

Case ``n`` of a seed is the same text on every machine. A document of the catalogue, or one of the
manual (:mod:`tests.attacks.seeds`), is changed in a few places: keys get values that suit them or
values that do not, tables are added, doubled by the dozen, taken from other games or left out; some
texts are then damaged as texts, too. Most cases begin with a key that few documents have and one of
these, and that key gets another value.
"""

import copy
import random
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from cadogan.rules.rulebook.group import ROLES
from cadogan.rules.validate.role_keys import ROLE_KEYS, role_of
from cadogan.rules.validate.schema import (
    CounterShape,
    GroupShape,
    HeaderShape,
    RuleShape,
    ScoreShape,
    StepShape,
    group_names,
)
from tests.attacks.seeds import Key, keys_of, rare_keys, seeds, seeds_by_key
from tests.attacks.vocabulary import (
    TEXTS,
    Shape,
    Table,
    Value,
    filled,
    keys,
    place,
    places,
    rules,
    tables,
    vocabulary,
)
from tests.attacks.written import damaged, written

T = TypeVar("T")

_ALIKE: Final = tuple(
    words.split("/")
    for words in (
        "ace/king/two/three/six/ten/jack/queen",
        "aces/kings/twos/fives/jacks/queens/jokers/court cards/any card",
        "clubs/diamonds/hearts/spades",
        "red/black",
        "up/down/up or down",
        "up in suit/down in suit/up/down/up in suit, round the corner/any rank in suit/same rank",
        "in suit/in alternate colours/in colour/in another suit",
        "left/right",
        "above/below",
        "rows/columns",
        "at least/at most/exactly/more than/fewer than",
        "one/two/three/four",
        "second/third/fourth/ninth",
        "vacant/occupied/first vacant/last occupied",
        "neighbours/neighbours and corners/the left neighbour/the neighbour below",
        "a sequence/the longest sequence/a complete sequence",
        "0/1/2/3/4/6/10/13/15",
        "sixth/second/top/bottom",
        "each/some/no",
        "at once/at each deal",
        "of/before/after/from",
        "base/base rank/first card",
        "rows/columns/diagonals",
    )
)
"""Words that may stand for one another."""

_WORDS_ALIKE: Final = re.compile(
    "|".join(sorted((rf"\b{word}\b" for words in _ALIKE for word in words), key=len, reverse=True))
)


class Grower:
    """Changes one document."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.wish: Key | None = None
        """The key that this case is about."""
        found = seeds()
        if chance.random() < 0.7:
            self.wish = chance.choice(rare_keys())
            found = seeds_by_key()[self.wish]
        self.doc: Table = copy.deepcopy(chance.choice(found))
        self.fresh = 0
        self.spoken: set[str] = set()
        self.makers = self._makers()
        # Some are meant to be games: they are where the deep stages are reached.
        self.wild = chance.random() < 0.4
        variants = self.doc.get("variants", {})
        # Each costs as much as the game: one is enough for most cases, and many need none.
        if variants and self.often(0.9):
            kept = [
                name for name in variants if self._is_wished({"variants": {name: variants[name]}})
            ]
            name = chance.choice(kept or list(variants))
            self.doc["variants"] = {name: variants[name]} if kept or self.often(0.5) else {}

    def _is_wished(self, document: Table) -> bool:
        return self.wish in keys_of(document)

    def one(self, *choices: T) -> T:
        return self.chance.choice(choices)

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    # -- phrases -----------------------------------------------------------------------------------

    def group(self) -> str:
        names = group_names(self.doc)
        if not names or (self.wild and self.often(0.05)):
            return "nowhere"
        return self.chance.choice(names)

    def of_role(self, role: str) -> str:
        """The name of a group of a role, if there is one."""
        names = [name for name in group_names(self.doc) if role_of(name, self.doc[name]) == role]
        return self.chance.choice(names) if names else self.group()

    def pile(self, name: str = "") -> str:
        name = name or self.group()
        piles = self.doc.get(name, {}).get("piles", 1)
        if self.wild:
            return f"{name}.{self.chance.choice((1, 1, 2, 3, 8, 127, 0))}"
        several = isinstance(piles, int) and piles > 1
        return f"{name}.{self.chance.randint(1, piles)}" if several else name

    def piles(self) -> str:
        kind = self.chance.randrange(10)
        if kind == 8:
            return f"{self.group()}.{self.one(1, 2, 3)} to {self.one(2, 4, 7, 128)}"
        if kind == 9:
            where = self.one("of row", "before row")
            return f"places {where} {self.counter()}"
        if kind < 4:
            return self.group()
        if kind == 4:
            return f"{self.group()} and {self.group()}"
        if kind == 5:
            return f"{self.group()} from last to first"
        return self.pile()

    def sources(self) -> Any:
        kind = self.chance.randrange(6)
        if kind < 4:
            return self.piles()
        if kind == 4:
            return [self.piles() for _ in range(self.chance.randint(1, 5))]
        if self.often(0.2):
            return f"{self.piles()} at {self.counter()}"
        return f"{self.pile()} or {self.pile()}"

    def targets(self) -> str:
        state = self.one(
            *("", "", "", "vacant ", "occupied ", "first vacant ", "last occupied ", "emptiest ")
        )
        which = ""
        if self.often(0.15):
            which = self.one(" of its rank", " of its suit", f" at {self.counter()}")
        return f"{state}{self.piles()}{which}"

    def cards(self) -> str:
        rank = self.one("aces", "kings", "twos", "queens", "jacks", "tens", "7s", "the ace")
        return self.one(
            *("any card", "red cards", "spades", rank, f"red {rank}", f"{rank} and red tens"),
            *(f"all but {rank}", "no card", "the queen of spades", "black cards"),
        )

    def asked(self) -> str:
        """Cards of a rule: of a rank that a counter gives, or that lies elsewhere."""
        if self.often(0.7):
            return self.cards()
        number = self.one("one", "two", "six", "seven")
        return self.one(
            *("cards of the base rank", f"cards of rank {self.counter()}"),
            f"{number} ranks {self.one('below', 'above')} the base",
            f"one rank below the base of {self.group()}",
            *(f"ranks that lie in {self.piles()}", "ranks that lie in the pile before"),
        )

    def build(self) -> str:
        way = self.one(
            *("up", "down", "up or down", "same rank", "any card", "any rank", "up by twos"),
            *(f"adding to {self.chance.randrange(30)}", f"beside in the order of {self.group()}"),
            *("up by its first card", "down in the next suit of spades hearts clubs diamonds"),
        )
        suit = self.one(
            *("", "", " in suit", " in alternate colours", " in colour", " in another suit"),
        )
        corner = self.one("", "", "", ", round the corner")
        never = f", never on {self.cards()}" if self.often(0.1) else ""
        never = ", never on the base" if self.often(0.1) else never
        begun = self.one(", as begun", ", all as begun") if self.often(0.15) else ""
        return f"{way}{suit}{corner}{never}{begun}"

    def builds(self) -> Any:
        if self.often(0.8):
            return self.build()
        return [self.build() for _ in range(self.chance.randint(1, 4))]

    def unit(self) -> str:
        return self.one(
            *(
                "one card",
                "a packet",
                "any card of the pile",
                "the bottom card",
                "the sixth card",
                f"the {self.one('second', 'third', 'ninth')} card from the top",
                "exactly 3 cards",
                "the longest sequence down in suit",
                "the whole pile",
                f"up to {self.chance.randint(0, 20)} cards",
            ),
            *(f"a sequence {self.build()}", f"a complete sequence {self.build()}"),
            f"a sequence {self.build()} or else {self.build()}",
        )

    def counter(self) -> str:
        counters = self.doc.get("counters")
        if not counters and not self.wild:
            counters = self.doc["counters"] = {"n": {"cap": 3}}
        names = list(counters) if isinstance(counters, dict) else []
        return str(
            self.chance.choice(
                [*names, "redeals", "base", "shuffles"] if self.wild else names or ["n"]
            )
        )

    def rule_name(self) -> str:
        names = [rule.get("name", "") for rule in tables(self.doc.get("rule"))]
        names += ["play to foundations", f"build on {self.group()}", "turn"]
        return str(self.chance.choice(names))

    def condition(self) -> str:
        piles = self.piles()
        return self.one(
            *(f"{piles} is empty", f"{piles} is not empty", f"some {piles} is vacant"),
            *(
                f"{piles} holds complete sequences {self.build()}",
                f"{piles} lies in order {self.build()}",
            ),
            f"{self.along()} of {piles} lie in order {self.build()}",
            *(f"no {piles} is vacant", f"{piles} holds {self.cards()}", f"{piles} are complete"),
            *(f"{piles} holds no {self.cards()}", f"top of {self.pile()} is {self.cards()}"),
            f"{self.counter()} {self.one('<', '<=', '=', '>=', '>')} {self.chance.randrange(5)}",
            f"no '{self.rule_name()}' is possible",
            f"no '{self.rule_name()}' from {piles} is possible",
            f"not all of {self.group()} and {self.group()} are empty",
            f"{self.one('at least', 'at most')} {self.number()} of {piles} are vacant",
            f"{piles} holds {self.one('at least', 'exactly', 'fewer than')} 2 {self.cards()}",
            f"{piles} holds {self.one('more cards than', 'as many cards as')} {self.piles()}",
            f"{self.one('no', 'some', 'each')} top of {piles} is {self.cards()}",
            f"{self.one('some', 'each', 'no')} {piles} holds {self.one('at least', 'at most')} 3",
            f"{self.lines()} of {piles} add up to {self.number()}",
            f"{piles} at {self.counter()} is empty",
            f"either {self.group()} is empty or {self.counter()} < 2 or {piles} is complete",
        )

    def along(self) -> str:
        return self.one("rows", "columns")

    def lines(self) -> str:
        return self.one("rows", "columns", "diagonals", "rows, columns and diagonals")

    def classes(self) -> Any:
        """What an exchange is between: a group, or cards of two groups."""
        if self.often(0.5):
            return self.piles()
        return [f"{self.cards()} of {self.group()}" for _ in range(self.one(2, 2, 2, 1, 3))]

    def conditions(self) -> Any:
        if self.often(0.6):
            return self.condition()
        return [self.condition() for _ in range(self.chance.choice((0, 1, 2, 3, 61)))]

    def number(self) -> int:
        return self.chance.choice((0, 1, 1, 2, 3, 4, 5, 6, 8, 10, 13, 20, 40, 52, 100, 127, 416))

    def numbers(self) -> Any:
        if self.often(0.7):
            return self.number()
        return [self.chance.randrange(9) for _ in range(self.chance.choice((1, 2, 4, 7, 10)))]

    def quantity(self) -> Any:
        return self.one(
            *(self.number(), "all", f"{self.chance.randrange(5)} * {self.counter()}"),
            f"{self.chance.randrange(4)} * {self.cards()} in {self.pile()}",
            f"{self.chance.randrange(4)} * {self.counter()} of {self.cards()}",
        )

    def odd(self) -> Any:
        return self.one(
            *(-1, 0, 10**18, 1.5, True, "", [], {}, [[]], [{}], {"a": 1}, ["a", 3], "\u00e9"),
            *("nothing", "pack", "a.1", "or", "x" * 501, "no '", "and " * 40, "a\x1bb", None),
        )

    # -- values ------------------------------------------------------------------------------------

    def value(self, shape: Shape, key: str) -> Any:
        """A value for a key: as a rule one that suits it."""
        if self.wild and self.often(0.06):
            return self.odd()
        make = self.makers.get(key)
        known = vocabulary().get(place(shape, key), ())
        if known and (make is None or self.often(0.6)):
            return self.said(f"{key} = ", self.chance.choice(known))
        return make() if make is not None else self.odd()

    def said(self, prefix: str, value: Value) -> Any:
        """A value that somebody has used, with the names of this document."""
        self.spoken.add(f"{prefix}{value.value!r}")
        made = filled(value.value, self.fill)
        return self.varied(made) if self.often(0.25) else made

    def fill(self, slot: str) -> str:
        """What stands in a slot of a phrase."""
        kind, _, role = slot.partition(" ")
        if kind == "rule":
            return f"'{self.rule_name()}'"
        if kind == "counter":
            return self.counter()
        name = self.of_role(role) if self.often(0.9) else self.group()
        return name if kind == "group" else self.pile(name)

    def varied(self, value: Any) -> Any:
        """A value with other words of the same kind."""
        if isinstance(value, str):
            return _WORDS_ALIKE.sub(self.other, value, count=self.one(1, 1, 2))
        if isinstance(value, list):
            return [self.varied(item) for item in value]
        if isinstance(value, dict):
            return {key: self.varied(item) for key, item in value.items()}
        return self.number() if type(value) is int and self.often(0.5) else value

    def other(self, match: re.Match[str]) -> str:
        """A word of the same kind."""
        return self.chance.choice(next(words for words in _ALIKE if match[0] in words))

    def _makers(self) -> dict[str, Callable[[], Any]]:
        """Phrases that are put together here, with more variety than anybody has written."""
        return {
            "name": lambda: self.one("A", self.rule_name(), self.name()),
            "names": lambda: {"de": "Eins"},
            "why": lambda: "because",
            "source": lambda: "a book",
            "history": lambda: "old",
            "remarks": lambda: "none",
            "version": lambda: 2,
            "core": lambda: self.often(0.3),
            "verb": lambda: self.one("deal", "turn", "x"),
            "mark": lambda: self.one("T", "F", "ABC"),
            "picture": lambda: self.one("T1 T2\nF1 .", " / T1\nT2 T3", self.pile(), ". . ."),
            "packs": lambda: self.one(1, 1, 2, 2, 3, 4, 8),
            "jokers": lambda: self.one(0, 1, 2, 2, 4, 16),
            "ranks": lambda: self.one("A 2 3", "A", "K Q J 10 9 8 7 6 5 4 3 2 A"),
            "suits": lambda: self.one("spades", "hearts spades", "any", "one each"),
            "without": self.cards,
            "aim": self.conditions,
            "counters": lambda: {self.name(): self.table(CounterShape)},
            "score": lambda: self.table(ScoreShape),
            "layout": lambda: self.tables(StepShape, 5),
            "rule": lambda: self.one(self.rule_name(), self.tables(RuleShape, 4)),
            "drop": lambda: [self.rule_name()],
            "start": lambda: self.one(self.number(), self.cards(), f"the first {self.cards()}"),
            "cap": self.number,
            "piles": self.number,
            "deal": self.numbers,
            "deal_down": self.numbers,
            "base": lambda: self.one(
                *("ace", "king", "7", self.counter(), "dealt", "dealt, each its own"),
                *(f"the base of {self.group()}", "chosen", "dealt, all of its rank"),
            ),
            "order": lambda: self.one("A 2 3 4", "K " * 64, "A " * 80),
            "build": self.builds,
            "apart": self.build,
            "between": self.builds,
            "match": self.builds,
            "beaten_by": self.build,
            "takes": lambda: f"complete sequences {self.build()}",
            "from": self.sources,
            "to": self.targets,
            "prefer": self.pile,
            "moves": lambda: f"sequences {self.build()}",
            "space": self.asked,
            "which": self.asked,
            "refill": self.sources,
            "when": self.conditions,
            "deals_when": self.conditions,
            "deals": lambda: self.one(
                f"{self.number()} to {self.group()}",
                f"3, then {self.number()}, then 1 to {self.group()}",
                f"{self.number()} to each of {self.piles()}",
            ),
            "cards": lambda: self.one(self.unit(), self.cards()),
            "from_holds": lambda: self.one(1, [1, 3], [2, 416]),
            "to_holds": lambda: self.one(0, 1, [0, 3], [2, 416]),
            "number": lambda: self.one(1, 2, 3, 4, [1, 4], [2, 3]),
            "adding_to": self.numbers,
            "exchange": self.classes,
            "in_turn": lambda: self.often(0.8),
            "lay_out": lambda: self.often(0.8),
            "uncovers": lambda: self.one("nothing", "a face-down card", ["a face-down card"]),
            "worrying_back_when": self.conditions,
            "turn_up": self.piles,
            "pair": self.sources,
            "leave": self.sources,
            "neighbours": self.piles,
            "set": lambda: {self.counter(): self.number()},
            "add": lambda: {self.counter(): 1},
            "count": lambda: {self.counter(): self.cards()},
            "before": self.rule_name,
            "take": self.quantity,
            "gather": self.piles,
            "close": self.piles,
            "to_bottom": self.cards,
            "pick": self.cards,
            "shuffle": self.pile,
            "rounds": lambda: self.one(1, 2, 5, 40, 416),
        }

    # -- tables ------------------------------------------------------------------------------------

    def name(self) -> str:
        self.fresh += 1
        return f"n{self.fresh}"

    def table(self, shape: Shape) -> Table:
        """A table of a shape: one that somebody has written with some keys more, or some keys."""
        known = keys(shape)
        most = self.chance.randrange(4) if self.wild else self.chance.choice((0, 0, 1))
        some = self.chance.sample(known, min(most, len(known)))
        made = {key: self.value(shape, key) for key in some}
        if shape is RuleShape:
            written_rule = self.chance.choice(rules())
            self.spoken |= {f"{key} = {value!r}" for key, value in written_rule.items()}
            rule = filled(written_rule, self.fill)
            if self.often(0.3):
                rule = self.action()
            return {**rule, **made, "name": self.name()}
        if shape is StepShape:
            steps = vocabulary()[RuleShape.__name__, "steps"]
            layouts = vocabulary()[HeaderShape.__name__, "layout"]
            step = filled(
                self.chance.choice(self.chance.choice((*steps, *layouts)).value), self.fill
            )
            return {**step, **made}
        return made

    def tables(self, shape: Shape, most: int) -> list[Table]:
        return [self.table(shape) for _ in range(self.chance.randint(1, most))]

    def action(self) -> Table:
        if self.often(0.8):
            return {"from": self.sources(), "to": self.targets()}
        return {"steps": self.tables(StepShape, 4)}

    # -- mutations ---------------------------------------------------------------------------------

    def set_key(self) -> None:
        table, shape = self.chance.choice(places(self.doc))
        known: Sequence[str] = keys(shape)
        if shape is GroupShape and not self.wild:
            name = next((name for name in group_names(self.doc) if self.doc[name] is table), "")
            known = ROLE_KEYS.get(str(role_of(name, table)), known)
        key = self.chance.choice(known)
        table[key] = self.value(shape, key)

    def change_key(self) -> None:
        table, shape = self.chance.choice(places(self.doc))
        present = [key for key in table if not isinstance(table[key], dict)]
        if present:
            key = self.chance.choice(present)
            table[key] = self.value(shape, key)

    def change_wish(self) -> None:
        """Gives the key that this case is about another value."""
        found = [
            (table, shape, key)
            for table, shape in places(self.doc)
            for key in table
            if key in keys(shape) and place(shape, key) == self.wish
        ]
        if found:
            table, shape, key = self.chance.choice(found)
            if key not in TEXTS and not isinstance(table[key], dict):
                table[key] = self.value(shape, key)

    def drop_key(self) -> None:
        table, _ = self.chance.choice(places(self.doc))
        if table:
            del table[self.chance.choice(list(table))]

    def add_group(self) -> None:
        role = self.one(*ROLES)
        group = self.table(GroupShape)
        if not self.wild:
            known = self.chance.sample(ROLE_KEYS[role], 3)
            group = {
                key: self.value(GroupShape, key)
                for key in known
                if key not in ("deal", "deal_down")
            }
            group["piles"] = self.chance.choice((1, 2, 4, 8, 20))
        group["role"] = role
        if role in ("tableau", "foundation"):
            group.setdefault("build", self.build())
        self.doc[self.name()] = group

    def lay_out(self) -> None:
        """A picture of some groups in shifted rows, of which one covers another or shuts it in."""
        names = [name for name in group_names(self.doc) if isinstance(self.doc[name], dict)]
        words = [
            f"{name}.{index + 1}"
            for name in names
            for index in range(min(40, _count(self.doc[name].get("piles"))))
        ]
        if not words:
            return
        each = self.one(1, 3, 5, 8)
        self.doc["picture"] = "\n".join(
            " ".join([*self.one([], ["/"], ["."]), *words[first : first + each]])
            for first in range(0, len(words), each)
        )
        key = self.one("covered", "open")
        self.doc[self.chance.choice(names)][key] = self.value(GroupShape, key)

    def add_rule(self) -> None:
        present = self.doc.setdefault("rule", [])
        if isinstance(present, list):
            present.insert(self.chance.randint(0, len(present)), self.table(RuleShape))

    def add_variant(self) -> None:
        variants = self.doc.setdefault("variants", {})
        if not isinstance(variants, dict):
            return
        # A case of fifty variants costs as much as fifty others.
        many = self.one(50, 60) if self.often(0.01) else self.one(1, 1, 1, 1, 1, 2, 3, 5)
        for _ in range(many):
            name = self.group()
            known = ROLE_KEYS.get(str(role_of(name, self.doc.get(name, {}))), ("piles",))
            key = self.chance.choice(known)
            overrides = (
                {key: self.value(GroupShape, key)} if not self.wild else self.table(GroupShape)
            )
            variant = variants[self.name()] = {name: overrides}
            if self.often(0.3):
                variant["drop"] = [self.rule_name()]
            if self.often(0.3):
                key = self.chance.choice(keys(RuleShape))
                change = {"rule": self.rule_name(), key: self.value(RuleShape, key)}
                variant["change"] = [change]

    def add_counter(self) -> None:
        counters = self.doc.setdefault("counters", {})
        if isinstance(counters, dict):
            counters[self.name()] = {"cap": self.number()}

    def multiply(self) -> None:
        """Many rules or groups where there was one."""
        number = self.one(40, 100) if self.often(0.1) else self.one(2, 2, 3, 10)
        present = tables(self.doc.get("rule"))
        if present and self.often(0.6):
            rule = self.chance.choice(present)
            self.doc["rule"] += [
                {**copy.deepcopy(rule), "name": self.name()} for _ in range(number)
            ]
        elif names := group_names(self.doc):
            group = self.doc[self.chance.choice(names)]
            for _ in range(number):
                self.doc[self.name()] = copy.deepcopy(group)

    def borrow(self) -> None:
        """A group of another game."""
        other = self.chance.choice(seeds())
        name = self.chance.choice(group_names(other))
        self.doc[name] = copy.deepcopy(other[name])

    def drop_table(self) -> None:
        names = group_names(self.doc)
        present = self.doc.get("rule")
        if isinstance(present, list) and present and self.often(0.5):
            del present[self.chance.randrange(len(present))]
        elif names:
            del self.doc[self.chance.choice(names)]

    def enlarge(self) -> None:
        """More piles, cards and packs."""
        names = group_names(self.doc)
        if names and self.often(0.7):
            self.doc[self.chance.choice(names)]["piles"] = self.one(2, 10, 20, 40, 60, 100, 127)
        else:
            self.doc["packs"] = self.one(2, 4, 8)

    def grow(self) -> None:
        changes = (
            *(self.set_key, self.set_key, self.change_key, self.change_key, self.change_key),
            *(
                self.drop_key,
                self.add_group,
                self.lay_out,
                self.add_rule,
                self.add_rule,
                self.add_variant,
            ),
            *(self.add_counter, self.multiply, self.borrow, self.drop_table, self.enlarge),
        )
        if self.wish is not None and self.often(0.5):
            self.change_wish()
        for _ in range(self.chance.choice((0, 1, 1, 1, 2, 2, 3, 5, 8))):
            self.chance.choice(changes)()


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 1


class Case(NamedTuple):
    """The text of a case, and the phrases in it that were taken from the vocabulary."""

    text: str
    phrases: frozenset[str]


def grown_case(seed: int, case: int) -> Case:
    """A case of a run.

    Args:
        seed: Names the run.
        case: The number of the case.
    """
    chance = random.Random(f"{seed}:{case}")
    grower = Grower(chance)
    grower.grow()
    text = written(grower.doc)
    text = damaged(text, chance) if chance.random() < 0.15 else text
    return Case(text, frozenset(grower.spoken))


def grown(seed: int, case: int) -> str:
    """The text of a case.

    >>> grown(1, 7) == grown(1, 7) != grown(1, 8)
    True
    """
    return grown_case(seed, case).text
