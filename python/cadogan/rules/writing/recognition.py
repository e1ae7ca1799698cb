"""Finds the answers that describe a game that is there already.

The answers are found by trying: group by group, those are taken with which the group is written as
the game has it. So nothing stands here of what a choice means, and a game is recognized only if all
of its rules are those that are written.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final

from cadogan.rules.faults.report import Report
from cadogan.rules.files import read_rules_file, resolve, split_name
from cadogan.rules.read.read import read_document
from cadogan.rules.source.reading import Reading
from cadogan.rules.validate.role_keys import role_of
from cadogan.rules.validate.schema import HEADER_KEYS
from cadogan.rules.validate.variants import overlay
from cadogan.rules.writing.answers import Answers
from cadogan.rules.writing.choice import AnswersError
from cadogan.rules.writing.choices import CHOICES, MOST_PILES
from cadogan.rules.writing.rules_file import rules_data, rules_file

_LISTS: Final = (
    "name", "names", "source", "remarks", "version", "packs", "core", "family", "aliases", "kin",
    "book", "history", "variants", "picture",
)  # fmt: skip
"""Keys of the head that no choice is about."""
_NAMES: Final = {
    "foundation": "foundations",
    "tableau": "tableau",
    "cell": "cells",
    "reserve": "reserve",
    "stock": "stock",
    "waste": "waste",
}
"""What groups are called in a file that is written from choices."""
_ASIDE: Final = ("role", "mark", "dealt")
"""Keys of groups that change nothing but names and the order of the deal."""
_DEFAULTS: Final = {
    "moves": "single cards",
    "plays": "free",
    "redeals": 0,
    "shown": "all",
    "shuffled": False,
    "takes": "cards",
    "worrying_back": False,
}
"""What keys of groups say that may be left out."""
_PARTS: Final = (
    ("tableau", ("build", "moves"), ("suits", "direction", "corner", "moves")),
    ("stock", None, ("stock", "at-a-time", "empty-waste", "redeals", "shuffle")),
    (
        "foundations",
        None,
        (
            "foundations",
            "base",
            "laid-out",
            "foundation-direction",
            "foundation-suits",
            "worrying-back",
        ),
    ),
    ("tableau", ("space", "refill", "to_bottom"), ("space", "refill", "to-bottom")),
)
"""Groups, the keys of them that are compared, and the choices that decide on them."""


def answers_of(game: str) -> dict[str, str] | None:
    """Finds answers for a game.

    Args:
        game: Its name, also with variants, or the path of a rules file without errors.

    Returns:
        The answers that differ from the defaults, without a name; ``None`` if choices cannot say
        the rules of the game.

    Raises:
        UnknownGameError: If there is no such game.

    >>> answers_of("freecell")
    {'reserves': '4'}
    >>> answers_of("golf") is None
    True
    """
    base, chosen = split_name(resolve(game))
    source, shown, slug = read_rules_file(base)
    document = read_document(source, shown)
    reading = overlay(Reading(slug, chosen, document.data), Report(document))
    wanted = _normal(reading.data)
    given = None if wanted is None else _numbers(wanted)
    if wanted is None or given is None:
        return None
    for group, keys, choices in _PARTS:
        for more in _attempts(choices):
            try:
                made = _normal(rules_data(Answers(given | more)))
            except AnswersError:
                continue
            if made is not None and _part(made, group, keys) == _part(wanted, group, keys):
                given |= more
                break
        else:
            return None
    # Without a stock, the numbers of cards can often be left out.
    shorter = {key: answer for key, answer in given.items() if key != "face-up"}
    return next((found for found in (shorter, given) if _is_written(found, wanted)), None)


def _is_written(given: Mapping[str, str], wanted: dict[str, Any]) -> bool:
    """Whether these answers fit together and give the game."""
    try:
        rules_file(given)
    except AnswersError:
        return False
    return _normal(rules_data(Answers(given))) == wanted


def _attempts(choices: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """All answers to some choices, without those that are the default; the defaults first."""
    values = []
    for key in choices:
        choice = CHOICES[key]
        answers = choice.values or tuple(map(str, range(choice.least, choice.most + 1)))
        values.append((choice.default, *(each for each in answers if each != choice.default)))
    for combination in product(*values):
        pairs = zip(choices, combination, strict=True)
        yield {key: answer for key, answer in pairs if answer != CHOICES[key].default}


def _numbers(wanted: Mapping[str, Any]) -> dict[str, str] | None:
    """The answers that are numbers, which can be read from the groups."""
    tableau, reserve = wanted.get("tableau"), wanted.get("cells") or wanted.get("reserve")
    piles = 0 if reserve is None else reserve["piles"]
    if tableau is None or max(tableau["piles"], piles) > MOST_PILES or "foundations" not in wanted:
        return None
    given = {"packs": str(wanted["packs"]), "piles": str(tableau["piles"]), "reserves": str(piles)}
    given["face-down"] = " ".join(map(str, tableau["deal_down"]))
    given["face-up"] = " ".join(map(str, tableau["deal"]))
    if reserve is not None:
        given["reserve-deal"] = " ".join(map(str, reserve["deal"]))
        given["capacity"] = "1" if "cells" in wanted else "0"
        given["reserve-hidden"] = "yes" if reserve.get("shown") == "top" else "no"
    usual = {key: choice.default for key, choice in CHOICES.items()}
    given = {key: _shorter(answer) for key, answer in given.items()}
    return {key: answer for key, answer in given.items() if answer != usual[key]}


def _shorter(answer: str) -> str:
    numbers = answer.split()
    return numbers[0] if len({*numbers}) == 1 else answer


def _part(data: Mapping[str, Any], group: str, keys: tuple[str, ...] | None) -> Any:
    part = data.get(group)
    return part if keys is None or part is None else {key: part.get(key) for key in keys}


def _normal(data: Mapping[str, Any]) -> dict[str, Any] | None:
    """Data in one form; ``None`` if no choices give a game of this kind."""
    normal: dict[str, Any] = {"packs": data.get("packs", 1)}
    for key, value in data.items():
        if key in _LISTS or (key == "counters" and _is_base(value)):
            continue
        if key in HEADER_KEYS or not isinstance(value, dict):
            normal[key] = value
            continue
        name = _NAMES.get(role_of(key, value) or "")
        if name is None or name in normal:
            return None
        group = {
            inner: entry
            for inner, entry in value.items()
            if inner not in _ASIDE and entry != _DEFAULTS.get(inner)
        }
        piles = group.setdefault("piles", 1)
        if name == "tableau":
            built = group.get("build") != "nothing"
            group.setdefault("space", "any card" if built else "nothing")
        if name in ("tableau", "cells", "reserve"):
            for cards in ("deal_down", "deal"):
                number = group.get(cards, 0)
                group[cards] = number if isinstance(number, list) else [number] * piles
            if not all(isinstance(number, int) for number in group["deal"] + group["deal_down"]):
                return None
        normal[name] = group
    return normal


def _is_base(counters: Any) -> bool:
    """Whether the only counter is the base, which foundations have anyway."""
    return isinstance(counters, dict) and set(counters) == {"base"}
