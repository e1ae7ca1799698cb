"""Checking: from core rules in plain tables to a rulebook.

Every name is resolved, every phrase understood, and every fault reported with its place; nothing stops
at the first one. What this module hands on is sound: later stages raise no errors of the author's.
"""

from collections.abc import Sequence
from typing import Any

from cadogan.rules import rulebook as book
from cadogan.rules.conditions import Conditions
from cadogan.rules.document import Path
from cadogan.rules.orders import Orders
from cadogan.rules.phrases import tell
from cadogan.rules.piles import Piles, read_picture
from cadogan.rules.relations import Relation
from cadogan.rules.report import Report, nearest, one_of
from cadogan.rules.scripts import Scripts
from cadogan.rules.shape import MAX_CARDS, MAX_PILES, group_names
from cadogan.rules.units import read_relation, read_unit
from cadogan.rules.words import (
    ANY,
    RANK_NAMES,
    RANKS,
    SUIT_NAMES,
    SUITS,
    CardClass,
    WordError,
    parse_class,
    rank_mask,
    rank_of,
    suit_of,
)

MAX_RULES = 100
_KINDS = {"steps": "script", "together": "joint", "exchange": "swap", "turn_up": "turn-up"}
_MOVE_KEYS = (
    "from", "to", "along", "cards", "which", "build", "space", "from_holds", "to_holds", "prefer",
    "laid", "face", "choose", "count",
)  # fmt: skip
_KIND_KEYS = {
    "script": ("steps",),
    "joint": ("together", "to", "only"),
    "swap": ("exchange",),
    "turn-up": ("turn_up",),
    "move": _MOVE_KEYS,
}
_RULE_KEYS = ("name", "why", "verb", "forced", "during", "when", "set", "add")


class Checker:
    """Checks one core document.

    Attributes:
        report: Where faults go.
        piles: The names of piles and groups.
        ranks: The ranks in use, in order.
    """

    def __init__(
        self, core: dict[str, Any], report: Report, slug: str, chosen: Sequence[str]
    ) -> None:
        self.core = core
        self.report = report
        self.slug = slug
        self.chosen = tuple(chosen)
        self.ranks = self._ranks()
        self.suits = self._suits()
        self.piles = Piles(report)
        self.rule_names = [rule["name"] for rule in core.get("rule", [])]

    def run(self) -> book.Rulebook | None:
        """Checks everything; ``None`` if there were errors."""
        core, report = self.core, self.report
        self._counters()
        orders = Orders(self.ranks, self.counters, report)
        self._groups(orders)
        deck, preset, without = self._pack()
        self.picture = read_picture(core.get("picture"), self.piles, report)
        self.conditions = Conditions(self.piles, self.counters, self.rule_names, report)
        self.scripts = Scripts(self.piles, self.counters, report)
        rules = self._rules()
        layout = tuple(
            step
            for index, raw in enumerate(core.get("layout", []))
            for step in self.scripts.read(raw, ("layout", index), layout=True)
        )
        aim = self.conditions.read_all(core.get("aim"), ("aim",))
        if not aim and report.ok:
            report.error(
                "no-aim",
                ("name",),
                "the game has no aim",
                key=True,
                hint='add foundations, or aim = "tableau is empty"',
            )
        if not report.ok:
            return None
        return book.Rulebook(
            slug=self.slug,
            name=core["name"],
            source=core.get("source", ""),
            version=core.get("version", 1),
            packs=core.get("packs", 1),
            ranks=self.ranks,
            suits=self.suits,
            without=without,
            deck=deck,
            preset=preset,
            groups=tuple(self.piles.groups),
            counters=tuple(self.counters),
            layout=layout,
            rules=rules,
            aim=aim,
            source_pile=self.piles.source,
            variants=tuple(
                book.Variant(name, table.get("why", ""))
                for name, table in core.get("variants", {}).items()
            ),
            chosen=self.chosen,
            remarks=tuple(_listed(core.get("remarks", []))),
            picture=self.picture,
            names=core.get("names", {}),
        )

    # -- the pack ----------------------------------------------------------------------------------

    def _ranks(self) -> tuple[int, ...]:
        return self._words("ranks", rank_of, tuple(range(13)), (*RANKS, *RANK_NAMES), "rank")

    def _suits(self) -> tuple[int, ...]:
        return self._words("suits", suit_of, tuple(range(4)), (*SUITS, *SUIT_NAMES), "suit")

    def _words(
        self, key: str, read: Any, default: tuple[int, ...], known: Sequence[str], noun: str
    ) -> tuple[int, ...]:
        text = self.core.get(key)
        if text is None:
            return default
        found: list[int] = []
        offset = 0
        for word in text.split():
            offset = text.index(word, offset)
            value = read(word.strip(","))
            within = (offset, offset + len(word))
            offset += len(word)
            if value is None:
                guess = nearest(word, known)
                self.report.error(
                    f"unknown-{noun}",
                    (key,),
                    f'"{word}" is no {noun}',
                    within=within,
                    hint=f'did you mean "{guess}"?' if guess else f"say {one_of(known, 13)}",
                )
            elif value in found:
                self.report.error(
                    "said-twice", (key,), f'the {noun} "{word}" stands here twice', within=within
                )
            else:
                found.append(value)
        if not found and not text.split():
            self.report.error("out-of-range", (key,), f"a pack has at least one {noun}")
        return tuple(found) or default

    def _pack(self) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...], tuple[CardClass, ...]]:
        packs = self.core.get("packs", 1)
        cards = [r * 4 + s for r in self.ranks for s in self.suits for _ in range(packs)]
        without = []
        for index, text in enumerate(_listed(self.core.get("without", []))):
            path: Path = (
                ("without", index) if isinstance(self.core["without"], list) else ("without",)
            )
            withdrawn = self.read_class(text, path)
            if withdrawn is None:
                continue
            if not any(withdrawn.mask >> card & 1 for card in cards):
                self.report.error("no-such-cards", path, f'the pack has no "{text}" to withdraw')
            cards = [card for card in cards if not withdrawn.mask >> card & 1]
            without.append(withdrawn)
        preset: list[tuple[int, int]] = []
        for group in self.piles.groups:
            text = self.core[group.name].get("start")
            if text is None:
                continue
            chosen = self.read_class(text, (group.name, "start"))
            if chosen is None:
                continue
            found = sorted(
                (c for c in cards if chosen.mask >> c & 1), key=lambda c: (c % 4, c // 4)
            )
            if len(found) != group.count:
                self.report.error(
                    "wrong-count",
                    (group.name, "start"),
                    f'"{group.name}" has {group.count} piles, but the pack has {len(found)} cards "{text}"',
                )
                continue
            for card, pile in zip(found, group.piles, strict=True):
                cards.remove(card)
                preset.append((card, pile))
        if not cards:
            self.report.error("empty-pack", ("packs",), "no card is left to deal", key=True)
        if len(cards) + len(preset) > MAX_CARDS:
            self.report.error("out-of-range", ("packs",), f"a game has at most {MAX_CARDS} cards")
        return tuple(sorted(cards)), tuple(preset), tuple(without)

    # -- groups and counters -----------------------------------------------------------------------

    def _counters(self) -> None:
        self.counters = [
            book.Counter(name, raw.get("start", 0), raw.get("cap", 65535), raw.get("why", ""))
            for name, raw in self.core.get("counters", {}).items()
        ]
        for counter in self.counters:
            if counter.start > counter.cap:
                self.report.error(
                    "out-of-range",
                    ("counters", counter.name, "start"),
                    f'the counter "{counter.name}" starts above its cap of {counter.cap}',
                )
            if not all(c.isalnum() or c in "-_" for c in counter.name):
                self._bad_name(("counters", counter.name), counter.name)
        if len(self.counters) > 30:
            self.report.error("too-many", ("counters",), "a game has at most 30 counters", key=True)

    def _groups(self, orders: Orders) -> None:
        names = group_names(self.core)
        if not names:
            self.report.error("no-piles", ("name",), "the game has no piles", key=True)
        for name in names:
            raw = self.core[name]
            if not (name.isascii() and name.replace("-", "").isalnum() and name == name.lower()):
                self._bad_name((name,), name)
            order = None
            if raw["role"] == "foundation":
                order = orders.read(name, raw)
            self.piles.add(
                name, raw["role"], raw["piles"], raw.get("shown", "all"), order, raw.get("mark")
            )
        if self.piles.count > MAX_PILES:
            self.report.error(
                "too-many",
                (names[-1], "piles"),
                f"a table has at most {MAX_PILES} piles, not {self.piles.count}",
            )
        self.piles.close()

    def _bad_name(self, path: Path, name: str) -> None:
        self.report.error(
            "bad-name",
            path,
            f'"{name}" cannot be a name',
            key=True,
            hint="names are lower-case letters, digits and hyphens",
        )

    # -- rules -------------------------------------------------------------------------------------

    def _rules(self) -> tuple[book.Rule, ...]:
        raw_rules = self.core.get("rule", [])
        if len(raw_rules) > MAX_RULES:
            self.report.error(
                "too-many", ("rule",), f"a game has at most {MAX_RULES} rules", key=True
            )
            return ()
        seen: dict[str, int] = {}
        verbs: dict[str, int] = {}
        rules = []
        for index, raw in enumerate(raw_rules):
            path: Path = ("rule", index)
            for key, table in (("name", seen), ("verb", verbs)):
                word = raw.get(key)
                if word is None:
                    continue
                if word in table:
                    self.report.error(
                        "said-twice",
                        (*path, key),
                        f'there are two rules with the {key} "{word}"',
                        also=[(("rule", table[word], key), "the other")],
                    )
                table[word] = index
            rule = self._rule(raw, path)
            if rule is not None:
                rules.append(rule)
        return tuple(rules)

    def _rule(self, raw: dict[str, Any], path: Path) -> book.Rule | None:
        kinds = [kind for key, kind in _KINDS.items() if key in raw]
        kind = kinds[0] if kinds else "move"
        for key in raw:
            if key not in _RULE_KEYS and key not in _KIND_KEYS[kind]:
                self.report.error(
                    "key-does-not-fit",
                    (*path, key),
                    f'"{key}" does not fit a rule with "{_KIND_KEYS[kind][0]}"',
                    key=True,
                    hint=f"there it knows {one_of((*_RULE_KEYS, *_KIND_KEYS[kind]), 30)}",
                )
        forced = raw.get("forced", False)
        if "during" in raw and not forced:
            self.report.error(
                "not-forced", (*path, "during"), '"during" belongs to forced rules only', key=True,
                hint="add forced = true",
            )  # fmt: skip
        if kind == "turn-up" and not forced:
            self.report.error(
                "not-forced", (*path, "turn_up"), "cards are turned up by forced rules only", key=True,
                hint="add forced = true",
            )  # fmt: skip
        if raw.get("choose", "nothing") != "nothing" and not forced:
            self.report.error(
                "not-forced", (*path, "choose"), '"choose" belongs to forced rules only', key=True,
                hint="in a free rule the player chooses anyway",
            )  # fmt: skip
        action: book.Action | None
        if kind == "script":
            steps = [
                s
                for i, r in enumerate(raw["steps"])
                for s in self.scripts.read(r, (*path, "steps", i))
            ]
            if not raw["steps"]:
                self.report.error(
                    "out-of-range", (*path, "steps"), "a script has at least one step"
                )
            action = book.Script(tuple(steps))
        elif kind == "joint":
            action = self._joint(raw, path)
        elif kind == "swap":
            action = book.Swap(self.piles.read(raw["exchange"], (*path, "exchange")))
        elif kind == "turn-up":
            action = book.TurnUp(self.piles.read(raw["turn_up"], (*path, "turn_up")))
        else:
            action = self._move(raw, path)
        when = self.conditions.read_all(raw.get("when"), (*path, "when"))
        effects = self._effects(raw, path)
        if action is None:
            return None
        return book.Rule(
            name=raw["name"],
            action=action,
            verb=raw.get("verb"),
            forced=forced,
            during=raw.get("during", "play"),
            when=when,
            effects=effects,
            why=raw.get("why", ""),
        )

    def _move(self, raw: dict[str, Any], path: Path) -> book.Move | None:
        missing = [key for key in ("from", "to") if key not in raw]
        if missing:
            self.report.error(
                "missing-key",
                path,
                f'the rule "{raw["name"]}" does not say {" and ".join(missing)} where cards go'
                if missing == ["from", "to"]
                else f'the rule "{raw["name"]}" lacks "{missing[0]}"',
                hint="a rule has from and to, or steps, together, exchange or turn_up",
            )
            return None
        lanes = self.piles.read_lanes(raw["from"], (*path, "from"))
        to, state = self.piles.read_targets(raw["to"], (*path, "to"))
        from_holds = self._holds(raw, "from_holds", path, (1, 65535))
        to_holds = self._holds(raw, "to_holds", path, (0, 65535))
        if state.endswith("vacant"):
            to_holds = (0, 0)
        elif state == "occupied":
            to_holds = (max(1, to_holds[0]), to_holds[1])
        orders = [self.piles.group_of(pile).order is not None for pile in to.piles]
        ladder = bool(orders) and all(orders)
        if any(orders) and not ladder:
            self.report.error(
                "mixed-targets",
                (*path, "to"),
                "foundations and other piles cannot be targets of one rule",
                hint="write two rules",
            )
        unit = read_unit(
            raw.get("cards", "one card"),
            (*path, "cards"),
            self.read_relation,
            self.ranks,
            self.report,
        )
        if ladder and unit.kind != "top":
            self.report.error(
                "mixed-targets", (*path, "cards"), "foundations take one card at a time",
                hint='use takes = "complete sequences ..." for whole sequences',
            )  # fmt: skip
        build = None
        if raw.get("build") not in (None, "nothing"):
            build = self.read_relation(raw["build"], (*path, "build"))
        links = self.piles.links(
            [pile for lane in lanes for pile in lane.piles],
            to,
            raw.get("along"),
            self.picture,
            (*path, "along"),
        )
        prefer = None
        if "prefer" in raw:
            preferred = self.piles.read(raw["prefer"], (*path, "prefer"))
            prefer = self.piles.single(preferred, (*path, "prefer"))
        space = self.read_class(raw["space"], (*path, "space")) if "space" in raw else ANY
        lead = self.read_class(raw["which"], (*path, "which")) if "which" in raw else ANY
        laid = raw.get("laid", "one by one" if unit.kind == "count" else "as a block")
        choose = raw.get("choose", "nothing")
        return book.Move(
            lanes=lanes,
            to=to,
            links=links,
            along=raw.get("along"),
            from_holds=from_holds,
            to_holds=to_holds,
            unit=unit,
            lead=lead or ANY,
            build=build,
            space=space or ANY if space is None else space,
            ladder=ladder,
            first_vacant=state == "first vacant",
            prefer=prefer,
            reverse=laid == "one by one",
            face=raw.get("face", self._face(lanes, to)),
            choose="none" if choose == "nothing" else choose,
        )

    def _face(self, lanes: Sequence[book.PileSet], to: book.PileSet) -> Any:
        """Cards out of a stock turn up and into a stock turn down unless a rule says otherwise."""
        out = any(self.piles.group_of(p).role == "stock" for lane in lanes for p in lane.piles)
        into = any(self.piles.group_of(p).role == "stock" for p in to.piles)
        return "down" if into else "up" if out else "keep"

    def _holds(
        self, raw: dict[str, Any], key: str, path: Path, default: tuple[int, int]
    ) -> tuple[int, int]:
        value = raw.get(key)
        if value is None:
            return default
        pair = [value, value] if isinstance(value, int) else value
        if (
            len(pair) != 2
            or not 0 <= pair[0] <= pair[1] <= 65535
            or (key == "from_holds" and pair[1] < 1)
        ):
            self.report.error(
                "out-of-range", (*path, key), f'"{key}" must be a number or [fewest, most]'
            )
            return default
        return (max(pair[0], default[0]), pair[1])

    def _joint(self, raw: dict[str, Any], path: Path) -> book.Joint | None:
        if "to" not in raw:
            self.report.error(
                "missing-key",
                path,
                f'the rule "{raw["name"]}" lacks "to"',
                hint='give to = "foundations"',
            )
            return None
        if not 1 <= len(raw["together"]) <= 2:
            self.report.error("out-of-range", (*path, "together"), "one or two piles play together")
            return None
        parts = tuple(
            book.Part(
                self.piles.read(part["from"], (*path, "together", i, "from")), part.get("holds", 1)
            )
            for i, part in enumerate(raw["together"])
        )
        to = self.piles.read(raw["to"], (*path, "to"))
        for pile in to.piles:
            if self.piles.group_of(pile).order is None:
                self.report.error(
                    "not-a-foundation",
                    (*path, "to"),
                    f'cards that go together go to foundations; "{self.piles.group_of(pile).name}" is none',
                )
                break
        return book.Joint(parts, to, only_if_blocked=raw.get("only") == "if blocked")

    def _effects(self, raw: dict[str, Any], path: Path) -> tuple[book.Effect, ...]:
        effects: list[book.Effect] = []
        for key, kind in (("set", "set"), ("add", "add"), ("count", "add-cards")):
            for name, value in raw.get(key, {}).items():
                counter = self.conditions.counter(name, (*path, key, name), key=True)
                if counter is None:
                    continue
                if kind == "add-cards":
                    cards = self.read_class(value, (*path, key, name))
                    effects.append(book.Effect("add-cards", counter, cards=cards))
                else:
                    effects.append(book.Effect(kind, counter, value))  # type: ignore[arg-type]
        return tuple(effects)

    # -- phrases -----------------------------------------------------------------------------------

    def read_class(self, text: str, path: Path) -> CardClass | None:
        """Reads a class of cards, reporting what is not understood."""
        try:
            return parse_class(text)
        except WordError as error:
            tell(self.report, "unknown-cards", path, text, error)
            return None

    def read_relation(self, phrases: str | list[str], path: Path) -> Relation | None:
        """Reads a rule of building, reporting what is not understood."""
        return read_relation(phrases, path, self.ranks, self.piles.order_ranks, self.report)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


__all__ = ["Checker", "rank_mask"]
