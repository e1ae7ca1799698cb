"""Expansion: roles and phrases of the card books, written out as core rules.

``[garden] role = "tableau", build = "down"`` stands for a rule that moves cards onto the garden;
``redeals = 2`` for a counter, a condition and a script. Here the standing-for happens, on plain
tables, so that an author can see it (``cadogan expand GAME``) and nothing later needs to know a role's
habits. What comes out is itself a rules file with ``core = true``; expanding it again changes nothing.

Each role has one function below. Every core rule remembers the key it came from, so that a fault found
later points at what the author wrote.
"""

from collections.abc import Callable
from typing import Any

from cadogan.rules.document import Path
from cadogan.rules.report import Report, nearest, one_of
from cadogan.rules.rulebook import ROLES
from cadogan.rules.shape import HEADER_KEYS, group_names

_ROLE_NAMES = (
    {role: role for role in ROLES} | {f"{role}s": role for role in ROLES} | {"tableaux": "tableau"}
)
_KEPT = ("role", "piles", "mark", "shown", "start")
_ORDER_KEYS = ("base", "order", "build", "suits")
_COMMON = (*_KEPT, "deal", "deal_down", "dealt")
ROLE_KEYS: dict[str, tuple[str, ...]] = {
    "foundation": (
        *_COMMON, *_ORDER_KEYS, "takes", "from", "along", "plays", "choose", "prefer",
        "worrying_back", "when",
    ),
    "tableau": (*_COMMON, "build", "moves", "space", "from", "along", "refill", "choose", "when"),
    "reserve": (*_COMMON, "refill", "choose"),
    "cell": (*_COMMON, "from", "when"),
    "stock": (*_COMMON, "deals", "deals_when", "redeals"),
    "waste": (*_COMMON, "build", "from", "when"),
    "hand": (*_COMMON, "lays_off"),
}  # fmt: skip
"""The keys that each role knows."""

_AVAILABLE = ("tableau", "reserve", "cell", "waste", "hand")


def role_of(name: str, group: dict[str, Any]) -> str | None:
    """The role of a group: what it says, else what its name says.

    >>> role_of("cells", {}), role_of("garden", {"role": "tableau"}), role_of("garden", {})
    ('cell', 'tableau', None)
    """
    role = group.get("role")
    return role if isinstance(role, str) else _ROLE_NAMES.get(name)


class Expansion:
    """Expands one document.

    Attributes:
        core: The document that results.
        origins: Path in ``core`` to path in the document, where they differ.
    """

    def __init__(self, data: dict[str, Any], report: Report) -> None:
        self.data = data
        self.report = report
        self.origins: dict[Path, Path] = {}
        self.roles: dict[str, str] = {}
        self.groups: dict[str, dict[str, Any]] = {}
        self.core: dict[str, Any] = {
            key: data[key]
            for key in HEADER_KEYS
            if key in data and key not in ("rule", "layout", "counters")
        }
        self.rules: list[tuple[dict[str, Any], Path]] = []
        self.steps: list[tuple[dict[str, Any], Path]] = []
        self.counters: dict[str, Any] = dict(data.get("counters", {}))
        self._expand()

    def back(self, path: Path) -> Path:
        """Leads a path in ``core`` back to the document."""
        for length in range(len(path), 0, -1):
            if (found := self.origins.get(path[:length])) is not None:
                return (*found, *path[length:]) if found[0] in ("rule", "layout") else found
        return path

    # -- the frame ---------------------------------------------------------------------------------

    def _expand(self) -> None:
        for name in group_names(self.data):
            role = role_of(name, self.data[name])
            if role is None:
                self.report.error(
                    "missing-role",
                    (name,),
                    f'the group "{name}" has no role',
                    key=True,
                    hint=f"give role = {one_of([f'{chr(34)}{r}{chr(34)}' for r in ROLES])}",
                )
                continue
            self.roles[name] = role
            self.groups[name] = self.data[name]
        core = bool(self.data.get("core"))
        written = False
        for key in self.data:
            if key in self.roles:
                self._group(key, core)
            elif key == "rule":
                written = True
                self._written_rules()
        if not written and "rule" in self.data:
            self._written_rules()
        self._finish(core)

    def _written_rules(self) -> None:
        for index, rule in enumerate(self.data.get("rule", [])):
            self.rules.append((rule, ("rule", index)))

    def _group(self, name: str, core: bool) -> None:
        role, group = self.roles[name], self.groups[name]
        known = (
            (*_KEPT, *(_ORDER_KEYS if role == "foundation" else ())) if core else ROLE_KEYS[role]
        )
        for key in group:
            if key not in known:
                guess = nearest(key, known)
                self.report.error(
                    "key-of-another-role",
                    (name, key),
                    f'a {role} has no key "{key}"' + (" in a core file" if core else ""),
                    key=True,
                    hint=f'did you mean "{guess}"?'
                    if guess
                    else f"a {role} knows {one_of(known, 20)}",
                )
        kept: dict[str, Any] = {"role": role, "piles": group.get("piles", 1)}
        kept |= {key: group[key] for key in _KEPT if key in group and key not in kept}
        if role == "foundation" and "takes" not in group:
            kept |= {key: group[key] for key in _ORDER_KEYS if key in group}
        if "shown" not in kept and role in ("stock", "waste"):
            kept["shown"] = "none" if role == "stock" else "top"
        self.core[name] = kept
        if not core:
            builder: Callable[[str, dict[str, Any]], None] = getattr(self, f"_{role}")
            builder(name, group)

    def _finish(self, core: bool) -> None:
        if "layout" in self.data:
            if self.steps:
                group = self.steps[0][1][0]
                self.report.error(
                    "two-layouts",
                    ("layout",),
                    f'the layout is written out, but "{group}" is dealt besides',
                    key=True,
                    hint="put all dealing into [[layout]], or none",
                    also=[(self.steps[0][1], "dealt here")],
                )
            self.steps = [(step, ("layout", i)) for i, step in enumerate(self.data["layout"])]
        settle = any(
            rule.get("forced") and rule.get("during") in ("layout", "always")
            for rule, _ in self.rules
        )
        if settle and not core and "layout" not in self.data:
            self.steps = [
                pair for step in self.steps for pair in (step, ({"settle": True}, step[1]))
            ]
        if self.counters:
            self.core["counters"] = self.counters
        if "aim" not in self.core:
            self.core["aim"] = self._aim()
            self.origins[("aim",)] = (next(iter(self.groups), "name"),)
        self.core["layout"] = [step for step, _ in self.steps]
        self.core["rule"] = [rule for rule, _ in self.rules]
        for index, (_, home) in enumerate(self.steps):
            self.origins[("layout", index)] = home
        for index, (_, home) in enumerate(self.rules):
            self.origins[("rule", index)] = home
        self.core["core"] = True

    def _aim(self) -> list[str]:
        aims = []
        for name, role in self.roles.items():
            if role == "foundation":
                takes = "takes" in self.groups[name] or "build" not in self.groups[name]
                aims.append(f"no {name} is vacant" if takes else f"{name} is complete")
        return aims

    # -- helpers -----------------------------------------------------------------------------------

    def _of_role(self, *roles: str) -> list[str]:
        return [name for name, role in self.roles.items() if role in roles]

    def _rule(self, home: Path, name: str, /, **keys: Any) -> None:
        rule: dict[str, Any] = {"name": name}
        for key, value in keys.items():
            if value is not None and value is not False:
                rule["from" if key == "from_" else key] = value
        self.rules.append((rule, home))

    def _deal(self, name: str, group: dict[str, Any]) -> None:
        """The layout steps of a group: its cards in rounds, or pile by pile."""
        piles = group.get("piles", 1)
        up = _per_pile(group.get("deal", 0), piles)
        down = _per_pile(group.get("deal_down", 0), piles)
        for key, value in (("deal", up), ("deal_down", down)):
            if len(value) != piles:
                self.report.error(
                    "wrong-count",
                    (name, key),
                    f'"{name}" has {piles} piles, but {len(value)} numbers of cards',
                )
                return
        if not any(up) and not any(down):
            return
        home: Path = (name, "deal" if "deal" in group else "deal_down")
        source = next(iter(self._of_role("stock")), "pack")
        names = [name if piles == 1 else f"{name}.{index + 1}" for index in range(piles)]
        level = len(set(up)) == 1 and len(set(down)) == 1
        if group.get("dealt") == "in packets":
            rounds = [
                (face, number, [pile])
                for pile, d, u in zip(names, down, up, strict=True)
                for face, number in (("down", d), ("up", u))
                if number
            ]
            if level and not down[0]:
                rounds = [("up", up[0], [name])]
        else:
            rounds = []
            for turn in range(max(d + u for d, u in zip(down, up, strict=True))):
                for pile, d, u in zip(names, down, up, strict=True):
                    if turn < d + u:
                        face = "down" if turn < d else "up"
                        if rounds and rounds[-1][0] == face and pile not in rounds[-1][2]:
                            rounds[-1][2].append(pile)
                        else:
                            rounds.append((face, 1, [pile]))
            if level:
                rounds = [("down", 1, [name])] * down[0] + [("up", 1, [name])] * up[0]
        for face, number, to in _join(rounds):
            step: dict[str, Any] = {
                "deal": number[1],
                "from": source,
                "to": to[0] if len(to) == 1 else to,
            }
            if number[0] > 1:
                step["rounds"] = number[0]
            if face == "down":
                step["face"] = "down"
            self.steps.append((step, home))

    def _refill(self, name: str, group: dict[str, Any]) -> None:
        if "refill" in group:
            self._rule(
                (name, "refill"),
                f"{name} is refilled",
                forced=True,
                from_=group["refill"],
                to=f"vacant {name}",
                choose=group.get("choose"),
                face="up",
            )

    def _turn_up(self, name: str, group: dict[str, Any]) -> None:
        if "deal_down" in group:
            self._rule((name, "deal_down"), f"turn up {name}", forced=True, turn_up=name)

    # -- the roles ---------------------------------------------------------------------------------

    def _foundation(self, name: str, group: dict[str, Any]) -> None:
        if group.get("base") == "dealt":
            self.counters.setdefault(
                "base", {"cap": 12, "why": "the rank on which the foundations begin"}
            )
            first = name if group.get("piles", 1) == 1 else f"{name}.1"
            source = next(iter(self._of_role("stock")), "pack")
            self.steps.append(({"deal": 1, "from": source, "to": first}, (name, "base")))
            self.steps.append(({"base": "base", "of": first}, (name, "base")))
        self._deal(name, group)
        feeders = group.get("from", self._of_role(*_AVAILABLE))
        takes = group.get("takes")
        if isinstance(takes, str) and takes != "cards":
            phrase = takes.removeprefix("complete ").strip()
            self._rule(
                (name, "takes"),
                f"complete sequences go to {name}",
                forced=True,
                from_=group.get("from", self._of_role("tableau")),
                to=f"vacant {name}",
                cards=f"a complete {phrase.replace('sequences', 'sequence', 1)}",
                which=group.get("base"),
            )
            return
        if feeders:
            self._rule(
                (name, "from") if "from" in group else (name,),
                f"play to {name}",
                forced=group.get("plays") == "forced",
                from_=feeders,
                to=name,
                along=group.get("along"),
                choose=group.get("choose"),
                prefer=group.get("prefer"),
                when=group.get("when"),
            )
        if group.get("worrying_back"):
            for other in self._of_role("tableau"):
                tableau = self.groups[other]
                if tableau.get("build") != "nothing":
                    self._rule(
                        (name, "worrying_back"),
                        f"return from {name} to {other}",
                        from_=name,
                        to=other,
                        build=tableau.get("build"),
                        space=tableau.get("space"),
                    )

    def _tableau(self, name: str, group: dict[str, Any]) -> None:
        self._deal(name, group)
        self._turn_up(name, group)
        self._refill(name, group)
        build = group.get("build")
        if build is None:
            self.report.error(
                "missing-key",
                (name,),
                f'the tableau "{name}" does not say how it is built',
                key=True,
                hint='give build = "down in alternate colours", build = "nothing" and so on',
            )
            return
        feeders = group.get("from", self._of_role("tableau", "reserve", "cell", "waste"))
        space = group.get("space", "any card" if build != "nothing" else "nothing")
        if not feeders or (build == "nothing" and _is_nothing(space)):
            return
        target = f"vacant {name}" if build == "nothing" else name
        if _is_nothing(space):
            target, space = f"occupied {name}", None
        moves = group.get("moves", "single cards")
        cards = _unit_of(moves, build)
        runs = [f for f in _listed(feeders) if self.roles.get(f) == "tableau"] if cards else []
        home: Path = (name, "build") if "build" in group else (name,)
        keys = {
            "to": target,
            "along": group.get("along"),
            "build": build if build != "nothing" else None,
            "space": space if space != "any card" else None,
            "when": group.get("when"),
        }
        if runs:
            self._rule(
                (name, "moves"), f"build on {name} in sequence", from_=runs, cards=cards, **keys
            )
        singles = [f for f in _listed(feeders) if f not in runs]
        if singles:
            self._rule(home, f"build on {name}", from_=singles, **keys)

    def _reserve(self, name: str, group: dict[str, Any]) -> None:
        self._deal(name, group)
        self._turn_up(name, group)
        self._refill(name, group)

    def _cell(self, name: str, group: dict[str, Any]) -> None:
        self._deal(name, group)
        feeders = group.get("from", self._of_role("tableau", "waste"))
        if feeders:
            self._rule(
                (name,),
                f"keep in {name}",
                from_=feeders,
                to=f"vacant {name}",
                when=group.get("when"),
            )

    def _stock(self, name: str, group: dict[str, Any]) -> None:
        self._deal(name, group)
        deals = group.get("deals")
        waste = None
        if isinstance(deals, str):
            words = deals.split()
            known = [f"{n} to {g}" for n in (1, 3) for g in self._of_role("waste", "hand")]
            known += [f"1 to each of {g}" for g in self._of_role("tableau")]
            target = words[-1] if words else ""
            number = words[0] if words else ""
            each = words[1:-1] == ["to", "each", "of"]
            if (
                not (number.isascii() and number.isdigit() and 1 <= int(number) <= 104)
                or not (each or words[1:-1] == ["to"])
                or target not in self.roles
            ):
                self.report.error(
                    "unknown-phrase",
                    (name, "deals"),
                    f'"{deals}" does not say how the stock is dealt',
                    hint=f"say {one_of([chr(34) + k + chr(34) for k in known])}",
                )
                return
            if self.roles[target] == "hand":
                self._rule(
                    (name, "deals"), "turn", verb="turn", from_=name, to=f"vacant {target}", face="up",
                    when=group.get("deals_when"),
                )  # fmt: skip
            else:
                when = [f"{name} is not empty", *_listed(group.get("deals_when", []))]
                self._rule(
                    (name, "deals"), "deal", verb="deal", when=when,
                    steps=[{"deal": int(number), "from": name, "to": target}],
                )  # fmt: skip
            waste = target if self.roles[target] == "waste" else None
        redeals = group.get("redeals", 0)
        if redeals:
            waste = waste or next(iter(self._of_role("waste")), None)
            if waste is None:
                self.report.error(
                    "redeal-without-waste",
                    (name, "redeals"),
                    "there is no waste that could be redealt",
                    hint="add a group [waste]",
                )
                return
            when = [f"{name} is empty", f"{waste} is not empty"]
            add = None
            if redeals != "unlimited":
                self.counters["redeals"] = {
                    "cap": redeals,
                    "why": "times the waste has been redealt",
                }
                when.append(f"redeals < {redeals}")
                add = {"redeals": 1}
            take = {"take": "all", "from": waste, "to": name, "turned": True, "face": "down"}
            self._rule((name, "redeals"), "redeal", verb="redeal", when=when, steps=[take], add=add)

    def _waste(self, name: str, group: dict[str, Any]) -> None:
        self._deal(name, group)
        if "build" in group:
            feeders = group.get("from", self._of_role("tableau", "reserve", "cell"))
            self._rule(
                (name, "build"), f"build on {name}", from_=feeders, to=f"occupied {name}",
                build=group["build"], when=group.get("when"),
            )  # fmt: skip

    def _hand(self, name: str, group: dict[str, Any]) -> None:
        self._deal(name, group)
        if "lays_off" in group:
            self._rule((name, "lays_off"), "lay off", from_=name, to=group["lays_off"])


def _listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _is_nothing(space: str) -> bool:
    return space.split()[:1] in (["nothing"], ["no"], ["none"])


def _per_pile(value: Any, piles: int) -> list[int]:
    return [value] * piles if isinstance(value, int) else list(value)


def _unit_of(moves: str, build: Any) -> str | None:
    """The ``cards`` phrase of a tableau's ``moves``; ``None`` for single cards."""
    words = moves.split()
    if words[:1] == ["packets"]:
        return "a packet"
    if words == ["sequences"]:
        return "a sequence " + " or else ".join(_listed(build))
    if words[:1] == ["sequences"]:
        return "a sequence " + " ".join(words[1:])
    return None if words in (["single", "cards"], ["one", "card"]) else moves


def _join(
    rounds: list[tuple[str, int, list[str]]],
) -> list[tuple[str, tuple[int, int], list[str]]]:
    """Joins equal rounds that follow each other: (face, (rounds, cards a visit), piles)."""
    joined: list[tuple[str, tuple[int, int], list[str]]] = []
    for face, number, to in rounds:
        if joined and joined[-1][0] == face and joined[-1][1][1] == number and joined[-1][2] == to:
            joined[-1] = (face, (joined[-1][1][0] + 1, number), to)
        else:
            joined.append((face, (1, number), to))
    return joined
