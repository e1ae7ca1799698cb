"""Writes the rules file that some answers describe."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cadogan.i18n.text import gettext
from cadogan.rules.expand.write import write_rules
from cadogan.rules.writing import deal
from cadogan.rules.writing.answers import Answers
from cadogan.rules.writing.choice import AnswersError, Misfit

_HEADING: Final = ("Written from choices. Change what you like.",)
_IN_SUITS: Final = {
    "suit": " in suit",
    "alternate": " in alternate colours",
    "colour": " in colour",
    "another": " in another suit",
    "any": "",
}
_RANKS: Final = {
    "down": "down",
    "up": "up",
    "either": "up or down",
    "same-rank": "same rank",
}
_EXCLUDES: Final = {
    "suit": ("alternate", "another"),
    "alternate": ("suit", "colour"),
    "colour": ("alternate",),
    "another": ("suit",),
    "any": (),
    "nothing": ("suit", "alternate", "colour", "another", "any"),
}
"""For a way of building, the sequences that can never come about by it."""
_BASES: Final = {
    "dealt": "dealt",
    "chosen": "chosen",
    "each-dealt": "dealt, each its own",
    "each-chosen": "chosen, each its own",
}
_LAST_RANKS: Final = {
    ("ace", "up"): "kings",
    ("king", "up"): "queens",
    ("ace", "down"): "twos",
    ("king", "down"): "aces",
}
_CARDS: Final = 52


def rules_file(given: Mapping[str, str]) -> str:
    """Writes a rules file.

    Args:
        given: Answers, by the keys of their choices
            (:data:`cadogan.rules.writing.choices.CHOICES`); the others have their defaults.

    Returns:
        The text of a file without errors.

    Raises:
        AnswersError: If an answer is none of the possible ones, or some do not fit together.

    >>> print(rules_file({"name": "Four Fours", "piles": "13", "reserves": "0", "suits": "any"}))
    #:schema ./cadogan.schema.json
    # Written from choices. Change what you like.
    <BLANKLINE>
    name  = "Four Fours"
    packs = 1
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
    answers = Answers(given)
    misfits = [*_misfits(answers), *deal.misfits(answers)]
    if not misfits:
        misfits = _too_many_cards(answers)
    if misfits:
        raise AnswersError(misfits)
    return write_rules(rules_data(answers), _HEADING)


def rules_data(answers: Answers) -> dict[str, Any]:
    """The data of the rules file of some answers, which may make no sense together."""
    return _Rules(answers).data()


def _misfits(answers: Answers) -> Iterator[Misfit]:
    """Answers that do not fit together."""

    def pair(one: str, other: str) -> Misfit:
        text = gettext(
            "{one} does not fit {other}", one=answers.says(one), other=answers.says(other)
        )
        return Misfit((one, other), text)

    sequences = answers["foundations"] != "cards"
    if sequences:
        if answers.applies("direction") and answers["direction"] not in ("down", "up"):
            yield pair("foundations", "direction")
        if answers["foundations"] == "any-sequences" and not answers.yes("corner"):
            yield pair("foundations", "corner")
        if answers["foundation-suits"] in _EXCLUDES[answers["suits"]] and not (
            answers.applies("moves") and answers["moves"] == "spider"
        ):
            three = ("foundations", "foundation-suits", "suits")
            first, second, third = map(answers.says, three)
            text = gettext(
                "{one} and {other} do not fit {third}", one=first, other=second, third=third
            )
            yield Misfit(three, text)
    if answers["space"] == "before-base" and (sequences or answers["base"].startswith("each")):
        yield pair("space", "foundations" if sequences else "base")
    match answers["refill"], answers["stock"]:
        case ("reserve", _) if answers["reserves"] == "0":
            yield pair("refill", "reserves")
        case ("stock", "none"):
            yield pair("refill", "stock")
        case ("waste", stock) if stock != "waste":
            yield pair("refill", "stock")
    if answers.yes("worrying-back") and answers["suits"] == "nothing":
        yield pair("worrying-back", "suits")
    if answers["stock"] in ("occupied", "full") and not any(answers.numbers("face-up")):
        yield pair("face-up", "stock")
    if answers["stock"] == "reserve" and answers["reserves"] == "0":
        yield pair("stock", "reserves")
    if (
        answers["packs"] == "1"
        and answers["direction"] == "same-rank"
        and answers["suits"] == "suit"
    ):
        yield pair("direction", "suits")
    capacity = answers.number("capacity")
    lies_bare = not any(answers.numbers("reserve-deal")) and answers["stock"] != "reserve"
    if answers["reserves"] != "0" and capacity == 0 and lies_bare:
        yield pair("reserve-deal", "capacity")
    if 0 < capacity < max(answers.numbers("reserve-deal")) and answers["reserves"] != "0":
        yield pair("reserve-deal", "capacity")


def _too_many_cards(answers: Answers) -> list[Misfit]:
    """Whether more cards are dealt than there are."""
    rules = _Rules(answers)
    wanted, there = rules.dealt, rules.cards
    if wanted <= there:
        return []
    text = gettext(
        "{down} and {up} deal too many cards: {wanted} are dealt in all, but there are {there}",
        down=answers.says("face-down"),
        up=answers.says("face-up"),
        wanted=wanted,
        there=there,
    )
    choices = ("packs", "piles", "face-down", "face-up", "reserve-deal")
    return [Misfit(choices, text)]


class _Rules:
    """The data of a rules file, made from answers that fit together."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        packs, piles = answers.number("packs"), answers.number("reserves")
        self.foundation_piles = 4 * packs
        self.deal = deal.TableauDeal.of(answers)
        numbers = answers.numbers("reserve-deal")
        self.reserve = numbers if len(numbers) > 1 else numbers * piles
        started = {"dealt": 1, "each-dealt": self.foundation_piles}.get(answers["base"], 0)
        if answers.yes("laid-out"):
            started = self.foundation_piles
        self.cards = _CARDS * packs
        self.dealt = started + sum(self.reserve) + self.deal.cards

    def data(self) -> dict[str, Any]:
        """The data of the file."""
        answers = self.answers
        data: dict[str, Any] = {
            "name": str(answers["name"]),
            "packs": answers.number("packs"),
            "foundations": self.foundations(),
            "tableau": self.tableau(),
        }
        if answers["reserves"] != "0":
            data[self.reserve_name] = self.reserve_group()
        if answers["stock"] != "none":
            data["stock"] = self.stock()
        if answers["stock"] == "waste":
            data["waste"] = {}
        if self.redeals_count:
            why = "times the cards have been redealt"
            data["counters"] = {"redeals": {"cap": answers.number("redeals"), "why": why}}
        if rules := list(self.own_rules()):
            data["rule"] = rules
        return data

    def foundations(self) -> dict[str, Any]:
        answers = self.answers
        group: dict[str, Any] = {"piles": self.foundation_piles}
        suits = _IN_SUITS[answers["foundation-suits"]]
        if answers["foundations"] != "cards":
            direction = answers["direction"]
            corner = ""
            if answers["foundations"] == "sequences":
                group["base"] = {"down": "king", "up": "ace"}.get(direction, "")
            else:
                corner = ", round the corner"
            group["takes"] = f"complete sequences {direction}{suits}{corner}"
            return group
        base, direction = answers["base"], answers["foundation-direction"]
        if answers.yes("laid-out"):
            group["start"] = f"{base}s"
        group["base"] = _BASES.get(base, base)
        ends = (base, direction) in (("ace", "up"), ("king", "down"))
        group["build"] = f"{direction}{suits}{'' if ends else ', round the corner'}"
        if answers.yes("worrying-back"):
            group["worrying_back"] = True
        return group

    def tableau(self) -> dict[str, Any]:
        answers = self.answers
        group: dict[str, Any] = {"piles": answers.number("piles")}
        dealt = self.deal
        if answers["stock"] == "none":
            dealt = dealt.with_rest(self.cards - self.dealt)
        for key, numbers in (("deal_down", dealt.down), ("deal", dealt.up)):
            if any(numbers):
                group[key] = _one_or_all(numbers)
        if answers["to-bottom"] != "none":
            group["to_bottom"] = answers["to-bottom"]
        group["build"] = "nothing"
        if answers["suits"] != "nothing":
            group |= self.building()
        group["space"] = self.space()
        if (source := answers["refill"]) != "no":
            group["refill"] = self.reserve_name if source == "reserve" else source
        return group

    def building(self) -> dict[str, str]:
        answers = self.answers
        moves = answers["moves"]
        ranks, suits = _RANKS[answers["direction"]], _IN_SUITS[answers["suits"]]
        corner = ", round the corner" if answers.yes("corner") else ""
        if moves == "spider" and suits:
            return {
                "build": f"{ranks}{corner}",
                "moves": f"sequences {ranks}{suits}{corner}",
            }
        group = {"build": f"{ranks}{suits}{corner}"}
        if moves != "single":
            group["moves"] = "packets" if moves == "packets" else "sequences"
        return group

    def space(self) -> str:
        answers = self.answers
        if answers["space"] != "before-base":
            return {"any": "any card", "king": "kings", "ace": "aces"}.get(
                answers["space"], "nothing"
            )
        direction = answers["foundation-direction"]
        side = "below" if direction == "up" else "above"
        return _LAST_RANKS.get((answers["base"], direction), f"one rank {side} the base")

    @property
    def cells(self) -> bool:
        """Whether the reserve is free cells."""
        return self.answers["capacity"] == "1" and self.answers["stock"] != "reserve"

    @property
    def reserve_name(self) -> str:
        return "cells" if self.cells else "reserve"

    def reserve_group(self) -> dict[str, Any]:
        group: dict[str, Any] = {"piles": self.answers.number("reserves")}
        if any(self.reserve):
            group["deal"] = _one_or_all(self.reserve)
        if self.answers.yes("reserve-hidden"):
            group["shown"] = "top"
        return group

    def stock(self) -> dict[str, Any]:
        answers = self.answers
        group: dict[str, Any] = {}
        match answers["stock"]:
            case "waste":
                group["deals"] = f"{answers['at-a-time']} to waste"
                if answers.yes("empty-waste"):
                    group["deals_when"] = "waste is empty"
                if answers["redeals"] != "0":
                    many = answers["redeals"]
                    group["redeals"] = many if many == "unlimited" else int(many)
                if answers.yes("shuffle"):
                    group["shuffled"] = True
            case "tableau":
                group["deals"] = "1 to each of tableau"
            case "occupied":
                group["deals"] = "1 to each of occupied tableau"
            case "full":
                group["deals"] = "1 to each of tableau"
                group["deals_when"] = "no tableau is vacant"
            case "reserve":
                group["deals"] = "1 to each of reserve"
        return group

    @property
    def gathers(self) -> bool:
        """Whether a redeal gathers piles, which the key of a stock does not."""
        return self.answers["redeals"] != "0" and self.answers["stock"] != "waste"

    @property
    def redeals_count(self) -> bool:
        """Whether redeals need a counter; shuffles are counted anyway."""
        answers = self.answers
        return self.gathers and answers["redeals"] != "unlimited" and not answers.yes("shuffle")

    def own_rules(self) -> Iterator[dict[str, Any]]:
        """Rules that no role has."""
        answers = self.answers
        capacity = answers.number("capacity")
        if answers["reserves"] != "0" and capacity and not self.cells:
            yield {
                "name": "put into the reserve",
                "from": ["tableau", "waste"] if answers["stock"] == "waste" else "tableau",
                "to": "reserve",
                "to_holds": f"at most {capacity - 1}",
            }
        if answers["stock"] == "first":
            yield {
                "name": "deal",
                "verb": "deal",
                "when": "stock is not empty",
                "steps": [{"deal": 1, "from": "stock", "to": "tableau.1"}],
            }
        if self.gathers:
            yield self.redeal()

    def redeal(self) -> dict[str, Any]:
        answers = self.answers
        piles = {"first": "tableau.1", "reserve": "reserve"}.get(answers["stock"], "tableau")
        when = ["stock is empty"]
        if answers["stock"] == "full":
            when.append("no tableau is vacant")
        rule: dict[str, Any] = {"name": "redeal", "verb": "redeal"}
        if answers["redeals"] != "unlimited":
            when.append(
                f"{'shuffles' if answers.yes('shuffle') else 'redeals'} < {answers['redeals']}"
            )
        rule["when"] = when if len(when) > 1 else when[0]
        if self.redeals_count:
            rule["add"] = {"redeals": 1}
        steps: list[dict[str, Any]] = [
            {"gather": piles, "to": "stock", "turned": True, "face": "down"},
            {"shuffle": "stock"},
            {"deal": 1, "from": "stock", "to": piles},
        ]
        rule["steps"] = steps if answers.yes("shuffle") else [steps[0], steps[2]]
        return rule


def _one_or_all(numbers: list[int]) -> int | list[int]:
    """One number for all piles, if they have the same."""
    return numbers[0] if len({*numbers}) == 1 else numbers
