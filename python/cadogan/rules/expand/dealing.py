"""Expands the keys of a group that say how it is dealt.

The cards of a group are dealt in rounds, one card to each pile in turn, face-down cards first; or
in packets, each pile all its cards at once. Equal consecutive rounds become one step.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

from cadogan.i18n.text import gettext
from cadogan.rules.faults.report import Report
from cadogan.rules.rulebook.words import NUMBERS
from cadogan.rules.source.span import Path
from cadogan.rules.source.values import paths
from cadogan.rules.validate.schema import MAX_CARDS


@dataclass(frozen=True)
class _Round:
    """Consecutive rounds that deal the same numbers of cards to the same piles."""

    face: str
    each: int
    to: tuple[str, ...]
    times: int = 1


def deal_steps(
    name: str, group: dict[str, Any], source: str, report: Report
) -> list[tuple[dict[str, Any], Path]]:
    """The steps of the layout that deal a group, each with the path of its key.

    Args:
        name: The group's name.
        group: The group as written.
        source: The pile from which the cards are dealt.
        report: Receives the faults.
    """
    piles = group.get("piles", 1)
    numbers: dict[str, list[int]] = {}
    for key in ("deal_down", "deal"):
        value = group.get(key, 0)
        numbers[key] = value if isinstance(value, list) else [value] * piles
        if len(numbers[key]) != piles:
            if not report.is_faulty(name, "piles"):
                report.error(
                    "wrong-count",
                    (name, key),
                    gettext(
                        '"{name}" has {count}, but here are {given} of cards',
                        name=name,
                        count=_piles(piles),
                        given=_numbers(len(numbers[key])),
                    ),
                    hint=gettext("give one number for each pile, or a single one for all"),
                )
            report.mark_faulty((name, key))
            return []
    down, up = numbers["deal_down"], numbers["deal"]
    cards = sum(down) + sum(up)
    if cards > MAX_CARDS:
        report.error(
            "too-few-cards",
            (name, "deal" if "deal" in group else "deal_down"),
            gettext(
                '{cards} cards are dealt to "{name}", more than any game has',
                cards=cards,
                name=name,
            ),
        )
        return []
    names = [name if piles == 1 else f"{name}.{index + 1}" for index in range(piles)]
    if group.get("dealt") == "in packets":
        rounds = _packets(name, names, down, up)
    else:
        rounds = _rounds(name, names, down, up)
    home: Path = (name, "deal" if "deal" in group else "deal_down")
    steps = []
    for one in _joined(rounds):
        step: dict[str, Any] = {
            "deal": one.each,
            "from": source,
            "to": one.to[0] if len(one.to) == 1 else list(one.to),
        }
        if one.times > 1:
            step["rounds"] = one.times
        if one.face == "down":
            step["face"] = "down"
        step |= {key: group[key] for key in ("apart", "goes_up", "replaced") if key in group}
        steps.append((step, home))
    if "to_bottom" in group:
        steps.append(({"to_bottom": group["to_bottom"], "of": name}, (name, "to_bottom")))
    return steps


_FIRST = re.compile(rf"\s*the\s+first\s+(?:(?P<number>{'|'.join(NUMBERS)})\s+)?(?P<cards>.+?)\s*")


def pick_steps(
    name: str, group: dict[str, Any], source: str, report: Report
) -> list[tuple[dict[str, Any], Path]] | None:
    """The steps that take the first cards of a class out of the pack: ``"the first two aces"``.

    Args:
        name: The group's name.
        group: The group as written.
        source: The pile that holds the pack.
        report: Receives the faults.

    Returns:
        The steps, each with the path of its key; ``None`` if ``start`` names no first cards.
    """
    piles = group.get("piles", 1)
    phrases = paths(group.get("start"), (name, "start"))
    matches = [(_FIRST.fullmatch(phrase), path) for phrase, path in phrases]
    if all(match is None for match, _ in matches):
        return None
    steps: list[tuple[dict[str, Any], Path]] = []
    laid = 0
    for match, path in matches:
        if match is None:
            report.error(
                "key-does-not-fit",
                path,
                gettext('"the first ..." cannot stand beside other cards that are laid out'),
                hint=gettext("give them a group of their own"),
            )
            continue
        many = NUMBERS.get(match["number"] or "", 1)
        to = [f"{name}.{laid + place + 1}" for place in range(many)] if piles > 1 else [name]
        one = {"pick": match["cards"], "from": source, "to": to[0] if len(to) == 1 else to}
        steps.append((one, path))
        laid += many
    if laid > piles and not report.is_faulty(name, "piles"):
        report.error(
            "wrong-count",
            (name, "start"),
            gettext(
                '"{name}" has {count}, but it starts with {number} cards',
                name=name,
                count=_piles(piles),
                number=laid,
            ),
        )
        return []
    return steps


def _packets(name: str, names: list[str], down: list[int], up: list[int]) -> list[_Round]:
    if len(set(up)) == 1 and not any(down):
        return [_Round("up", up[0], (name,))] if up[0] else []
    return [
        _Round(face, number, (pile,))
        for pile, below, above in zip(names, down, up, strict=True)
        for face, number in (("down", below), ("up", above))
        if number
    ]


def _rounds(name: str, names: list[str], down: list[int], up: list[int]) -> list[_Round]:
    if len(set(up)) == 1 and len(set(down)) == 1:
        return [_Round("down", 1, (name,))] * down[0] + [_Round("up", 1, (name,))] * up[0]
    rounds: list[_Round] = []
    for turn in range(max(d + u for d, u in zip(down, up, strict=True))):
        for pile, below, above in zip(names, down, up, strict=True):
            if turn >= below + above:
                continue
            face = "down" if turn < below else "up"
            if rounds and rounds[-1].face == face and pile not in rounds[-1].to:
                rounds[-1] = replace(rounds[-1], to=(*rounds[-1].to, pile))
            else:
                rounds.append(_Round(face, 1, (pile,)))
    return rounds


def _joined(rounds: list[_Round]) -> list[_Round]:
    joined: list[_Round] = []
    for one in rounds:
        last = joined[-1] if joined else None
        if last is not None and (last.face, last.each, last.to) == (one.face, one.each, one.to):
            joined[-1] = _Round(last.face, last.each, last.to, last.times + 1)
        else:
            joined.append(one)
    return joined


def _piles(number: int) -> str:
    return gettext("1 pile") if number == 1 else gettext("{number} piles", number=number)


def _numbers(number: int) -> str:
    return gettext("1 number") if number == 1 else gettext("{number} numbers", number=number)
