"""Readable dumps of all stages, so that tests show changes of the compiler as changes of text.

:func:`dump_document` writes the tables after the variants are applied, :func:`dump_rulebook` the
core rules with every name resolved, and :func:`dump_program` the tables of the program in words:
masks as names of cards and piles, relations as "on 5C: 4:DH".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from cadogan.rules.compile.program import Program
from cadogan.rules.rulebook.asks import Along
from cadogan.rules.rulebook.condition import Condition
from cadogan.rules.rulebook.group import PileSet
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.rulebook import Rulebook
from cadogan.rules.rulebook.words import ALL_CARDS, JOKER, RANKS, SUITED, SUITS, CardClass


def dump_document(data: Mapping[str, Any]) -> str:
    """Writes the tables of a document: one line for each value, with its path.

    >>> print(dump_document({"name": "A", "garden": {"deal": [1, 2]}}), end="")
    name = 'A'
    garden.deal.0 = 1
    garden.deal.1 = 2
    """
    return "".join(f"{'.'.join(path)} = {value!r}\n" for path, value in _leaves(data, ()))


def _leaves(value: Any, path: tuple[str, ...]) -> Iterable[tuple[tuple[str, ...], Any]]:
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _leaves(inner, (*path, str(key)))
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from _leaves(inner, (*path, str(index)))
    else:
        yield path, value


# -- the rulebook ----------------------------------------------------------------------------------


def dump_rulebook(book: Rulebook) -> str:
    """Writes a rulebook; default values are left out."""
    return _Book(book).text()


class _Book:
    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.names = [*book.pile_names, "pack"]

    def text(self) -> str:
        lines: list[str] = []
        for field in fields(self.book):
            value = getattr(self.book, field.name)
            if field.name in ("deck", "preset") or (field.name == "coverings" and not value):
                continue
            lines += self._field(field.name, value, "")
        lines.append(f"deck: {_cards_in_order(self.book.deck)}")
        for card, pile in self.book.preset:
            lines.append(f"preset: {_card(card)} on {self.names[pile]}")
        return "\n".join(lines) + "\n"

    def _field(self, name: str, value: Any, indent: str) -> list[str]:
        name = name.removesuffix("_")
        if name == "source_pile":
            value = self.names[value]
        elif name == "along" and not isinstance(value, str):
            return self._along(value, indent)
        elif name == "from" and isinstance(value, tuple):
            lanes = {lane.text: "" for lane in value}
            for lane in value:
                lanes[lane.text] += f" {self._piles(lane.piles)}"
            if all(len(lane.piles) == 1 for lane in value):
                flat = [pile for lane in value for pile in lane.piles]
                value = self._piles(flat)
            else:
                value = "; ".join(f"{text!r} ={piles}" for text, piles in lanes.items())
        elif name == "picture":
            value = {place: self.names[pile] for place, pile in value.items()}
        elif name == "ranks":
            value = " ".join(RANKS[rank] for rank in value)
        elif name == "suits":
            value = " ".join(SUITS[suit] for suit in value)
        elif name == "wants":
            value = " ".join(_mask(mask) for mask in value)
        elif name == "prefer" and value is not None:
            value = self.names[value]
        elif name in ("counter", "base") and isinstance(value, int):
            value = self.book.counters[value].name if self.book.counters else value
        short = self._short(value)
        if short is not None:
            return [f"{indent}{name}: {short}"]
        if isinstance(value, tuple):
            lines = [f"{indent}{name}:"]
            for item in value:
                lines += self._item(item, f"{indent}  ")
            return lines
        return [f"{indent}{name}: {type(value).__name__}", *self._inside(value, f"{indent}  ")]

    def _item(self, item: Any, indent: str) -> list[str]:
        short = self._short(item)
        if short is not None:
            return [f"{indent}- {short}"]
        title = getattr(item, "name", None) or getattr(item, "kind", None) or type(item).__name__
        return [f"{indent}- {title}", *self._inside(item, f"{indent}    ", "name", "kind")]

    def _inside(self, value: Any, indent: str, *without: str) -> list[str]:
        lines: list[str] = []
        for field in fields(value):
            inner = getattr(value, field.name)
            if field.name not in without and inner != field.default:
                lines += self._field(field.name, inner, indent)
        return lines

    def _short(self, value: Any) -> str | None:
        """A value that fits on one line."""
        if isinstance(value, PileSet):
            return f"{value.text!r} = {self._piles(value.piles)}"
        if isinstance(value, CardClass):
            return f"{value.text!r} = {_mask(value.mask)}"
        if isinstance(value, Relation):
            return " / ".join(repr(text) for text in value.texts)
        if isinstance(value, Condition):
            return self._condition(value)
        if isinstance(value, tuple) and not any(is_dataclass(item) for item in value):
            return ", ".join(str(item) for item in value) or "none"
        if is_dataclass(value) or isinstance(value, tuple):
            return None
        return str(value)

    def _condition(self, condition: Condition) -> str:
        parts = [repr(condition.text), "=", condition.kind]
        if condition.kind == "counter":
            parts += [self.book.counters[condition.counter].name, condition.compare]
        if condition.kind in ("counter", "vacant", "filled", "holds"):
            parts.append(str(condition.number))
        if condition.kind == "holds":
            parts.insert(-1, condition.compare)
        if condition.kind == "sums":
            parts.append(str(condition.number))
        if condition.kind == "ordered":
            parts += [*filter(None, [condition.along]), f"by {condition.number}"]
            parts += ["joined"] * condition.joined
        if condition.cards is not None:
            parts.append(_mask(condition.cards.mask))
        if condition.piles is not None:
            parts.append(f"of {self._piles(condition.piles.piles)}")
        parts += [f"rule {self.book.rules[rule].name!r}" for rule in condition.rules]
        return " ".join(parts)

    def _along(self, along: Along, indent: str) -> list[str]:
        """Sources with equal targets (except themselves) share a line."""
        lines = [] if along.text is None else [f"{indent}along: {along.text}"]
        everywhere: dict[tuple[int, ...], list[int]] = {}
        union = {pile for targets in along.targets.values() for pile in targets}
        for source, targets in along.targets.items():
            full = set(targets) | ({source} & union) == union
            everywhere.setdefault((-1,) if full else targets, []).append(source)
        if list(everywhere) == [(-1,)]:
            return lines
        lines.append(f"{indent}targets:")
        for targets, sources in everywhere.items():
            rendered = "all" if targets == (-1,) else self._piles(targets)
            lines.append(f"{indent}  {self._piles(sources)} > {rendered}")
        return lines

    def _piles(self, piles: Sequence[int]) -> str:
        return _named_piles(piles, self.names)


# -- the program -----------------------------------------------------------------------------------


def dump_program(program: Program) -> str:
    """Writes a program with its masks in words."""
    data = program.data
    names = [pile["name"] for pile in data["piles"]]
    lines = [
        f"format {data['format']}, digest {program.digest}",
        f"deck: {_cards_in_order(data['deck'])}",
        f"source: {names[data['source_pile']]}",
    ]
    lines += [f"preset: {_card(p['card'])} on {names[p['pile']]}" for p in data["preset"]]
    lines += ["", "piles (class, capacity, build order):"]
    for pile in data["piles"]:
        order = "-" if pile["build_order"] is None else pile["build_order"]
        ways = [_named_piles(_bits(int(way, 16)), names) for way in pile.get("open_when", ())]
        opened = f", open when {' or '.join(ways)} are vacant" if ways else ""
        lines.append(f"  {pile['name']}: {pile['class']}, {pile['capacity']}, {order}{opened}")
    for index, relation in enumerate(data["relations"]):
        lines += ["", f"relation {index}:", *_relation(relation)]
    for index, order in enumerate(data["build_orders"]):
        wants = " ".join(_mask(int(mask, 16)) for mask in order["wants"])
        rest = {key: value for key, value in order.items() if key != "wants"}
        lines += ["", f"build order {index}: {wants}", f"  {_pairs(rest, names)}"]
    for key in ("counters", "layout", "aim"):
        lines += ["", f"{key}:"]
        lines += [f"  {_pairs(entry, names)}" for entry in data[key]]
    if "score" in data:
        lines += ["", "score:", f"  {data['score']}"]
    for index, rule in enumerate(data["rules"]):
        lines += ["", f"rule {index}: {rule['name']}"]
        lines.append(f"  {'forced' if rule['forced'] else 'free'} during {rule['during']}")
        lines += [f"  when {_pairs(condition, names)}" for condition in rule["when"]]
        lines += _action(rule["action"], names)
        lines += [f"  effect {_pairs(effect, names)}" for effect in rule["effects"]]
    return "\n".join(lines) + "\n"


def _relation(rows: Sequence[str]) -> list[str]:
    """The cards that may lie on each card; cards with equal rows share a line."""
    rendered: dict[str, int] = {}
    for card, row in enumerate(rows):
        mask, own = int(row, 16), sum(1 << (rank * 4 + card % 4) for rank in range(13))
        ranks = "".join(RANKS[rank] for rank in range(13) if mask >> (rank * 4 + card % 4) & 1)
        if mask:
            words = f"{ranks} of its suit" if mask & own == mask else _mask(mask)
            rendered[words] = rendered.get(words, 0) | 1 << card
    return [f"  on {_mask(cards)}: {words}" for words, cards in rendered.items()]


def _action(action: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    if action["kind"] == "script":
        return [f"  step {_pairs(step, names)}" for step in action["steps"]]
    if action["kind"] == "joint":
        lines = [f"  part {_pairs(part, names)}" for part in action["together"]]
        rest = {key: value for key, value in action.items() if key != "together"}
        return [f"  {_pairs(rest, names)}", *lines]
    plain = {k: v for k, v in action.items() if k not in ("along", "yields_to", "cards")}
    lines = [f"  {_pairs(plain, names)}"]
    if "cards" in action:
        lines.append(f"  cards {_pairs(action['cards'], names)}")
        rows: dict[int, list[int]] = {}
        everything = sum(1 << pile for pile in action["to"])
        for source, targets in zip(action["from"], action["along"], strict=True):
            row = int(targets, 16)
            others = row | 1 << source == everything | 1 << source
            rows.setdefault(everything if others else row, []).append(source)
        for row, sources in rows.items():
            rendered = "all others" if row == everything else _named_piles(_bits(row), names)
            lines.append(f"  {_named_piles(sources, names)} > {rendered}")
        for source, others in zip(action["from"], action["yields_to"], strict=True):
            if int(others, 16):
                rendered = _named_piles(_bits(int(others, 16)), names)
                lines.append(f"  {names[source]} yields to {rendered}")
    return lines


_CARD_MASKS = ("cards", "which", "space")
_PILE_LISTS = ("from", "to", "piles")
_PILE = ("pile", "of", "prefer", "overflow")


def _pairs(table: Mapping[str, Any], names: Sequence[str]) -> str:
    """A table on one line, masks and piles in words."""
    parts = []
    for key, value in table.items():
        rendered = str(value)
        if isinstance(value, dict):
            rendered = f"({_pairs(value, names)})"
        elif key == "ways" and value and isinstance(value[0], dict):
            rendered = "; ".join(f"({_pairs(way, names)})" for way in value)
        elif key == "ways":
            ways = (" ".join(_mask(int(mask, 16)) for mask in way) for way in value)
            rendered = "; ".join(ways)
        elif key in ("conditions", "sides"):
            rendered = "; ".join(f"({_pairs(each, names)})" for each in value)
        elif key in ("takes", "cards") and isinstance(value, list):
            rendered = " ".join(_mask(int(mask, 16)) for mask in value)
        elif isinstance(value, list) and value and isinstance(value[0], str):
            rendered = "; ".join(_named_piles(_bits(int(mask, 16)), names) for mask in value)
        elif key == "pairs":
            rendered = ", ".join(f"{names[a]} with {names[b]}" for a, b in value)
        elif key in ("piles", "than", "exchange", "turn_up", "until", "from") and isinstance(
            value, str
        ):
            rendered = _named_piles(_bits(int(value, 16)), names)
        elif key in _CARD_MASKS and isinstance(value, str):
            rendered = _mask(int(value, 16))
        elif isinstance(value, list) and key in _PILE_LISTS:
            rendered = _named_piles(value, names)
        elif isinstance(value, int) and not isinstance(value, bool):
            rendered = names[value] if key in (*_PILE, "from", "to") else str(value)
        parts.append(f"{key}={rendered}")
    return " ".join(parts)


# -- words -----------------------------------------------------------------------------------------


def _card(card: int) -> str:
    return "JO" if card == JOKER else RANKS[card // 4] + SUITS[card % 4]


def _cards_in_order(cards: Iterable[int]) -> str:
    counts: dict[int, int] = {}
    for card in cards:
        counts[card] = counts.get(card, 0) + 1
    numbers = set(counts.values())
    if len(numbers) == 1:
        times = f"{numbers.pop()} x " if numbers != {1} else ""
        return times + _mask(sum(1 << card for card in counts))
    return " ".join(f"{number}x{_card(card)}" for card, number in counts.items())


def _mask(mask: int) -> str:
    """A set of cards: ``any``, ``none``, or ranks with their suits (``A K:DH``)."""
    if mask in (ALL_CARDS, SUITED):
        return "any"
    rows: dict[str, list[str]] = {}
    for rank in range(13):
        suits = "".join(SUITS[suit] for suit in range(4) if mask >> (rank * 4 + suit) & 1)
        if suits:
            rows.setdefault(suits, []).append(RANKS[rank])
    parts = [
        "".join(ranks) + ("" if len(suits) == 4 else f":{suits}") for suits, ranks in rows.items()
    ]
    if mask >> JOKER & 1:
        parts.append("JO")
    return ",".join(parts) or "none"


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def _named_piles(piles: Sequence[int], names: Sequence[str]) -> str:
    """Names of piles; neighbours of one group are written as a range: ``garden.1-6``."""
    runs: list[list[int]] = []
    for pile in piles:
        group = names[pile].rpartition(".")[0]
        if (
            runs
            and group
            and pile == runs[-1][-1] + 1
            and names[runs[-1][0]].startswith(f"{group}.")
        ):
            runs[-1].append(pile)
        else:
            runs.append([pile])
    rendered = []
    for run in runs:
        first, last = names[run[0]], names[run[-1]]
        rendered.append(first if len(run) == 1 else f"{first}-{last.rpartition('.')[2]}")
    if len(rendered) > 12 and len(set(rendered)) < len(rendered):
        rendered = [f"{rendered.count(name)}x{name}" for name in dict.fromkeys(rendered)]
    return " ".join(rendered) or "none"


__all__ = ["dump_document", "dump_program", "dump_rulebook"]
