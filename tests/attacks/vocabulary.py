"""What can be said in rules files, collected from where it is written.

No phrase stands here: values come from the schema (its choices, limits and examples), from all
games of the catalogue, and from the examples and tables of the manual. So the fuzzer knows a new
key or phrase as soon as it is documented.

The names that a value refers to are replaced by slots, so that it can be used in another game:
``"top of waste is a queen"`` becomes ``"top of {waste} is a queen"``.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import BaseModel

from cadogan.rules import catalogue
from cadogan.rules.rulebook.words import parse_class
from cadogan.rules.validate.role_keys import role_of
from cadogan.rules.validate.schema import (
    AddedRuleShape,
    ChangeShape,
    CounterShape,
    GroupShape,
    HeaderShape,
    PartShape,
    RouteShape,
    RuleShape,
    ScoreShape,
    StepShape,
    group_names,
)
from cadogan.storage import CATALOGUE

Table = dict[str, Any]
Shape = type[BaseModel]

MANUAL: Final = Path(__file__).parents[2] / "docs" / "language.md"

SHAPES: Final[Sequence[Shape]] = (
    *(HeaderShape, GroupShape, RuleShape, AddedRuleShape, ChangeShape, StepShape, RouteShape),
    *(PartShape, CounterShape, ScoreShape),
)

PHRASES: Final[Mapping[str, Sequence[str]]] = {
    "Classes of cards": ("which", "space", "cards"),
    "So many cards": ("start", "without"),
    "Rules of building": ("build",),
    "Names of piles": ("from", "to"),
    "Conditions": ("when", "aim", "deals_when"),
    "Units of cards": ("cards",),
    "Rules of your own": ("match",),
    "Scripts": ("take",),
    "Cards that cover cards": (),  # Their tables have keys and values.
    "What cards leave behind": (),
    "Places beside each other": ("along",),
}
"""The keys whose values the phrases in the tables of a section of the manual are."""

TEXTS: Final = frozenset(
    {"name", "names", "why", "source", "history", "remarks", "version", "picture", "verb", "mark"}
    | {"core"}
)
"""Keys whose values mean nothing or depend on each other: they are not collected."""

_WORDS: Final = re.compile(r"'[^']*'|(?:rows|columns) (?:of|in)\b|[a-z][a-z0-9-]*(?:\.\d+)?")


class Value(NamedTuple):
    """A value with slots, and where it comes from: ``"schema"``, ``"catalogue"``, ``"manual"``."""

    value: Any
    source: str


def keys(shape: Shape) -> list[str]:
    """The keys of a table of a shape."""
    return [field.alias or name for name, field in shape.model_fields.items()]


def tables(value: Any) -> list[Table]:
    """The tables in a list of tables."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def places(doc: Table) -> list[tuple[Table, Shape]]:
    """Every table of a document, with its shape."""
    found: list[tuple[Table, Shape]] = [(doc, HeaderShape)]
    found += [(doc[name], GroupShape) for name in group_names(doc)]
    rules = tables(doc.get("rule"))
    _add_rules(rules, RuleShape, found)
    found += [(step, StepShape) for step in tables(doc.get("layout"))]
    for step in tables(doc.get("layout")):
        found += [(route, RouteShape) for route in tables(step.get("route"))]
    if isinstance(doc.get("score"), dict):
        found.append((doc["score"], ScoreShape))
    counters = doc.get("counters")
    if isinstance(counters, dict):
        found += [(counter, CounterShape) for counter in tables(list(counters.values()))]
    variants = doc.get("variants")
    for variant in tables(list(variants.values()) if isinstance(variants, dict) else None):
        found.append((variant, HeaderShape))
        found += [(variant[name], GroupShape) for name in group_names(_plain(variant))]
        _add_rules(tables(variant.get("change")), ChangeShape, found)
        _add_rules(tables(variant.get("add")), AddedRuleShape, found)
    return found


def _plain(variant: Table) -> Table:
    return {key: value for key, value in variant.items() if key not in ("change", "add", "drop")}


def _add_rules(rules: list[Table], shape: Shape, found: list[tuple[Table, Shape]]) -> None:
    for rule in rules:
        found.append((rule, shape))
        for step in tables(rule.get("steps")):
            found.append((step, StepShape))
            found += [(route, RouteShape) for route in tables(step.get("route"))]
        found += [(part, PartShape) for part in tables(rule.get("together"))]


# -- slots -----------------------------------------------------------------------------------------


_KEYS: Final = frozenset(key for shape in SHAPES for key in keys(shape))


def _map(value: Any, change: Callable[[str], str]) -> Any:
    """A value in which every text is changed, also those that are keys of tables."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_map(item, change) for item in value]
    if isinstance(value, dict):
        return {
            key if key in _KEYS else change(key): item if key in TEXTS else _map(item, change)
            for key, item in value.items()
        }
    return value


@cache
def _is_class(word: str) -> bool:
    try:
        parse_class(word)
    except ValueError:
        return False
    return True


class Names(NamedTuple):
    """The names that values of a document refer to."""

    groups: Mapping[str, str]
    """The groups, with their roles."""
    counters: frozenset[str]

    @classmethod
    def of(cls, doc: Table) -> "Names":
        """The names of a document."""
        counters = doc.get("counters")
        named = set(counters) if isinstance(counters, dict) else set()
        # An example that is part of a game need not declare what it changes.
        for rule in tables(doc.get("rule")):
            for key in ("set", "add", "count"):
                named |= rule.get(key, {}).keys()
        return cls(
            {name: str(role_of(name, doc[name])) for name in group_names(doc)}, frozenset(named)
        )

    def slotted(self, value: Any) -> Any:
        """A value with slots for the names in it."""
        return _map(value, lambda text: _WORDS.sub(self._slot, text))

    def _slot(self, match: re.Match[str]) -> str:
        word = match[0]
        if word.startswith("'"):
            return "{rule}"
        name, _, number = word.partition(".")
        if name in self.groups and (number or not _is_class(name)):
            return f"{{{'pile' if number else 'group'} {self.groups[name]}}}"
        return "{counter}" if name in self.counters else word


def filled(value: Any, fill: Callable[[str], str]) -> Any:
    """A value whose slots are filled: the function gets what stands between the braces."""
    return _map(value, lambda text: re.sub(r"\{([a-z ]+)\}", lambda slot: fill(slot[1]), text))


# -- sources ---------------------------------------------------------------------------------------


@cache
def manual_examples() -> Sequence[Table]:
    """The examples of the manual, whole games and parts of games."""
    text = MANUAL.read_text(encoding="utf-8")
    examples = re.findall(r"^```toml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [tomllib.loads(example) for example in examples]


@cache
def games() -> Sequence[Table]:
    """The games of the catalogue."""
    texts = [(CATALOGUE / f"{game}.toml").read_text(encoding="utf-8") for game in catalogue()]
    return [tomllib.loads(text) for text in texts]


def _from_documents(docs: Sequence[Table], extra: Names) -> Iterator[tuple[Shape, str, Any, Names]]:
    for doc in docs:
        own = Names.of(doc)
        names = Names({**extra.groups, **own.groups}, extra.counters | own.counters)
        for table, shape in places(doc):
            known = keys(shape)
            for key, value in table.items():
                if key in known:
                    yield shape, key, value, names


def sections() -> dict[str, str]:
    """The sections of the manual, by their headings."""
    text = MANUAL.read_text(encoding="utf-8")
    pattern = r"^#{2,4} ([^\n]+)\n(.*?)(?=^#{2,4} |\Z)"
    return {match[1]: match[2] for match in re.finditer(pattern, text, re.MULTILINE | re.DOTALL)}


def manual_tables(section: str) -> Iterator[list[list[str]]]:
    """The tables of a section of the manual, row by row, the heading first."""
    for block in re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE):
        rows = [re.split(r"(?<!\\) \| ", row.strip("| ")) for row in block.splitlines()]
        yield [rows[0], *rows[2:]]


def _codes(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def _read(key: str, code: str) -> Any:
    """What a piece of code in the manual says, if it is a value."""
    try:
        return tomllib.loads(f"{key} = {code}")[key]
    except tomllib.TOMLDecodeError:
        return None


def _from_tables() -> Iterator[tuple[str, Any]]:
    """The keys and values in the tables and the text of the manual, with names in place."""
    for heading, section in sections().items():
        for code in _codes(re.sub(r"^```.*?^```", "", section, flags=re.MULTILINE | re.DOTALL)):
            key, equals, value = code.partition(" = ")
            if equals and key in _KEYS and (said := _read(key, value)) is not None:
                yield key, said
        for head, *rows in manual_tables(section):
            titles = _codes(head[0])
            for row in rows:
                first = _codes(row[0])
                if head[0] == "Phrase" or head[0] == "Number":
                    said = [code for code in first if code.partition(" = ")[0] not in _KEYS]
                    values = [
                        number if (number := _read("a", code)) is not None else code
                        for code in said
                    ]
                    yield from ((key, value) for key in PHRASES[heading] for value in values)
                    continue
                codes = first if titles else _codes(" ".join(row[1:]))
                for key in titles or first:
                    values = [_read("a", code) for code in codes]
                    yield from ((key, value) for value in values if value is not None)


def _from_schema() -> Iterator[tuple[Shape, str, Any]]:
    for shape in SHAPES:
        properties = shape.model_json_schema(by_alias=True)["properties"]
        for key, about in properties.items():
            for part in (about, *about.get("anyOf", ())):
                choices = part.get("enum", [part["const"]] if "const" in part else [])
                if part.get("type") == "boolean":
                    choices = [True, False]
                if part.get("type") == "integer":
                    choices = [part.get(limit) for limit in ("minimum", "maximum")]
                yield from ((shape, key, value) for value in choices if value is not None)
            for example in re.findall(r'"([^"]+)"', about.get("expects", "")):
                if "..." not in example and not example.isupper():
                    yield shape, key, example


def place(shape: Shape, key: str) -> tuple[str, str]:
    """Where the values of a key are: what is said of rules is said of all of them."""
    rule = issubclass(shape, RuleShape) and key in keys(RuleShape)
    return (RuleShape if rule else shape).__name__, key


@cache
def vocabulary() -> Mapping[tuple[str, str], Sequence[Value]]:
    """The values with slots, by the name of the shape and the key."""
    found: dict[tuple[str, str], dict[str, Value]] = {}

    def add(shape: Shape, key: str, value: Any, source: str, names: Names) -> None:
        if key not in TEXTS:
            slotted = value if key == "role" else names.slotted(value)
            known = found.setdefault(place(shape, key), {})
            known.setdefault(repr(slotted), Value(slotted, source))

    docs = manual_examples()
    said = [Names.of(doc) for doc in docs]
    written = Names(
        {name: role for names in said for name, role in names.groups.items()},
        frozenset(name for names in said for name in names.counters),
    )
    for key, value in _from_tables():
        for shape in SHAPES:
            if key in keys(shape):
                add(shape, key, value, "manual", written)
    for shape, key, value, names in _from_documents(docs, written):
        add(shape, key, value, "manual", names)
    for shape, key, value in _from_schema():
        add(shape, key, value, "schema", written)
    for shape, key, value, names in _from_documents(games(), Names({}, frozenset())):
        add(shape, key, value, "catalogue", names)
    return {where: list(values.values()) for where, values in found.items()}


@cache
def rules() -> Sequence[Table]:
    """The rules of the catalogue and of the manual, with slots."""
    return [
        names.slotted(rule)
        for doc in (*games(), *manual_examples())
        for names in (Names.of(doc),)
        for rule, shape in places(doc)
        if shape in (RuleShape, AddedRuleShape)
    ]
