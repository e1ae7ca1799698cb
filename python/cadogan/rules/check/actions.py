"""Rules: reading one core rule, what it does and when.

The keys of a rule determine what it does: ``steps`` make a script, ``together`` a joint play,
``exchange`` a swap, ``turn_up`` turns cards up, and all others move cards ``from`` piles ``to``
piles.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, assert_never

from cadogan.i18n.text import listed, told
from cadogan.rules.check.conditions import Conditions
from cadogan.rules.check.move_units import read_relation, read_unit
from cadogan.rules.check.phrases import report_word
from cadogan.rules.check.piles import Piles
from cadogan.rules.check.scripts import Scripts
from cadogan.rules.faults.report import Report, one_of
from cadogan.rules.rulebook import rulebook as book
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.words import ANY, CardClass, WordError, parse_class
from cadogan.rules.source.span import Path

MAX_EFFECTS = 60
Kind = Literal["move", "joint", "swap", "turn-up", "script"]
_KINDS: dict[str, Kind] = {
    "steps": "script",
    "together": "joint",
    "exchange": "swap",
    "turn_up": "turn-up",
}
_MOVE_KEYS = (
    *("from", "to", "along", "cards", "which", "build", "space", "from_holds", "to_holds"),
    *("prefer", "laid", "face", "choose", "count"),
)
_KIND_KEYS: dict[Kind, tuple[str, ...]] = {
    "script": ("steps",),
    "joint": ("together", "to", "only"),
    "swap": ("exchange",),
    "turn-up": ("turn_up",),
    "move": _MOVE_KEYS,
}
_OF_FORCED = {
    "during": told('"during" belongs to forced rules only'),
    "turn_up": told("cards are turned up by forced rules only"),
    "choose": told('"choose" belongs to forced rules only'),
}
_RULE_KEYS = ("name", "why", "verb", "forced", "during", "when", "set", "add")


class Actions:
    """Reads the rules of one game."""

    def __init__(
        self,
        piles: Piles,
        conditions: Conditions,
        scripts: Scripts,
        picture: Mapping[tuple[int, int], int],
        ranks: Sequence[int],
        report: Report,
    ) -> None:
        self.piles = piles
        self.conditions = conditions
        self.scripts = scripts
        self.picture = picture
        self.ranks = tuple(ranks)
        self.report = report

    def read(self, raw: dict[str, Any], path: Path) -> book.Rule | None:
        """Reads a rule; ``None`` if faults were reported that leave nothing of it."""
        action = self._action(raw, path)
        when = self.conditions.read_all(raw.get("when"), (*path, "when"))
        effects = self._effects(raw, path)
        if action is None:
            return None
        return book.Rule(
            name=raw.get("name", ""),
            action=action,
            verb=raw.get("verb"),
            forced=raw.get("forced", False),
            during=raw.get("during", "play"),
            when=when,
            effects=effects,
            why=raw.get("why", ""),
        )

    def _action(self, raw: dict[str, Any], path: Path) -> book.Action | None:
        kinds = [key for key in _KINDS if key in raw]
        key = kinds[0] if kinds else "from"
        kind: Kind = _KINDS.get(key, "move")
        telling = (*_KINDS, "from", "to")
        if self.report.is_clean or not any(
            self.report.is_faulty(*path, other) for other in telling if other not in raw
        ):
            self._check_keys(raw, kind, key, path)
        self._check_forced(raw, path)
        match kind:
            case "move":
                return self._move(raw, path)
            case "joint":
                return self._joint(raw, path)
            case "swap":
                return self._swap(raw, path)
            case "turn-up":
                return book.TurnUp(self.piles.read(raw["turn_up"], (*path, "turn_up")))
            case "script":
                return self._script(raw, path)
            case _:
                assert_never(kind)

    def _check_keys(self, raw: dict[str, Any], kind: Kind, key: str, path: Path) -> None:
        known = (*_KIND_KEYS[kind], *_RULE_KEYS)
        for other in raw:
            if other in known:
                continue
            if other in _KINDS:
                title = told(
                    'a rule has either "{key}" or "{other}", not both', key=key, other=other
                )
            else:
                title = told('"{other}" does not fit a rule with "{key}"', other=other, key=key)
            self.report.error(
                "key-does-not-fit",
                (*path, other),
                title,
                key=True,
                hint=told("such a rule knows {choices}", choices=one_of(known, 30)),
                also=[((*path, key), told("this says what it does"))] if key in raw else [],
            )

    def _check_forced(self, raw: dict[str, Any], path: Path) -> None:
        if raw.get("forced", False) or self.report.is_faulty(*path, "forced"):
            return
        for key, title in _OF_FORCED.items():
            if key in raw and not (key == "choose" and raw[key] == "nothing"):
                self.report.error(
                    "not-forced",
                    (*path, key),
                    title,
                    key=True,
                    hint=told("in a free rule the player chooses anyway")
                    if key == "choose"
                    else told("add forced = true"),
                )

    # -- moves -------------------------------------------------------------------------------------

    def _move(self, raw: dict[str, Any], path: Path) -> book.Move | None:
        lanes = self.piles.read_lanes(raw["from"], (*path, "from")) if "from" in raw else None
        targets = self.piles.read_targets(raw["to"], (*path, "to")) if "to" in raw else None
        build = None
        if raw.get("build") not in (None, "nothing", ["nothing"]):
            build = self.read_relation(raw["build"], (*path, "build"))
        unit = read_unit(
            raw.get("cards", "one card"),
            (*path, "cards"),
            self.read_relation,
            self.ranks,
            self.report,
        )
        space = self._class(raw, "space", path)
        lead = self._class(raw, "which", path)
        prefer = None
        if "prefer" in raw:
            preferred = self.piles.read(raw["prefer"], (*path, "prefer"))
            prefer = self.piles.single(preferred, (*path, "prefer"))
        if lanes is None or targets is None:
            self._missing(raw, path)
            return None
        to, state = targets
        to_holds = self._holds(raw, "to_holds", path, (0, 65535))
        if state and "to_holds" in raw and (state != "occupied" or to_holds[1] == 0):
            self.report.error(
                "key-does-not-fit",
                (*path, "to_holds"),
                told('"{state}" says already how many cards the target holds', state=state),
                key=True,
                also=[((*path, "to"), told("here"))],
            )
        if state.endswith("vacant"):
            to_holds = (0, 0)
        elif state == "occupied":
            to_holds = (max(1, to_holds[0]), to_holds[1])
        ladder = self._ladder(raw, to, unit, path)
        sources = [pile for lane in lanes for pile in lane.piles]
        links = self.piles.links(sources, to, raw.get("along"), self.picture, (*path, "along"))
        laid = raw.get("laid", "one by one" if unit.kind == "count" else "as a block")
        choose = raw.get("choose", "nothing")
        return book.Move(
            lanes=lanes,
            to=to,
            links=links,
            along=raw.get("along"),
            from_holds=self._holds(raw, "from_holds", path, (1, 65535)),
            to_holds=to_holds,
            unit=unit,
            lead=lead,
            build=build,
            space=space,
            ladder=ladder,
            first_vacant=state == "first vacant",
            prefer=prefer,
            reverse=laid == "one by one",
            face=raw.get("face", self._face(sources, to)),
            choose="none" if choose == "nothing" else choose,
        )

    def _missing(self, raw: dict[str, Any], path: Path) -> None:
        missing = [
            key
            for key in ("from", "to")
            if key not in raw and not self.report.is_faulty(*path, key)
        ]
        doubtful = any(self.report.is_faulty(*path, key) for key in _KINDS)
        if not missing or doubtful:
            return
        words = listed((f'"{key}"' for key in missing), "and")
        self.report.error(
            "missing-key",
            path,
            told("{rule} must have {words}", rule=_named(raw), words=words),
            hint=told("a rule has from and to, or steps, together, exchange or turn_up"),
            missing=missing[0],
        )

    def _ladder(self, raw: dict[str, Any], to: book.PileSet, unit: book.Unit, path: Path) -> bool:
        """Whether the targets are foundations with an order."""
        ordered = [pile for pile in to.piles if self.piles.is_ordered(pile)]
        if ordered and len(ordered) < len(to.piles):
            other = next(pile for pile in to.piles if pile not in ordered)
            self.report.error(
                "mixed-targets",
                (*path, "to"),
                told(
                    '"{name}" has an order, "{other}" has none: they cannot be targets of one rule',
                    name=self.piles.group_of(ordered[0]).name,
                    other=self.piles.group_of(other).name,
                ),
                hint=told("write two rules"),
            )
            return False
        if ordered and unit.kind != "top":
            self.report.error(
                "mixed-targets",
                (*path, "cards"),
                told("foundations take one card at a time"),
                hint=told('a foundation with takes = "complete sequences ..." takes whole ones'),
            )
        return bool(ordered)

    def _face(self, sources: Sequence[int], to: book.PileSet) -> Literal["keep", "up", "down"]:
        """Cards out of a stock turn up and into a stock turn down unless a rule says otherwise."""
        if any(self.piles.group_of(pile).role == "stock" for pile in to.piles):
            return "down"
        if any(self.piles.group_of(pile).role == "stock" for pile in sources):
            return "up"
        return "keep"

    def _holds(
        self, raw: dict[str, Any], key: str, path: Path, default: tuple[int, int]
    ) -> tuple[int, int]:
        value = raw.get(key)
        if value is None:
            return default
        pair = value if isinstance(value, list) else [value, value]
        if (
            len(pair) != 2
            or not 0 <= pair[0] <= pair[1] <= 65535
            or (key == "from_holds" and pair[1] < 1)
        ):
            self.report.error(
                "out-of-range",
                (*path, key),
                told('"{key}" must be a number or [fewest, most]', key=key),
            )
            return default
        return (max(pair[0], default[0]), pair[1])

    # -- other actions -----------------------------------------------------------------------------

    def _joint(self, raw: dict[str, Any], path: Path) -> book.Joint | None:
        if not 1 <= len(raw["together"]) <= 2:
            self.report.error(
                "out-of-range", (*path, "together"), told("one or two piles play together")
            )
            return None
        parts = tuple(
            book.Part(
                self.piles.read(part["from"], (*path, "together", index, "from")),
                part.get("holds", 1),
            )
            for index, part in enumerate(raw["together"])
            if part is not None
        )
        if "to" not in raw:
            if not self.report.is_faulty(*path, "to"):
                self.report.error(
                    "missing-key",
                    path,
                    told('{rule} must have "to"', rule=_named(raw)),
                    hint=told('add to = "foundations"'),
                    missing="to",
                )
            return None
        to = self.piles.read(raw["to"], (*path, "to"))
        for pile in to.piles:
            name = self.piles.group_of(pile).name
            if not self.piles.is_ordered(pile):
                self.report.error(
                    "not-a-foundation",
                    (*path, "to"),
                    told(
                        'cards go up together to foundations, but "{name}" has no order', name=name
                    ),
                    word=name,
                )
                break
            if any(pile in part.source.piles for part in parts):
                self.report.error(
                    "onto-itself",
                    (*path, "to"),
                    told('cards cannot go from "{name}" to itself', name=name),
                )
                break
        return book.Joint(parts, to, only_if_blocked=raw.get("only") == "if blocked")

    def _swap(self, raw: dict[str, Any], path: Path) -> book.Swap:
        piles = self.piles.read(raw["exchange"], (*path, "exchange"))
        if len(piles.piles) == 1 and self.piles.is_certain(*piles.piles):
            self.report.error(
                "wrong-count", (*path, "exchange"), told("one pile cannot change places")
            )
        return book.Swap(piles)

    def _script(self, raw: dict[str, Any], path: Path) -> book.Script:
        if not raw["steps"]:
            self.report.error(
                "out-of-range", (*path, "steps"), told("a script has at least one step")
            )
        return book.Script(self.scripts.read_all(raw["steps"], (*path, "steps")))

    def _effects(self, raw: dict[str, Any], path: Path) -> tuple[book.Effect, ...]:
        effects: list[book.Effect] = []
        kinds: dict[str, Literal["set", "add"]] = {"set": "set", "add": "add"}
        for key, kind in kinds.items():
            for name, value in raw.get(key, {}).items():
                counter = self.conditions.counter(name, (*path, key, name), key=True)
                if counter is not None:
                    effects.append(book.Effect(kind, counter, value))
        for name, text in raw.get("count", {}).items():
            counter = self.conditions.counter(name, (*path, "count", name), key=True)
            cards = self.read_class(text, (*path, "count", name))
            if counter is not None and cards is not None:
                effects.append(book.Effect("add-cards", counter, cards=cards))
        if len(effects) > MAX_EFFECTS:
            self.report.error(
                "too-many", path, told("a rule changes at most {most} counters", most=MAX_EFFECTS)
            )
        return tuple(effects)

    # -- phrases -----------------------------------------------------------------------------------

    def _class(self, raw: dict[str, Any], key: str, path: Path) -> CardClass:
        cards = self.read_class(raw[key], (*path, key)) if key in raw else None
        return ANY if cards is None else cards

    def read_class(self, text: str, path: Path) -> CardClass | None:
        """Reads a class of cards, reporting what is not understood."""
        try:
            return parse_class(text)
        except WordError as error:
            report_word(self.report, "unknown-cards", path, text, error)
            return None

    def read_relation(self, phrases: str | list[str], path: Path) -> Relation | None:
        """Reads a rule of building, reporting what is not understood."""
        return read_relation(phrases, path, self.ranks, self.piles, self.report)


def _named(raw: dict[str, Any]) -> str:
    return told('the rule "{name}"', name=raw["name"]) if "name" in raw else told("this rule")
