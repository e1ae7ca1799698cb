"""The meaning of each role, one function per role.

A function reads one group and adds to a :class:`Draft` the core rules, steps of the layout and
counters that the keys of the group stand for. Faulty keys have been removed from the group before,
and are treated as missing.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cadogan.i18n.text import gettext
from cadogan.rules.expand.dealing import deal_steps
from cadogan.rules.faults.report import Report, nearest, one_of
from cadogan.rules.rulebook.base import UNKNOWN, Base
from cadogan.rules.rulebook.step import PACK
from cadogan.rules.source.span import Path
from cadogan.rules.source.values import listed, paths
from cadogan.rules.validate.schema import MAX_CARDS

_AVAILABLE = ("tableau", "reserve", "cell", "waste", "hand")


@dataclass
class Draft:
    """Core rules under construction.

    Attributes:
        groups: The groups as written, by name.
        roles: Their roles; groups with an unknown role are missing.
        report: Receives the faults.
        rules: Core rules, each with its origin and the origins of its parts.
        steps: Steps of the layout, each with its origin.
        picks: Steps of the layout that come before all others, each with its origin.
        counters: Counters by name.
        dealt: The number of cards dealt so far.
        written: Whether the file has a layout of its own.
    """

    groups: dict[str, dict[str, Any]]
    roles: dict[str, str]
    report: Report
    rules: list[tuple[dict[str, Any], Path, dict[Path, Path]]] = field(default_factory=list)
    steps: list[tuple[dict[str, Any], Path]] = field(default_factory=list)
    picks: list[tuple[dict[str, Any], Path]] = field(default_factory=list)
    counters: dict[str, Any] = field(default_factory=dict)
    dealt: int = 0
    written: bool = False

    def of_role(self, *roles: str) -> list[str]:
        """The groups with these roles, in the order of the file."""
        return [name for name, role in self.roles.items() if role in roles]

    @property
    def source(self) -> str:
        """The pile from which cards are dealt."""
        return next(iter(self.of_role("stock")), PACK)

    def rule(
        self, home: Path, name: str, /, origins: dict[Path, Path] | None = None, **keys: Any
    ) -> None:
        """Adds a rule; keys without a value are left out.

        Args:
            home: The key that it comes from.
            name: Its name.
            origins: The origins of its parts; a key that the group also has needs none.
            **keys: The keys of the rule.
        """
        rule: dict[str, Any] = {"name": name}
        for key, value in keys.items():
            if value is not None and value is not False:
                rule["from" if key == "from_" else key] = value
        group = self.groups[str(home[0])]
        places: dict[Path, Path] = {
            (key,): (home[0], key) for key, value in rule.items() if group.get(key) is value
        }
        self.rules.append((rule, home, places | (origins or {})))

    def deal(self, name: str) -> None:
        """Adds the steps that deal a group."""
        if self.dealt > MAX_CARDS:
            return
        for step, home in deal_steps(name, self.groups[name], self.source, self.report):
            self.steps.append((step, home))
            self.dealt += step.get("deal", 0)

    def refill(self, name: str) -> None:
        """Adds the rule that immediately fills the vacancies of a group."""
        group = self.groups[name]
        if "refill" in group:
            self.rule(
                (name, "refill"),
                f"{name} is refilled",
                forced=True,
                from_=group["refill"],
                to=f"vacant {name}",
                choose=group.get("choose"),
                face="up",
            )

    def close_up(self, name: str) -> None:
        """Adds the rule that closes the piles of a group up at once."""
        closes, _ = _closing(self.groups[name])
        deals = any("deals" in self.groups[stock] for stock in self.of_role("stock"))
        doubtful = any(self.report.is_faulty(stock, "deals") for stock in self.of_role("stock"))
        if closes == "at each deal" and not deals and not doubtful:
            self.report.error(
                "key-does-not-fit",
                (name, "closes"),
                gettext('"{name}" closes up at each deal, but no stock deals', name=name),
                hint=gettext('add deals = "1 to each of vacant {name}" to the stock', name=name),
            )
        if closes == "at once":
            self.rule(
                (name, "closes"),
                f"{name} closes up",
                forced=True,
                steps=[_close_up(name, self.groups[name])],
            )

    def turn_up(self, name: str) -> None:
        """Adds the rule that turns up the face-down cards of a group."""
        if "deal_down" in self.groups[name]:
            self.rule((name, "deal_down"), f"turn up {name}", forced=True, turn_up=name)


def base_counter(name: str, later: Sequence[str]) -> str:
    """The counter that holds the base rank of a group.

    Args:
        name: The group.
        later: All groups with one base that is not known before the deal; if there are several,
            each has a counter of its own.
    """
    return "base" if list(later) == [name] else f"base-{name}"


def _base_of(group: dict[str, Any]) -> Base | None:
    """The base of a group that is not known before the deal."""
    words = group.get("base")
    base = Base.read(words) if isinstance(words, str) else None
    # Where an order goes round, the card that lies there says how it goes on.
    return replace(base, own=True) if base is not None and "order" in group else base


def _add_base(draft: Draft, name: str, base: Base) -> str | None:
    """Adds what makes a base known.

    Returns:
        The counter that holds it; ``None`` if each foundation has a base of its own.
    """
    group = draft.groups[name]
    counter = None if base.own else _base_counter_of(draft, name)
    if counter is not None:
        why = "the rank on which the foundations begin"
        if counter != "base":
            why = f"the rank on which the {name.replace('-', ' ')} begin"
        keys = {"start": UNKNOWN, "cap": UNKNOWN} if base.chosen else {"cap": 12}
        draft.counters.setdefault(counter, {**keys, "why": why})
    if not base.chosen and not draft.written:
        _deal_base(draft, name, group, counter, every=base.every)
    elif "deal" in group or "deal_down" in group:
        draft.deal(name)
    if base.chosen and counter is not None:
        title = gettext(
            "a card that lies there from the beginning would not be the player's choice"
        )
        _report_begun(draft, name, title)
    if base.piles is not None and counter is not None:
        draft.rule(
            (name, "base"),
            f"choose the base of {name}",
            {("from",): (name, "base"), ("to",): (name, "base")},
            forced=True,
            when=f"{counter} = {UNKNOWN}",
            from_=[part.strip() for part in re.split(r",|\band\b", base.piles) if part.strip()],
            to=f"first vacant {name}",
            choose="card",
            set={counter: "its rank"},
        )
    return counter


def _base_counter_of(draft: Draft, name: str) -> str:
    later = [
        other
        for other, group in draft.groups.items()
        if (base := _base_of(group)) is not None and not base.own and base.of is None
    ]
    return base_counter(name, later)


def _report_begun(draft: Draft, name: str, title: str) -> None:
    """Reports keys that begin foundations whose first card something else decides."""
    for key in ("deal", "deal_down", "start"):
        if key in draft.groups[name]:
            draft.report.error(
                "key-does-not-fit",
                (name, key),
                title,
                key=True,
                hint=gettext('remove "{key}"', key=key),
                also=[((name, "base"), gettext("here"))],
            )


def _deal_base(
    draft: Draft, name: str, group: dict[str, Any], counter: str | None, *, every: bool
) -> None:
    """Deals the card, or the cards, that decide where the foundations of a group begin."""
    title = gettext('base = "dealt" already deals the first card to "{name}"', name=name)
    _report_begun(draft, name, title)
    if counter is None:
        draft.steps.append(({"deal": 1, "from": draft.source, "to": name}, (name, "base")))
        draft.dealt += group.get("piles", 1)
        return
    first = name if group.get("piles", 1) == 1 else f"{name}.1"
    draft.steps.append(({"deal": 1, "from": draft.source, "to": first}, (name, "base")))
    draft.steps.append(({"base": counter, "of": first}, (name, "base")))
    others = group.get("piles", 1) - 1
    if every and others:
        to = f"{name}.2" if others == 1 else f"{name}.2 to {others + 1}"
        pick = {"pick": f"cards of rank {counter}", "from": draft.source, "to": to}
        draft.steps.append((pick, (name, "base")))
        draft.dealt += others


def _base_of_another(draft: Draft, name: str, other: str) -> tuple[Base | None, str | None]:
    """The base that foundations share with another group, and the counter that holds it."""
    base = _base_of(draft.groups.get(other, {}))
    if base is None or base.own or base.of is not None:
        if not draft.report.is_faulty(other, "base"):
            draft.report.error(
                "not-a-foundation",
                (name, "base"),
                gettext('"{name}" has no base that becomes known after the deal', name=other),
                word=other,
                hint=gettext('say base = "dealt" or base = "chosen" there'),
            )
        return None, None
    return base, _base_counter_of(draft, other)


def _foundation(draft: Draft, name: str) -> None:
    group = draft.groups[name]
    base, counter = _base_of(group), None
    if base is not None and base.of is not None:
        draft.deal(name)
        base, counter = _base_of_another(draft, name, base.of)
    elif base is not None:
        counter = _add_base(draft, name, base)
    else:
        draft.deal(name)
    keys = ("build", "order", "takes")
    if not any(key in group or draft.report.is_faulty(name, key) for key in keys):
        draft.report.error(
            "missing-key",
            (name,),
            gettext('the foundation "{name}" does not say how it is built', name=name),
            key=True,
            hint=gettext('add base = "ace" and build = "up in suit"'),
            missing="build",
        )
    if group.get("takes", "cards") != "cards":
        _takes_sequences(draft, name, group)
        return
    feeders = group.get("from", draft.of_role(*_AVAILABLE))
    if "from" not in group:
        # Cards that wait on foundations go up from there, too.
        feeders += [
            other
            for other in draft.of_role("foundation")
            if draft.groups[other].get("misplaced") == "wait"
        ]
    first = None
    if base is not None and base.chosen and base.piles is None and counter is not None:
        first = {counter: "its rank, once"}
    if feeders:
        draft.rule(
            (name, "from") if "from" in group else (name,),
            f"play to {name}",
            forced=group.get("plays") == "forced",
            from_=feeders,
            to=name,
            along=group.get("along"),
            choose=group.get("choose"),
            prefer=group.get("prefer"),
            when=group.get("when"),
            which=group.get("which"),
            beside=group.get("beside"),
            set=first,
        )
    if not group.get("worrying_back", "worrying_back_when" in group):
        return
    for other in draft.of_role("tableau"):
        build = draft.groups[other].get("build", "nothing")
        if build != "nothing":
            draft.rule(
                (name, "worrying_back"),
                f"return from {name} to {other}",
                origins={
                    ("build",): (other, "build"),
                    ("space",): (other, "space"),
                    ("when",): (name, "worrying_back_when"),
                },
                from_=name,
                to=other,
                build=build,
                space=draft.groups[other].get("space"),
                when=group.get("worrying_back_when"),
            )


def _takes_sequences(draft: Draft, name: str, group: dict[str, Any]) -> None:
    match = re.fullmatch(r"\s*complete\s+sequences?\s+(?P<build>.+?)\s*", group["takes"])
    if match is None:
        draft.report.error(
            "unknown-phrase",
            (name, "takes"),
            gettext('"{takes}" does not say what goes to a foundation', takes=group["takes"]),
            hint=gettext('say "cards" or "complete sequences down in suit"'),
        )
        return
    for key in ("build", "order", "suits"):
        if key in group:
            draft.report.error(
                "key-does-not-fit",
                (name, key),
                gettext('"{key}" does not fit a foundation that takes complete sequences', key=key),
                key=True,
                also=[((name, "takes"), gettext("it takes sequences"))],
            )
    feeders = group.get("from", draft.of_role("tableau"))
    if not feeders:
        return
    draft.rule(
        (name, "takes"),
        f"complete sequences go to {name}",
        forced=group.get("plays", "forced") == "forced",
        from_=feeders,
        to=f"vacant {name}",
        cards=f"a complete sequence {match['build']}",
        which=group.get("base"),
        when=group.get("when"),
    )


def _tableau(draft: Draft, name: str) -> None:
    group = draft.groups[name]
    draft.deal(name)
    draft.turn_up(name)
    draft.refill(name)
    draft.close_up(name)
    build = group.get("build")
    if build is None and not draft.report.is_faulty(name, "build"):
        draft.report.error(
            "missing-key",
            (name,),
            gettext('the tableau "{name}" does not say how it is built', name=name),
            key=True,
            hint=gettext('add build = "down in alternate colours", build = "nothing" and so on'),
            missing="build",
        )
    feeders = group.get("from", draft.of_role("tableau", "reserve", "cell", "waste"))
    beside = group.get("beside")
    space = group.get("space", "any card" if build != "nothing" and not beside else "nothing")
    if not feeders or (build == "nothing" and not beside and _is_nothing(space)):
        return
    target = f"vacant {name}" if build == "nothing" else name
    if _is_nothing(space) and not beside:
        target, space = f"occupied {name}", None
    cards = _unit_of(draft, name, build)
    runs = [f for f in listed(feeders) if _gives_runs(draft, f)] if cards else []
    keys = {
        "to": target,
        "along": group.get("along"),
        "build": build if build != "nothing" else None,
        "space": space if space != "any card" else None,
        "beside": beside,
        "when": group.get("when"),
        "longest": group.get("longest"),
    }
    if whole := _whole_piles(draft, name, group, feeders):
        draft.rule(
            (name, "moves"),
            f"move whole piles to {name}",
            _places(name, group, whole),
            from_=whole,
            cards="the whole pile",
            **keys,
        )
    if runs:
        as_built = group["moves"].split()[-1:] == ["sequences"]
        unit: Path = (name, "build" if as_built else "moves")
        draft.rule(
            (name, "moves"),
            f"build on {name} in sequence",
            _places(name, group, runs) | {("cards",): unit},
            from_=runs,
            cards=cards,
            uncovers=group.get("uncovers"),
            **keys,
        )
    elif "uncovers" in group and not draft.report.is_faulty(name, "moves"):
        draft.report.error(
            "key-does-not-fit",
            (name, "uncovers"),
            gettext('"uncovers" is for cards that move together'),
            key=True,
            hint=gettext('add moves = "sequences"'),
        )
    singles = [f for f in listed(feeders) if f not in runs]
    if singles:
        origins = _places(name, group, singles)
        draft.rule((name, "build"), f"build on {name}", origins, from_=singles, **keys)


def _gives_runs(draft: Draft, feeder: str) -> bool:
    """Whether sequences leave a group: a tableau, or a reserve whose key says so."""
    moves = str(draft.groups.get(feeder, {}).get("moves", "")).split()
    role = draft.roles.get(feeder)
    return role == "tableau" or (role == "reserve" and moves == ["sequences"])


def _whole_piles(
    draft: Draft, name: str, group: dict[str, Any], feeders: str | list[str]
) -> list[str]:
    """The groups of which whole piles move."""
    if group.get("moves", "").split() != ["whole", "piles"]:
        return []
    return [feeder for feeder in listed(feeders) if draft.roles.get(feeder) == "tableau"]


def _places(name: str, group: dict[str, Any], feeders: list[str]) -> dict[Path, Path]:
    """The places of some feeders of a group."""
    written = group.get("from")
    if isinstance(written, str):
        return {("from",): (name,), ("from", 0): (name, "from")}
    if written is None:
        return {}
    return {
        ("from", index): (name, "from", written.index(feeder))
        for index, feeder in enumerate(feeders)
    }


def _unit_of(draft: Draft, name: str, build: Any) -> str | None:
    """The ``cards`` of a tableau's ``moves``; ``None`` for single cards."""
    words = draft.groups[name].get("moves", "single cards").split()
    if words in (["single", "cards"], ["one", "card"], ["whole", "piles"]):
        return None
    if words == ["packets"]:
        return "a packet"
    whole = words[:2] == ["whole", "sequences"]
    if whole:
        words = words[1:]
    head = "the longest sequence" if whole else "a sequence"
    if words == ["sequences"] and build is None:
        return None
    if words == ["sequences"] and build != "nothing":
        return f"{head} " + " or else ".join(listed(build))
    if words[:1] == ["sequences"] and len(words) > 1:
        return f"{head} " + " ".join(words[1:])
    draft.report.error(
        "unknown-phrase",
        (name, "moves"),
        gettext('"{text}" does not say which cards move together', text=" ".join(words)),
        hint=gettext(
            'say "single cards", "sequences", "sequences down in suit", "whole sequences", '
            '"whole piles" or "packets"'
        ),
    )
    return None


def _reserve(draft: Draft, name: str) -> None:
    moves = draft.groups[name].get("moves", "single cards").split()
    if moves not in (["single", "cards"], ["sequences"]):
        draft.report.error(
            "unknown-phrase",
            (name, "moves"),
            gettext('"{text}" does not say which cards leave a reserve', text=" ".join(moves)),
            hint=gettext('say "single cards" or "sequences"'),
        )
    draft.deal(name)
    draft.turn_up(name)
    draft.refill(name)
    draft.close_up(name)


def _cell(draft: Draft, name: str) -> None:
    group = draft.groups[name]
    draft.deal(name)
    feeders = group.get("from", draft.of_role("tableau", "waste"))
    if feeders:
        home: Path = (name, "from") if "from" in group else (name,)
        draft.rule(
            home,
            f"keep in {name}",
            from_=feeders,
            to=f"vacant {name}",
            which=group.get("which"),
            when=group.get("when"),
        )


def _stock(draft: Draft, name: str) -> None:
    draft.deal(name)
    target = _stock_deals(draft, name) if "deals" in draft.groups[name] else None
    if draft.groups[name].get("redeals", 0):
        _stock_redeals(draft, name, target if draft.roles.get(target or "") == "waste" else None)
    elif "shuffled" in draft.groups[name] and not draft.report.is_faulty(name, "redeals"):
        draft.report.error(
            "key-does-not-fit",
            (name, "shuffled"),
            gettext('"shuffled" belongs to a stock with redeals'),
            key=True,
            hint=gettext('add redeals = 2 or redeals = "unlimited"'),
        )


def _stock_deals(draft: Draft, name: str) -> str | None:
    """Adds the rule that deals from the stock.

    Returns:
        The group that receives the cards, or ``None`` if the phrase is not understood.
    """
    group, report = draft.groups[name], draft.report
    phrase = group["deals"]
    match = re.fullmatch(
        r"\s*(?P<number>\d{1,3}(?:\s*,\s*then\s+\d{1,3})*)\s+to\s+(?P<each>each\s+(?:of\s+)?)?(?:the\s+)?"
        r"(?P<state>(?:vacant|occupied)\s+)?(?P<target>[\w-]+)\s*",
        phrase,
    )
    known = [f"{n} to {g}" for g in draft.of_role("waste", "hand") for n in (1, 3)]
    known += [f"1 to each of {g}" for g in draft.of_role("tableau")]
    quoted = [f'"{phrase}"' for phrase in known or _EXAMPLES]
    hint = gettext("say {choices}", choices=one_of(quoted))
    numbers = [int(number) for number in re.findall(r"\d+", match["number"])] if match else []
    if match is None or not all(1 <= number <= 104 for number in numbers):
        report.error(
            "unknown-phrase",
            (name, "deals"),
            gettext('"{phrase}" does not say how the stock is dealt', phrase=phrase),
            hint=hint,
        )
        return None
    target = match["target"]
    if target not in draft.roles:
        if not report.is_faulty(target):
            guess = nearest(target, draft.roles)
            report.error(
                "unknown-group",
                (name, "deals"),
                gettext('there are no piles called "{target}"', target=target),
                within=match.span("target"),
                hint=gettext('did you mean "{guess}"?', guess=guess) if guess else hint,
            )
        return None
    many: int | str = numbers[0]
    if len(numbers) > 1:
        many = f"{', then '.join(map(str, numbers))} by redeals"
        if group.get("redeals") != len(numbers) - 1 and not report.is_faulty(name, "redeals"):
            report.error(
                "key-does-not-fit",
                (name, "deals"),
                gettext(
                    "{number} numbers are for a stock that is gone through as often",
                    number=len(numbers),
                ),
                hint=gettext("say redeals = {number}", number=len(numbers) - 1),
            )
    if draft.roles[target] == "hand":
        draft.rule(
            (name, "deals"),
            "turn",
            {("when",): (name, "deals_when")},
            verb="turn",
            from_=name,
            to=f"vacant {target}",
            face="up",
            when=group.get("deals_when"),
        )
    else:
        to = f"{match['state'].strip()} {target}" if match["state"] else target
        closing = [other for other in draft.groups if _closes_by_deal(draft, other)]
        begins = [] if closing else [f"{name} is not empty"]
        up = {key: group[key] for key in ("goes_up", "replaced", "passes_over") if key in group}
        origins: dict[Path, Path] = {("steps", len(closing), key): (name, key) for key in up} | {
            ("when", len(begins) + place): where
            for place, (_, where) in enumerate(paths(group.get("deals_when"), (name, "deals_when")))
        }
        draft.rule(
            (name, "deals"),
            "deal",
            origins,
            verb="deal",
            when=[*begins, *listed(group.get("deals_when"))] or None,
            steps=[
                *(_close_up(other, draft.groups[other]) for other in closing),
                {"deal": many, "from": name, "to": to, **up},
            ],
        )
    return target


def _closes_by_deal(draft: Draft, name: str) -> bool:
    """Whether the piles of a group close up before each deal."""
    return _closing(draft.groups[name])[0] == "at each deal"


def _closing(group: dict[str, Any]) -> tuple[str, str]:
    """When the piles of a group close up, and in what: ``"rows"``, ``"columns"`` or ``""``."""
    when, _, lines = group.get("closes", "").partition(" in ")
    return when, lines


def _close_up(name: str, group: dict[str, Any]) -> dict[str, Any]:
    """The step that closes the piles of a group up."""
    _, lines = _closing(group)
    return {"close_up": name} | ({"along": lines} if lines else {})


_EXAMPLES = ("1 to waste", "3 to waste", "1 to hand", "1 to each of tableau")


def _stock_redeals(draft: Draft, name: str, waste: str | None) -> None:
    redeals = draft.groups[name]["redeals"]
    waste = waste or next(iter(draft.of_role("waste")), None)
    if waste is None:
        if not draft.report.is_faulty("waste"):
            draft.report.error(
                "redeal-without-waste",
                (name, "redeals"),
                gettext("the game has no waste to redeal"),
                hint=gettext("add a group [waste]"),
            )
        return
    shuffled = draft.groups[name].get("shuffled", False)
    when = [f"{name} is empty", f"{waste} is not empty"]
    add = None
    if redeals != "unlimited":
        own = draft.counters.get("redeals") or {}
        counter = {"cap": redeals, "why": "times the waste has been redealt"}
        draft.counters["redeals"] = {**counter, **own, "cap": redeals}
        when.append(f"redeals < {redeals}")
        add = {"redeals": 1}
    take = {"take": "all", "from": waste, "to": name, "turned": True, "face": "down"}
    steps = [take, {"shuffle": name}] if shuffled else [take]
    draft.rule((name, "redeals"), "redeal", verb="redeal", when=when, steps=steps, add=add)


def _waste(draft: Draft, name: str) -> None:
    group = draft.groups[name]
    draft.deal(name)
    if group.get("build", "nothing") != "nothing":
        draft.rule(
            (name, "build"),
            f"build on {name}",
            from_=group.get("from", draft.of_role("tableau", "reserve", "cell")),
            to=f"occupied {name}",
            build=group["build"],
            when=group.get("when"),
        )


def _hand(draft: Draft, name: str) -> None:
    draft.deal(name)
    if "lays_off" in draft.groups[name]:
        only = draft.of_role("hand") == [name]
        draft.rule(
            (name, "lays_off"),
            "lay off" if only else f"lay off {name}",
            from_=name,
            to=draft.groups[name]["lays_off"],
        )


BUILDERS: dict[str, Callable[[Draft, str], None]] = {
    "foundation": _foundation,
    "tableau": _tableau,
    "reserve": _reserve,
    "cell": _cell,
    "stock": _stock,
    "waste": _waste,
    "hand": _hand,
    "discard": Draft.deal,
}
"""The function for each role."""


def _is_nothing(space: str) -> bool:
    return space.split()[:1] in (["nothing"], ["no"], ["none"])
