"""Rules files grown by mutation from valid ones, with knowledge of the language.

Case ``n`` of a seed is the same text on every machine. A document of the catalogue, or one of the
small games here, is changed in a few places: keys get values that suit them or values that do not,
tables are added, doubled by the dozen, taken from other games or left out; some texts are then
damaged as texts, too.
"""

import copy
import json
import random
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, TypeVar

from cadogan.rules import catalogue
from cadogan.rules.rulebook.rulebook import ROLES
from cadogan.rules.validate.role_keys import ROLE_KEYS, role_of
from cadogan.rules.validate.schema import (
    ChangeShape,
    CounterShape,
    GroupShape,
    HeaderShape,
    PartShape,
    RouteShape,
    RuleShape,
    StepShape,
    group_names,
)
from cadogan.storage import CATALOGUE

Table = dict[str, Any]
T = TypeVar("T")

_SMALL: Final = (
    """
    name = "Chain"
    [tableau]
    piles = 4
    deal = 13
    build = "down"
    [foundations]
    piles = 4
    takes = "complete sequences down in suit"
    [goal]
    role = "foundation"
    piles = 4
    takes = "complete sequences down in suit"
    from = "foundations"
    plays = "forced"
    """,
    """
    name = "To and fro"
    aim = "row is empty"
    layout = [{ deal = 1, from = "pack", to = "row", rounds = 26 }]
    [row]
    role = "tableau"
    piles = 2
    build = "any card"
    [[rule]]
    name = "there"
    forced = true
    during = "always"
    when = "passes < 2"
    add = { passes = 1 }
    from = "row.1"
    to = "row.2"
    [[rule]]
    name = "back"
    forced = true
    from = "row.2"
    to = "row.1"
    when = "row.1 is empty"
    choose = "any"
    [counters.passes]
    cap = 3
    """,
    """
    name = "Packets"
    packs = 2
    aim = "row is empty"
    [row]
    role = "tableau"
    piles = 12
    deal = 8
    build = "nothing"
    [stock]
    deals = "1 to each of row"
    redeals = "unlimited"
    [waste]
    build = "up or down, round the corner"
    [[rule]]
    name = "carry"
    cards = "a packet"
    from = "row"
    to = "row"
    build = ["up in suit", "adding to 13"]
    [[rule]]
    name = "swap"
    exchange = "row and waste"
    [[rule]]
    name = "gather"
    when = "stock is empty"
    steps = [{ gather = "row from last to first", to = "stock", turned = true, face = "down" },
             { deal = 2, rounds = 2, from = "stock", to = "row" },
             { take = "3 * n", from = "waste", end = "bottom", to = "stock" }]
    add = { n = 1 }
    [counters.n]
    cap = 5
    [variants.some]
    why = "fewer"
    row.piles = 6
    [variants.other]
    drop = ["swap"]
    row.build = "down"
    """,
)


@cache
def _seeds() -> Sequence[Table]:
    texts = [(CATALOGUE / f"{game}.toml").read_text(encoding="utf-8") for game in catalogue()]
    return [tomllib.loads(text) for text in (*texts, *_SMALL)]


class _Grower:
    """Changes one document."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.doc: Table = copy.deepcopy(chance.choice(_seeds()))
        self.fresh = 0
        self.makers = self._makers()
        # Some are meant to be games: they are where the deep stages are reached.
        self.wild = chance.random() < 0.4
        variants = self.doc.get("variants", {})
        # Each costs as much as the game: one is enough for most cases, and many need none.
        if variants and self.often(0.9):
            name = chance.choice(list(variants))
            self.doc["variants"] = {name: variants[name]} if self.often(0.5) else {}

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

    def pile(self) -> str:
        name = self.group()
        piles = self.doc.get(name, {}).get("piles", 1)
        if self.wild:
            return f"{name}.{self.chance.choice((1, 1, 2, 3, 8, 127, 0))}"
        several = isinstance(piles, int) and piles > 1
        return f"{name}.{self.chance.randint(1, piles)}" if several else name

    def piles(self) -> str:
        kind = self.chance.randrange(8)
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
        state = self.one("", "", "", "vacant ", "occupied ", "first vacant ", "last occupied ")
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
        )
        suit = self.one(
            *("", "", " in suit", " in alternate colours", " in colour", " in another suit"),
        )
        corner = self.one("", "", "", ", round the corner")
        never = f", never on {self.cards()}" if self.often(0.1) else ""
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
        names = [rule.get("name", "") for rule in _tables(self.doc.get("rule"))]
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
            f"{self.one('some', 'each', 'no')} {self.group()} holds at least 2 {self.cards()}",
            f"{self.piles()} at {self.counter()} is {self.one('', 'not ')}empty",
            f"either {self.group()} is empty or {self.counter()} < 2 or {piles} is complete",
        )

    def along(self) -> str:
        return self.one("rows", "columns")

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

    # -- tables ------------------------------------------------------------------------------------

    def value(self, key: str) -> Any:
        """A value for a key: as a rule one that suits it."""
        if self.wild and self.often(0.06):
            return self.odd()
        make = self.makers.get(key)
        return make() if make is not None else self.odd()

    def _makers(self) -> dict[str, Callable[[], Any]]:
        yes = lambda: self.often(0.7)  # noqa: E731
        side = lambda: self.one("top", "bottom")  # noqa: E731
        along = lambda: self.one("same place", "lines")  # noqa: E731
        return {
            "name": lambda: self.one("A", self.rule_name(), self.name()),
            "names": lambda: {"de": "Eins"},
            "why": lambda: "because",
            "source": lambda: "a book",
            "remarks": lambda: "none",
            "version": lambda: 2,
            "core": lambda: self.often(0.3),
            "packs": lambda: self.one(1, 1, 2, 2, 3, 4, 8),
            "ranks": lambda: self.one(
                "7 8 9 10 J Q K A", "A 2 3", "A", "K Q J 10 9 8 7 6 5 4 3 2 A"
            ),
            "suits": lambda: self.one("spades", "hearts spades", "any", "one each"),
            "without": self.cards,
            "picture": lambda: self.one("T1 T2\nF1 .", " / T1\nT2 T3", self.pile(), ". . ."),
            "covered": self.covered,
            "open": self.open,
            "aim": self.conditions,
            "counters": lambda: {self.name(): self.table(CounterShape)},
            "layout": lambda: self.tables(StepShape, 5),
            "rule": lambda: self.tables(RuleShape, 4),
            "start": lambda: self.one(self.number(), self.cards(), f"the first {self.cards()}"),
            "cap": self.number,
            "role": lambda: self.one(*ROLES),
            "piles": self.number,
            "mark": lambda: self.one("T", "F", "ABC"),
            "shown": lambda: self.one("all", "top", "none"),
            "deal": self.numbers,
            "deal_down": self.numbers,
            "dealt": lambda: self.one("in rounds", "in packets"),
            "base": lambda: self.one(
                *(
                    "ace",
                    "king",
                    "dealt",
                    "7",
                    self.counter(),
                    "chosen",
                    f"chosen from {self.piles()}",
                ),
                *("dealt, each its own", "chosen, each its own"),
            ),
            "misplaced": lambda: "wait",
            "order": lambda: self.one("A 2 3 4", "Q A J 2 10 3", "K " * 64, "A " * 80),
            "build": self.builds,
            "takes": lambda: self.one("cards", f"complete sequences {self.build()}"),
            "from": self.sources,
            "along": along,
            "plays": lambda: self.one("free", "forced"),
            "choose": lambda: self.one("nothing", "card", "place", "any"),
            "prefer": self.pile,
            "worrying_back": yes,
            "moves": lambda: self.one(
                "single cards", "sequences", f"sequences {self.build()}", "packets", "whole piles"
            ),
            "space": self.asked,
            "refill": self.sources,
            "when": self.conditions,
            "deals": lambda: self.one(
                f"{self.number()} to {self.group()}", f"1 to each of {self.group()}", "1 to hand"
            ),
            "deals_when": self.conditions,
            "redeals": lambda: self.one("unlimited", 0, 1, 2, 999),
            "lays_off": self.group,
            "verb": lambda: self.one("deal", "turn", "x"),
            "forced": yes,
            "during": lambda: self.one("layout", "play", "always"),
            "to": self.targets,
            "cards": lambda: self.one(self.unit(), self.cards()),
            "which": self.asked,
            "from_holds": lambda: self.one(1, [1, 3], [2, 416]),
            "to_holds": lambda: self.one(0, 1, [0, 3], [2, 416]),
            "laid": lambda: self.one("as a block", "one by one"),
            "face": lambda: self.one("up", "down", "keep"),
            "together": lambda: self.tables(PartShape, 2),
            "holds": lambda: self.one(1, 2, 13),
            "only": lambda: self.one("if blocked", "if both belong there"),
            "exchange": self.piles,
            "turn_up": self.piles,
            "steps": lambda: self.tables(StepShape, 4),
            "set": lambda: {self.counter(): self.one(self.number(), "its rank", "its rank, once")},
            "add": lambda: {self.counter(): 1},
            "count": lambda: {self.counter(): self.cards()},
            "rule_": self.rule_name,
            "before": self.rule_name,
            "take": self.quantity,
            "gather": self.piles,
            "route": lambda: self.tables(RouteShape, 3),
            "close": self.piles,
            "to_bottom": self.cards,
            "pick": self.cards,
            "apart": self.build,
            "shuffle": self.pile,
            "shuffled": yes,
            "settle": lambda: True,
            "rounds": lambda: self.one(1, 2, 5, 40, 416),
            "end": side,
            "at": side,
            "turned": yes,
            "until": self.piles,
            "when_complete": self.piles,
            "of": self.pile,
            "overflow": self.pile,
        }

    def name(self) -> str:
        self.fresh += 1
        return f"n{self.fresh}"

    def keys(self, shape: Any) -> list[str]:
        return [field.alias or name for name, field in shape.model_fields.items()]

    def table(self, shape: Any) -> Table:
        """A table of a shape, most often with what it cannot do without."""
        known = self.keys(shape)
        most = self.chance.randrange(4) if self.wild else self.chance.choice((0, 0, 1))
        some = self.chance.sample(known, min(most, len(known)))
        made = {key: self.value(key) for key in some}
        if shape is RuleShape:
            return {**made, **self.action(), "name": self.name()}
        if shape is StepShape:
            step = self.chance.randrange(14)
            if step == 0:
                return {"deal": self.chance.randint(1, 3), "from": self.group(), "to": self.piles()}
            if step == 1:
                return {"take": self.quantity(), "from": self.pile(), "to": self.pile(), **made}
            if step == 2:
                return {"gather": self.piles(), "to": self.pile(), **made}
            if step == 3:
                return {"shuffle": self.pile()}
            if step == 4:
                state = str(self.chance.choice(("occupied ", "vacant ", "")))
                either = self.one(self.pile(), f"{self.pile()} or {self.pile()}")
                return {"deal": 1, "from": either, "to": state + self.pile(), **made}
            if step == 5:
                return {"to_bottom": self.cards(), "of": self.piles()}
            if step == 6:
                return {"pick": self.cards(), "from": self.pile(), "to": self.piles()}
            if step == 7:
                ends = {"end": "bottom", "at": "top"}
                return {"take": self.quantity(), "from": self.piles(), "to": "same pile", **ends}
            if step == 8:
                terms = {"goes_up": self.one(self.cards(), f"{self.cards()} to {self.group()}")}
                terms |= {"replaced": False} if self.often(0.5) else {}
                return {"deal": 1, "from": self.group(), "to": self.piles(), **terms}
            if step == 9:
                deal = self.one("up to 3", f"up to {self.counter()}")
                order = {"order": "emptiest first"} if self.often(0.5) else {}
                return {"deal": deal, "from": self.group(), "to": self.piles(), **order}
            if step == 10:
                turn = f"{self.piles()} at {self.counter()}"
                return {"gather": turn, "to": self.group(), "face": "down"}
            if step == 11:
                way = self.one("from", "after")
                end = self.one("", " from the end")
                to = f"round {self.group()} {way} {self.counter()}{end}"
                return {"deal": 1, "rounds": 2, "from": self.group(), "to": to}
            if step == 12:
                some = {"turned": True} if self.often(0.5) else {}
                return {"turn": self.piles(), "face": self.one("up", "down"), **some}
            if step == 13 and self.often(0.5):
                return {"slip": self.cards(), "of": self.piles()}
            if step == 13:
                places = {"from": self.group(), "to": self.group(), "along": "same place"}
                return {"take": self.quantity(), **places}
        if shape is RouteShape:
            return {"cards": self.cards(), "overflow": self.pile(), "to": self.piles()}
        if shape is PartShape:
            return {"from": self.piles(), "holds": self.one(1, 2)}
        return made

    def tables(self, shape: Any, most: int) -> list[Table]:
        return [self.table(shape) for _ in range(self.chance.randint(1, most))]

    def action(self) -> Table:
        kind = self.chance.randrange(10)
        if kind < 6:
            return {"from": self.sources(), "to": self.targets()}
        if kind == 6:
            return {"steps": self.tables(StepShape, 4)}
        if kind == 7:
            return {"together": self.tables(PartShape, 2), "to": self.of_role("foundation")}
        if kind == 8:
            return {"exchange": self.piles()}
        return {"turn_up": self.piles(), "forced": True}

    # -- mutations ---------------------------------------------------------------------------------

    def places(self) -> list[tuple[Table, Any]]:
        """Every table of the document with its shape."""
        found: list[tuple[Table, Any]] = [(self.doc, HeaderShape)]
        found += [(self.doc[name], GroupShape) for name in group_names(self.doc)]
        rules = _tables(self.doc.get("rule")) + _tables(self.doc.get("layout"))
        found += [(rule, RuleShape) for rule in _tables(self.doc.get("rule"))]
        found += [(step, StepShape) for step in _tables(self.doc.get("layout"))]
        for rule in rules:
            found += [(step, StepShape) for step in _tables(rule.get("steps"))]
            found += [(part, PartShape) for part in _tables(rule.get("together"))]
        variants = self.doc.get("variants")
        for variant in _tables(list(variants.values()) if isinstance(variants, dict) else None):
            found.append((variant, HeaderShape))
            found += [(value, GroupShape) for value in _tables(list(variant.values()))]
            found += [(change, ChangeShape) for change in _tables(variant.get("change"))]
        return found

    def set_key(self) -> None:
        table, shape = self.chance.choice(self.places())
        keys: Sequence[str] = self.keys(shape)
        if shape is GroupShape and not self.wild:
            name = next((name for name in group_names(self.doc) if self.doc[name] is table), "")
            keys = ROLE_KEYS.get(str(role_of(name, table)), keys)
        key = self.chance.choice(keys)
        table[key] = self.value("rule_" if shape is ChangeShape and key == "rule" else key)

    def change_key(self) -> None:
        table, _ = self.chance.choice(self.places())
        keys = [key for key in table if not isinstance(table[key], dict)]
        if keys:
            key = self.chance.choice(keys)
            table[key] = self.value(key)

    def drop_key(self) -> None:
        table, _ = self.chance.choice(self.places())
        if table:
            del table[self.chance.choice(list(table))]

    def add_group(self) -> None:
        role = self.one(*ROLES)
        group = self.table(GroupShape)
        if not self.wild:
            known = self.chance.sample(ROLE_KEYS[role], 3)
            group = {key: self.value(key) for key in known if key not in ("deal", "deal_down")}
            group["piles"] = self.chance.choice((1, 2, 4, 8, 20))
        group["role"] = role
        if role in ("tableau", "foundation"):
            group.setdefault("build", self.build())
        self.doc[self.name()] = group

    def covered(self) -> str:
        return f"by the {self.one('one', 'two', 'three')} {self.one('below', 'above', 'beside')}"

    def open(self) -> str:
        sides = self.one("below", "above", "below or above", "to the left or to the right", "right")
        return f"while {self.one('the place', 'a place', 'all places')} {sides} is vacant"

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
        self.doc[self.chance.choice(names)][key] = self.value(key)

    def add_rule(self) -> None:
        rules = self.doc.setdefault("rule", [])
        if isinstance(rules, list):
            rules.insert(self.chance.randint(0, len(rules)), self.table(RuleShape))

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
            overrides = {key: self.value(key)} if not self.wild else self.table(GroupShape)
            variant = variants[self.name()] = {name: overrides}
            if self.often(0.3):
                variant["drop"] = [self.rule_name()]
            if self.often(0.3):
                change = {"rule": self.rule_name(), **self.table(CounterShape)}
                variant["change"] = [change]

    def add_counter(self) -> None:
        counters = self.doc.setdefault("counters", {})
        if isinstance(counters, dict):
            counters[self.name()] = {"cap": self.number()}

    def multiply(self) -> None:
        """Many rules or groups where there was one."""
        number = self.one(40, 100) if self.often(0.1) else self.one(2, 2, 3, 10)
        rules = _tables(self.doc.get("rule"))
        if rules and self.often(0.6):
            rule = self.chance.choice(rules)
            self.doc["rule"] += [
                {**copy.deepcopy(rule), "name": self.name()} for _ in range(number)
            ]
        elif names := group_names(self.doc):
            group = self.doc[self.chance.choice(names)]
            for _ in range(number):
                self.doc[self.name()] = copy.deepcopy(group)

    def borrow(self) -> None:
        """A group or a rule of another game."""
        other = self.chance.choice(_seeds())
        if self.often(0.5) and _tables(other.get("rule")):
            rules = self.doc.setdefault("rule", [])
            if isinstance(rules, list):
                rules.append(copy.deepcopy(self.chance.choice(other["rule"])))
        else:
            name = self.chance.choice(group_names(other))
            self.doc[name] = copy.deepcopy(other[name])

    def drop_table(self) -> None:
        names = group_names(self.doc)
        rules = self.doc.get("rule")
        if isinstance(rules, list) and rules and self.often(0.5):
            del rules[self.chance.randrange(len(rules))]
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
        for _ in range(self.chance.choice((1, 1, 1, 2, 2, 3, 5, 8))):
            self.chance.choice(changes)()


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 1


def _tables(value: Any) -> list[Table]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def toml(value: Any) -> str:
    """A value as TOML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if value is None:
        return "nothing"
    return json.dumps(value, ensure_ascii=False)


def _key(key: str) -> str:
    return key if key.replace("-", "").replace("_", "").isalnum() else json.dumps(key)


def written(document: Table) -> str:
    """A document as text, a line for each table and for each rule."""
    lines = [f"{_key(k)} = {toml(v)}" for k, v in document.items() if not isinstance(v, dict)]
    for key, value in document.items():
        if isinstance(value, dict):
            lines.append(f"[{_key(key)}]")
            lines += [f"{_key(inner)} = {toml(item)}" for inner, item in value.items()]
    return "\n".join(lines)


def _damaged(text: str, chance: random.Random) -> str:
    """A text with slips of the hand."""
    for _ in range(chance.randint(1, 3)):
        lines = text.split("\n")
        at = chance.randrange(len(lines))
        kind = chance.randrange(7)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[chance.randrange(len(lines))])
        elif kind == 2:
            lines[at] = lines[at].replace(chance.choice('"=[]{},. '), "", 1)
        elif kind == 3:
            place = chance.randint(0, len(lines[at]))
            odd = chance.choice(('"', "[", "]]", "{", "=", "#", ".", "\x00", "\ud800", "'''", "é"))
            lines[at] = lines[at][:place] + odd + lines[at][place:]
        elif kind == 4:
            words = lines[at].split(" ")
            chance.shuffle(words)
            lines[at] = " ".join(words)
        elif kind == 5:
            lines = lines[: at + 1]
        else:
            lines[at] = lines[at] * chance.choice((2, 3, 50))
        text = "\n".join(lines) or "x"
    return text


def grown(seed: int, case: int) -> str:
    """The text of one case.

    Args:
        seed: Names the run.
        case: The number of the case.

    >>> grown(1, 7) == grown(1, 7) != grown(1, 8)
    True
    """
    chance = random.Random(f"{seed}:{case}")
    grower = _Grower(chance)
    grower.grow()
    text = written(grower.doc)
    return _damaged(text, chance) if chance.random() < 0.15 else text
