"""Reads the rules of Solvitaire, a JSON object with some thirty keys, and writes a rules file.

Charlie Blake and Ian Gent's solver describes a game by what differs from its default game
(https://github.com/thecharlieblake/Solvitaire). The rules file that is written plays as that
program does, also where its play differs from the usual rules of the game.

    >>> print(rules_file('{"tableau piles": {"count": 13}}', "Spanish Patience"))
    #:schema ./cadogan.schema.json
    # The rules of Solvitaire for "Spanish Patience", translated.
    <BLANKLINE>
    name   = "Spanish Patience"
    source = "Solvitaire (Charlie Blake and Ian Gent)"
    packs  = 1
    <BLANKLINE>
    [foundations]
    piles = 4
    base  = "ace"
    build = "up in suit"
    <BLANKLINE>
    [tableau]
    piles = 13
    deal  = 4
    build = "down"
    space = "any card"
    <BLANKLINE>
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cadogan.rules import check_text
from cadogan.rules.expand.write import write_rules

_RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_RANK_WORDS: Final = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)
_SUIT_WORDS: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_BUILD: Final = {
    "any-suit": "down",
    "red-black": "down in alternate colours",
    "same-suit": "down in suit",
    "no-build": "nothing",
}
_MOST_PILES: Final = 120


class SolvitaireError(ValueError):
    """The rules cannot be read, or cannot be said in a rules file.

    The message is for people; each line is one fault.

    Attributes:
        faults: The faults.
    """

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class _Key:
    """What may stand for a key: one of some words, a number up to a limit, a truth, or a list."""

    default: Any
    words: tuple[str, ...] = ()
    most: int = 0

    def accepts(self, value: Any) -> bool:
        if isinstance(self.default, bool):
            return isinstance(value, bool)
        if isinstance(self.default, int):
            return type(value) is int and 0 <= value <= self.most
        if isinstance(self.default, list):
            return isinstance(value, list) and all(entry in self.words for entry in value)
        return value in self.words

    def wanted(self) -> str:
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, int):
            return f"a number from 0 to {self.most}"
        words = ", ".join(f'"{word}"' for word in self.words)
        if isinstance(self.default, list):
            return f"a list of some of {words}"
        return f"one of {words}"


_POLICIES: Final = tuple(_BUILD)
_SPACES: Final = (
    "any",
    "no-build",
    "kings",
    "auto-reserve-then-any",
    "auto-reserve-then-waste",
    "auto-waste-then-stock",
)
_GROUPS: Final = ("yes", "no", "whole-pile", "maximal-group", "partial-if-card-above-buildable")
_JUMPS: Final = tuple(f"{side}{number}" for side in "LR" for number in range(1, 53))
_KEYS: Final[Mapping[str, Mapping[str, _Key]]] = {
    "tableau piles": {
        "count": _Key(8, most=_MOST_PILES),
        "build policy": _Key("any-suit", _POLICIES),
        "spaces policy": _Key("any", _SPACES),
        "diagonal deal": _Key(False),
        "move built group": _Key("no", _GROUPS),
        "move built group policy": _Key("same-as-build", ("same-as-build", *_POLICIES)),
        "face up cards": _Key("all", ("all", "top")),
    },
    "foundations": {
        "present": _Key(True),
        "initial cards": _Key("none", ("none", "one", "all")),
        "base card": _Key("A", (*_RANKS, "random")),
        "removable": _Key(False),
        "complete piles": _Key(False),
        "only complete pile moves": _Key(False),
    },
    "hole": {
        "present": _Key(False),
        "base card": _Key("AS", ("random", *(rank + suit for rank in _RANKS for suit in "CDHS"))),
        "build loops": _Key(True),
    },
    "cells": {"count": _Key(0, most=52), "pre-filled": _Key(0, most=52)},
    "stock": {
        "size": _Key(0, most=104),
        "deal type": _Key("waste", ("waste", "tableau piles", "hole")),
        "deal count": _Key(1, most=104),
        "redeal": _Key(False),
    },
    "reserve": {"size": _Key(0, most=104), "stacked": _Key(False)},
    "accordion": {
        "size": _Key(0, most=52),
        "moves": _Key([], _JUMPS),
        "build policies": _Key([], ("same-rank", "same-suit", "red-black", "any-suit")),
    },
    "sequences": {
        "count": _Key(0, most=52),
        "direction": _Key("L", ("L", "R", "LR")),
        "build policy": _Key("same-suit", ("same-suit", "red-black", "any-suit")),
        "fixed suit": _Key(False),
    },
}
"""The keys of Solvitaire's rules, by section, with their default game."""
_HEAD: Final = {"max rank": _Key(13, most=13), "two decks": _Key(False)}


def rules_file(text: str, name: str) -> str:
    """Translates rules of Solvitaire.

    Args:
        text: The rules, as JSON.
        name: The name of the game, ``"Flower Garden"``.

    Returns:
        The text of a rules file.

    Raises:
        SolvitaireError: If the rules cannot be read or said; it lists all faults.
    """
    rules = complete_rules(text)
    translation = _Translation(rules, name)
    data = translation.translate()
    if translation.faults:
        raise SolvitaireError(translation.faults)
    heading = [f'The rules of Solvitaire for "{name}", translated.', *translation.remarks]
    written = write_rules(data, heading)
    report = check_text(written, name)
    if not report.ok:
        raise SolvitaireError(
            [f"these rules make no game: {fault.title}" for fault in report.errors]
        )
    return written


def complete_rules(text: str) -> dict[str, Any]:
    """Reads rules of Solvitaire, with the default for each key that is missing.

    Args:
        text: The rules, as JSON; other words may stand before and after.

    Returns:
        Each section with all its keys.

    Raises:
        SolvitaireError: If the rules cannot be read; it lists all faults.

    >>> complete_rules('{"cells": {"count": 4}}')["cells"]
    {'count': 4, 'pre-filled': 0}
    """
    try:
        # The program prints a sentence before and after the rules of a game.
        given = json.loads(text[max(0, text.find("{")) : text.rfind("}") + 1] or text)
    except (ValueError, RecursionError) as error:
        raise SolvitaireError([f"this is not JSON: {error}"]) from None
    if not isinstance(given, dict):
        raise SolvitaireError(["the rules of Solvitaire are a JSON object"])
    faults: list[str] = []
    rules: dict[str, Any] = {}

    def values(keys: Mapping[str, _Key], found: Any, where: str) -> dict[str, Any]:
        if not isinstance(found, dict):
            faults.append(f'"{where}" must be a JSON object')
            found = {}
        chosen = {key: found.get(key, wanted.default) for key, wanted in keys.items()}
        for key, value in chosen.items():
            if not keys[key].accepts(value):
                place = f'"{where}" "{key}"' if where else f'"{key}"'
                faults.append(f"{place} must be {keys[key].wanted()}")
        return chosen

    for section, keys in _KEYS.items():
        rules[section] = values(keys, given.get(section, {}), section)
        if isinstance(given.get(section), dict):
            faults += [
                f'"{section}" has no key "{key}"' for key in given[section].keys() - keys.keys()
            ]
    rules |= values(_HEAD, {key: given[key] for key in _HEAD if key in given}, "")
    faults += [
        f'the rules have no key "{key}"' for key in given.keys() - _KEYS.keys() - _HEAD.keys()
    ]
    if faults:
        raise SolvitaireError(sorted(faults))
    return rules


@dataclass(slots=True)
class _Translation:
    """A translation in progress.

    Attributes:
        rules: Solvitaire's rules, complete.
        name: The name of the game.
        faults: What cannot be said.
        remarks: Comments for the head of the file.
    """

    rules: dict[str, Any]
    name: str
    faults: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def translate(self) -> dict[str, Any]:
        """Returns the data of a rules file; it is of no use if there are faults."""
        rules = self.rules
        ends = [
            rules["hole"]["present"],
            rules["foundations"]["present"],
            rules["sequences"]["count"] > 0,
            rules["accordion"]["size"] > 0,
        ]
        if sum(ends) != 1:
            self.faults.append(
                "exactly one of foundations, hole, sequences and accordion must be present"
            )
            return {}
        data: dict[str, Any] = {
            "name": self.name,
            "source": "Solvitaire (Charlie Blake and Ian Gent)",
            "packs": self.packs,
        }
        if rules["max rank"] < 13:
            data["ranks"] = " ".join(_RANKS[: rules["max rank"]])
        if rules["accordion"]["size"]:
            return data | self.accordion()
        if rules["sequences"]["count"]:
            return data | self.gaps()
        if rules["hole"]["present"]:
            data["aim"] = f"{' and '.join(self.holders())} are empty"
            data["hole"] = self.hole()
        else:
            data["foundations"] = self.foundations()
        data["tableau"] = self.tableau()
        data |= self.others()
        if rule := list(self.own_rules()):
            data["rule"] = rule
        return data

    # ---- Sizes -------------------------------------------------------------------------------

    @property
    def packs(self) -> int:
        return 2 if self.rules["two decks"] else 1

    @property
    def base(self) -> str:
        base: str = self.rules["foundations"]["base card"]
        return base

    @property
    def turns_the_corner(self) -> bool:
        """Whether sequences go on beyond the ace."""
        return self.base != "A"

    def left(self) -> int:
        """How many cards are dealt to the tableau."""
        rules = self.rules
        cards: int = 4 * self.packs * rules["max rank"]
        cards -= rules["stock"]["size"] + rules["reserve"]["size"] + rules["cells"]["pre-filled"]
        if rules["hole"]["present"]:
            return cards - 1
        started = {"none": 0, "one": 1, "all": 4 * self.packs}
        return cards - started[rules["foundations"]["initial cards"]]

    def heights(self) -> list[int]:
        """How many cards each pile of the tableau gets, row by row."""
        piles = self.rules["tableau piles"]["count"]
        left = self.left()
        if left < 0 or (left and not piles):
            self.faults.append("these piles do not hold the whole pack")
            return [1]
        heights = [0] * piles
        if self.rules["tableau piles"]["diagonal deal"]:
            for row in range(piles):
                for pile in reversed(range(row, piles)):
                    if left:
                        heights[pile] += 1
                        left -= 1
        for index in range(left):
            heights[index % piles] += 1
        return heights

    # ---- Groups ------------------------------------------------------------------------------

    def foundations(self) -> dict[str, Any]:
        rules = self.rules["foundations"]
        first = rules["initial cards"]
        rank = "dealt" if self.base == "random" else _RANK_WORDS[_RANKS.index(self.base)]
        group: dict[str, Any] = {"piles": 4 * self.packs, "base": rank}
        corner = ", round the corner" if self.turns_the_corner else ""
        if rules["complete piles"]:
            group |= {"base": "king", "takes": "complete sequences down in suit", "plays": "free"}
            return group
        group["build"] = f"up in suit{corner}"
        if rules["only complete pile moves"]:
            self.remarks.append(
                'Solvitaire reads no key "only complete pile moves": cards go up one by one.'
            )
        if self.base == "random":
            if first != "one":
                self.faults.append('a "random" base card needs "initial cards" to be "one"')
        elif first == "all":
            group["start"] = f"{rank}s".replace("sixs", "sixes")
        elif first == "one":
            one = "the" if self.packs == 1 else "one"
            group["start"] = f"{one} {rank} of clubs"
        if rules["removable"] and not self.waits_for_waste:
            group["worrying_back"] = True
        return group

    def hole(self) -> dict[str, Any]:
        rules = self.rules["hole"]
        group: dict[str, Any] = {"role": "waste"}
        base: str = rules["base card"]
        if base == "random":
            group["deal"] = 1
        else:
            rank, suit = _RANK_WORDS[_RANKS.index(base[:-1])], _SUIT_WORDS[base[-1]]
            group["start"] = f"the {rank} of {suit}" if self.packs == 1 else f"one {rank} of {suit}"
        corner = ", round the corner" if rules["build loops"] else ""
        return group | {"build": f"up or down{corner}"}

    def holders(self) -> Iterator[str]:
        """The groups that must be empty in the end, if there is a hole."""
        yield "tableau"
        for section, group, size in (
            ("cells", "cells", "count"),
            ("reserve", "reserve", "size"),
        ):
            if self.rules[section][size]:
                yield group

    def tableau(self) -> dict[str, Any]:
        rules = self.rules["tableau piles"]
        group: dict[str, Any] = {"piles": rules["count"]}
        heights = self.heights()
        deal = heights
        if rules["face up cards"] == "top":
            down = [max(0, height - 1) for height in heights]
            group["deal_down"] = down[0] if len({*down}) == 1 else down
            deal = [min(1, height) for height in heights]
        group["deal"] = deal[0] if len({*deal}) == 1 else deal
        group["build"] = self.build(rules["build policy"])
        return group | self.moves() | self.space()

    def build(self, policy: str) -> str:
        phrase = _BUILD[policy]
        if policy == "no-build" or not self.turns_the_corner:
            return phrase
        if self.base == "random":
            return f"{phrase}, round the corner, never on the base"
        base = f"{_RANK_WORDS[_RANKS.index(self.base)]}s".replace("sixs", "sixes")
        return f"{phrase}, round the corner, never on {base}"

    @property
    def group(self) -> str:
        """Which cards of the tableau move together: a word of Solvitaire's."""
        rules = self.rules["tableau piles"]
        kind: str = rules["move built group"]
        return "no" if rules["build policy"] == "no-build" else kind

    @property
    def order(self) -> str:
        """The order of cards that move together."""
        rules = self.rules["tableau piles"]
        policy = rules["move built group policy"]
        return self.build(rules["build policy"] if policy == "same-as-build" else policy)

    @property
    def has_own_order(self) -> bool:
        """Whether cards that move together have another order than what is built."""
        return self.group != "no" and self.order != self.build(
            self.rules["tableau piles"]["build policy"]
        )

    @property
    def waits_for_waste(self) -> bool:
        """Whether nothing is laid on the tableau while it has a vacancy, but from the waste."""
        spaces: str = self.rules["tableau piles"]["spaces policy"]
        return spaces == "auto-reserve-then-waste"

    def moves(self) -> dict[str, Any]:
        """How cards of the tableau move together, if they do."""
        if self.group == "no" or (self.group == "yes" and self.has_own_order):
            return {}
        if self.has_own_order:
            # Rules of their own say what moves within the tableau.
            singles = [*self.sources(), *(["cells"] if self.rules["cells"]["count"] else [])]
            if not singles:
                self.faults.append("nothing is built but groups of another order")
            return {"from": [each for each in singles if each != "foundations"]}
        moves = "whole sequences" if self.group == "maximal-group" else "sequences"
        return {"moves": moves} | self.uncovers()

    def uncovers(self) -> dict[str, Any]:
        """What cards that move together may leave on their pile."""
        if self.group == "whole-pile":
            return {"uncovers": "nothing"}
        if self.group == "partial-if-card-above-buildable":
            return {"uncovers": ["no card of the sequence", "a card for foundations"]}
        return {}

    def space(self) -> dict[str, Any]:
        policy = self.rules["tableau piles"]["spaces policy"]
        if self.rules["tableau piles"]["build policy"] == "no-build":
            return {"space": "nothing"}
        # What a vacancy takes is sometimes said by rules of their own.
        own = "nothing" if self.fills_vacancies else "any card"
        if policy in ("any", "kings", "no-build"):
            return {"space": {"any": own, "no-build": "nothing"}.get(policy, policy)}
        if policy == "auto-waste-then-stock":
            if self.rules["stock"]["deal type"] != "waste" or not self.rules["stock"]["size"]:
                self.faults.append(f'"{policy}" needs a waste')
            return {"refill": ["waste", "stock"], "space": own}
        if not self.rules["reserve"]["size"]:
            self.faults.append(f'"{policy}" needs a reserve')
        if policy == "auto-reserve-then-any":
            return {"refill": "reserve", "space": own}
        # While there is a vacancy, the tableau takes nothing but a card from the waste.
        return {"refill": "reserve", "space": "nothing", "when": "no tableau is vacant"}

    @property
    def fills_vacancies(self) -> bool:
        """Whether other cards of the tableau may go to vacancies than to cards."""
        spaces = self.rules["tableau piles"]["spaces policy"]
        if self.group in ("no", "whole-pile") or self.has_own_order:
            return False
        if spaces == "auto-waste-then-stock":
            return True
        return self.group.startswith("partial") and spaces in ("any", "auto-reserve-then-any")

    def others(self) -> dict[str, Any]:
        """Cells, reserve, stock and waste."""
        rules, groups = self.rules, {}
        reserve, cells, stock = rules["reserve"], rules["cells"], rules["stock"]
        if reserve["size"] and reserve["stacked"]:
            groups["reserve"] = {"piles": 1, "deal": reserve["size"]}
        elif reserve["size"]:
            groups["reserve"] = {"piles": reserve["size"], "deal": 1}
        if cells["count"]:
            group: dict[str, Any] = {"piles": cells["count"]}
            filled, count = cells["pre-filled"], cells["count"]
            if filled > count:
                self.faults.append("more cells are filled than there are")
            elif filled:
                group["deal"] = 1 if filled == count else [1] * filled + [0] * (count - filled)
            group["from"] = ["tableau", *self.sources()]
            groups["cells"] = group
        if stock["size"]:
            to = {"waste": "waste", "hole": "hole", "tableau piles": "each of tableau"}
            number = stock["deal count"] if stock["deal type"] == "waste" else 1
            groups["stock"] = {"deals": f"{number} to {to[stock['deal type']]}"}
            if stock["redeal"] and stock["deal type"] == "waste":
                groups["stock"]["redeals"] = "unlimited"
            if stock["deal type"] == "waste":
                groups["waste"] = {}
            elif stock["deal type"] == "hole" and not rules["hole"]["present"]:
                self.faults.append('"deal type" "hole" needs a hole')
        return groups

    def sources(self) -> Iterator[str]:
        """Where the cells get cards from, apart from the tableau."""
        if self.rules["reserve"]["size"]:
            yield "reserve"
        if self.rules["stock"]["size"] and self.rules["stock"]["deal type"] == "waste":
            yield "waste"
        if self.rules["foundations"]["present"] and self.rules["foundations"]["removable"]:
            yield "foundations"

    def own_rules(self) -> Iterator[dict[str, Any]]:
        """Rules that no group has."""
        rules = self.rules["tableau piles"]
        spaces, build = rules["spaces policy"], self.build(rules["build policy"])
        if self.waits_for_waste and rules["build policy"] != "no-build":
            if self.rules["stock"]["size"] and self.rules["stock"]["deal type"] == "waste":
                yield {
                    "name": "cards of the waste, once the reserve is empty",
                    "from": "waste",
                    "to": "tableau",
                    "build": build,
                    "when": "reserve is empty",
                }
            if self.rules["foundations"]["removable"]:
                yield {
                    "name": "return from foundations",
                    "from": "foundations",
                    "to": "occupied tableau",
                    "build": build,
                    "when": "no tableau is vacant",
                }
        unit = "the longest sequence" if self.group == "maximal-group" else "a sequence"
        sequence = {"from": "tableau", "cards": f"{unit} {self.order}"}
        waiting = {"when": "no tableau is vacant"} if self.waits_for_waste else {}
        if self.has_own_order:
            # Several cards are laid only where they would go on in their own order.
            to = {"to": "occupied tableau", "build": self.order}
            name = "cards that move together"
            yield {"name": name, **sequence, **self.uncovers(), **to, **waiting}
            if spaces in ("any", "auto-reserve-then-any", "kings") and self.group != "whole-pile":
                kings = {"space": "kings"} if spaces == "kings" else {}
                name = "cards that move together to a vacancy"
                yield {"name": name, **sequence, "to": "vacant tableau", **kings}
        if not self.fills_vacancies:
            return
        if spaces != "auto-waste-then-stock":
            yield {"name": "a sequence fills a vacancy", **sequence, "to": "vacant tableau"}
        singles = [*self.sources()]
        singles += ["cells"] if self.rules["cells"]["count"] else []
        singles += ["tableau"] if self.group == "yes" else []
        if singles:
            yield {"name": "a card fills a vacancy", "from": singles, "to": "vacant tableau"}

    # ---- Other ends --------------------------------------------------------------------------

    def accordion(self) -> dict[str, Any]:
        """A row of piles that closes up."""
        rules, cards = self.rules["accordion"], 4 * self.packs * self.rules["max rank"]
        if rules["size"] > cards or not rules["moves"] or not rules["build policies"]:
            self.faults.append("an accordion needs cards, moves and build policies")
        row = {"role": "tableau", "piles": rules["size"], "deal": 1, "shown": "top"}
        groups: dict[str, Any] = {
            "aim": "only one row is occupied",
            "row": row | {"build": "nothing", "closes": "at once"},
        }
        if rules["size"] < cards:
            # The other cards have no part in the game.
            rest = {"role": "waste", "deal": cards - rules["size"], "shown": "none", "from": []}
            groups["rest"] = rest | {"build": "nothing"}
        groups["rule"] = [
            {
                "name": "put a pile on another",
                "from": "row",
                "to": "occupied row",
                "along": " or ".join(map(_neighbour, rules["moves"])),
                "cards": "the whole pile, by its top card",
                "build": [_TOUCHING[policy] for policy in rules["build policies"]],
            }
        ]
        return groups

    def gaps(self) -> dict[str, Any]:
        """Rows in which a card goes to a gap beside its neighbour."""
        rules, ranks = self.rules["sequences"], self.rules["max rank"]
        rows = rules["count"]
        places = 4 * self.packs * ranks
        if places % rows or places > _MOST_PILES:
            self.faults.append("the sequences must be of equal length")
            return {}
        # Solvitaire deals column by column, so that is how the places are numbered.
        numbers = [range(row + 1, places + 1, rows) for row in range(rows)]
        suits = _BUILD[rules["build policy"]].removeprefix("down")
        left = f"up{suits} of the left neighbour"
        right = f"down{suits} of the right neighbour"
        kings = f"{_RANK_WORDS[ranks - 1]}s"
        # From the right, what lies at the edge is of any suit.
        fixed = rules["fixed suit"] and rules["direction"] != "R"
        if fixed and (rows != 4 or self.packs > 1):
            self.faults.append("sequences of a fixed suit need four rows, one for each suit")
            return {}
        own: list[dict[str, Any]] = [
            {
                "name": "the aces leave gaps",
                "forced": True,
                "during": "layout",
                "from": ["heads", "field"] if fixed else "field",
                "to": "discard",
                "which": "aces",
            }
        ]
        shared = {"role": "tableau", "build": "nothing"}
        field: dict[str, Any] = {**shared, "mark": "C", "piles": places}
        from_left = rules["direction"] != "R"
        if rules["direction"] == "LR":
            to = {"to": "vacant field", "beside": right, "space": kings}
            own.append({"name": "fill a gap from the right", "from": "field", **to})
        if not fixed:
            picture = [" ".join(f"C{number}" for number in row) for row in numbers]
            beside, space = (left, "twos") if from_left else (right, kings)
            groups = {"field": field | {"deal": 1, "beside": beside, "space": space}}
            aim = "field"
        else:
            # The first place of each row is for the two of its suit.
            heads = {**shared, "mark": "H", "piles": 4, "space": "nothing"}
            field["piles"] = places - 4
            picture = [
                " ".join([f"H{row[0]}", *(f"C{number - 4}" for number in row[1:])])
                for row in numbers
            ]
            inner = {"beside": left, "space": "nothing", "from": ["heads", "field"]}
            groups = {"heads": heads, "field": field | inner}
            aim = "heads and field"
            own += [
                {
                    "name": f"the two of {suit} begins a row",
                    "which": f"the two of {suit}",
                    "from": ["heads", "field"],
                    "to": f"vacant heads.{row}",
                }
                for row, suit in enumerate(_ROWS, 1)
            ]
        data: dict[str, Any] = {
            "aim": f"rows of {aim} lie in order up{suits}",
            "picture": "\n".join(picture) + "\n",
        }
        if fixed:
            # No ace leaves before all cards are dealt.
            deals = [{"deal": 1, "from": "pack", "to": each} for each in ("heads", "field")]
            data["layout"] = [*deals, {"settle": True}]
        return data | groups | {"discard": {}, "rule": own}


_ROWS: Final = ("clubs", "hearts", "spades", "diamonds")
"""The suits of the four rows, if each has its own."""
_TOUCHING: Final = {
    "same-rank": "same rank",
    "same-suit": "any rank in suit",
    "red-black": "any rank in alternate colours",
    "any-suit": "any rank",
}
_DISTANCES: Final = ("", "second", "third", "fourth", "fifth", "sixth")


def _neighbour(jump: str) -> str:
    """The place to which a pile of an accordion jumps, ``"L3"``, in words."""
    side = {"L": "left", "R": "right"}[jump[0]]
    distance = int(jump[1:])
    if distance == 1:
        return f"the {side} neighbour"
    word = _DISTANCES[distance - 1] if distance <= len(_DISTANCES) else f"{distance}th"
    return f"the {word} to the {side}"
