"""The schema of a rules file: its keys and the kinds of their values.

The models here, with the keys of the kinds of rule (:mod:`cadogan.rules.kinds`), are the one list
of keys. Three things are made of them: the errors of validation
(:mod:`cadogan.rules.validate.validate`), the help with misspelt keys, and the JSON Schema that
editors use (:func:`schema`). What the phrases mean is checked later (:mod:`cadogan.rules.check`).
"""

import json
from keyword import iskeyword
from typing import Annotated, Any, Literal
from uuid import NAMESPACE_OID, uuid5

from pydantic import BaseModel, ConfigDict, Field, create_model

from cadogan.rules.faults.report import one_of
from cadogan.rules.kinds import KINDS
from cadogan.rules.rulebook.families import BOOKS, FAMILIES
from cadogan.rules.rulebook.group import ROLES

MAX_PILES = 127
MAX_CARDS = 416
MAX_VARIANTS = 50
"""Each of them is checked, and each pair of them for whether they can be combined."""
MAX_PHRASE = 500
"""The largest length of a phrase; the longest of the catalogue has about 60 characters."""
MAX_NAME = 80
"""The largest length of a rule's name; names given by roles are shorter."""

Phrase = Annotated[str, Field(max_length=MAX_PHRASE)]
Phrases = Phrase | list[Phrase]
Title = Annotated[str, Field(min_length=1, max_length=80)]
Number = Annotated[int, Field(ge=0, le=MAX_CARDS)]
Side = Literal["top", "bottom"]
Face = Literal["up", "down", "keep"]
Choose = Literal["nothing", "card", "place", "any"]

_NUMBERS = "a number of cards, or a list with one for each pile"
_CONDITIONS = "a condition or a list of conditions"
_TRUTH = "true or false"
_SENTENCE = "a sentence"


class Shape(BaseModel):
    """A table of a rules file."""

    model_config = ConfigDict(extra="forbid", strict=True)


def _key(
    about: str, expects: str, default: Any = None, description: str = "", **limits: Any
) -> Any:
    """A key: what it is for, and what its value must be ("... must be ...")."""
    return Field(
        default=default,
        description=description or f"{about[:1].upper()}{about[1:]}: {expects}.",
        json_schema_extra={"expects": expects},
        **limits,
    )


class CounterShape(Shape):
    """A number that rules read and change."""

    start: int = _key(
        "its value when the layout begins", "a number from 0 to 65535", 0, ge=0, le=65535
    )
    cap: int = _key(
        "the value beyond which it does not grow", "a number from 0 to 65535", 65535, ge=0, le=65535
    )
    why: str = _key("what it counts", _SENTENCE, "")


Points = Annotated[int, Field(ge=-1000, le=1000)]


class ScoreShape(Shape):
    """The points of a game."""

    aim: Literal["most", "fewest"] = _key(
        "whether many points are good, or few", '"most" or "fewest"', "most"
    )
    start: int = _key(
        "the points at the beginning", "a number from -1000 to 1000", 0, ge=-1000, le=1000
    )
    won_from: int | None = _key(
        "the points from which a game counts as won",
        "a number from -10000 to 10000",
        ge=-10000,
        le=10000,
    )
    cards: dict[Phrase, Points] = _key(
        "points for each card in some piles", "a table of piles and numbers of points", {}
    )
    counters: dict[Phrase, Points] = _key(
        "points for the values of counters", "a table of counters and numbers of points", {}
    )
    in_order: dict[Phrase, Points] = _key(
        "points for each card that lies in order in its line",
        'a table such as { "rows of GROUP in order up in suit, from twos" = 1 }',
        {},
    )
    bonus: dict[Phrase, Points] = _key(
        "points for conditions that hold", "a table of conditions and numbers of points", {}
    )
    hands: dict[Phrase, Annotated[int, Field(ge=0, le=1000)]] | None = _key(
        "points for hands of cards in lines",
        "a table of hands at poker or cribbage and numbers of points from 0 to 1000",
    )
    lines: Phrase | None = _key("where the hands lie", 'a text such as "rows of GROUP"')
    starter: Phrase | None = _key("the card that counts with each hand at cribbage", "a pile")


class RouteShape(Shape):
    """The destination of a class of dealt cards."""

    cards: Phrase = _key("the cards that go this way", 'a class of cards such as "red cards"', ...)
    to: Phrases | None = _key("where they go first", "the piles whose first vacancy is filled")
    overflow: Phrase = _key(
        "where they go when none of those is vacant", "the pile that takes the rest", ...
    )


class StepShape(Shape):
    """One transfer of a script or of the layout."""

    deal: Annotated[int, Field(ge=1, le=MAX_CARDS)] | Phrase | None = _key(
        "deals cards, pile by pile",
        f'the number of cards a visit, from 1 to {MAX_CARDS}, or "up to 3"',
    )
    take: int | Phrase | None = _key(
        "takes cards from one pile to another", 'a number from 1 to 416, "all" or "3 * COUNTER"'
    )
    gather: Phrases | None = _key("takes up whole piles", "the piles, in the order of taking up")
    to_bottom: Phrase | None = _key(
        "cards that go to the bottom of their pile", 'a class of cards such as "kings"'
    )
    slip: Phrase | None = _key(
        "top cards that slip under their pile", 'a class of cards such as "kings"'
    )
    turn: Phrases | None = _key("turns all cards of piles up or down", "the piles")
    pick: Phrase | None = _key(
        "takes out the first card of a class", 'a class of cards such as "aces"'
    )
    route: list[RouteShape] | None = _key(
        "deals cards where their class belongs", "a list of { cards, to, overflow }"
    )
    close: Phrases | None = _key(
        "piles that get no more dealt cards while their partners are complete", "the piles"
    )
    close_up: Phrases | None = _key(
        "moves whole piles over the vacancies before them", "the piles, first to last"
    )
    base: Phrase | None = _key(
        "the counter that becomes the rank of a card", "the name of a counter"
    )
    shuffle: Phrase | None = _key("shuffles a pile; its cards lie face down then", "a pile")
    lay_out: Literal[True] | None = _key("lays the table out again as at the beginning", "true")
    settle: Literal[True] | None = _key("carries out the forced rules of the layout", "true")
    from_: Phrases | None = Field(
        None,
        alias="from",
        description="Where the cards come from: a pile.",
        json_schema_extra={"expects": "a pile"},
    )
    to: Phrases | None = _key(
        "where the cards go", 'a pile, or piles for a deal; "vacant", "occupied" before a name'
    )
    apart: Phrases | None = _key(
        "cards that are not dealt to one pile: such a card goes under the stock",
        'a rule of building such as "same rank"',
    )
    goes_up: Phrase | None = _key(
        "cards that go up instead of being dealt", 'a class of cards such as "aces"'
    )
    replaced: bool | None = _key("whether the next card is dealt in their place", _TRUTH)
    order: Literal["emptiest first"] | None = _key(
        "which pile gets the next card", '"emptiest first"'
    )
    passes_over: Phrase | None = _key(
        "piles that a deal passes over",
        '"piles that end in a sequence down in suit, from kings" or "piles that are ..."',
    )
    along: Literal["same place", "rows", "columns"] | None = _key(
        "which pile gives cards to which, or what closes up", '"same place", "rows" or "columns"'
    )
    leaving: Phrase | None = _key(
        "vacancies that a deal leaves", '"the first vacancy of each row" or "... of each column"'
    )
    except_: Phrase | None = Field(
        None,
        alias="except",
        description="Cards that are not gathered, because they lie in order.",
        json_schema_extra={"expects": 'a text such as "rows in order up in suit, from twos"'},
    )
    rounds: int = _key("how often a deal goes round", "a number from 1 to 416", 1, ge=1, le=416)
    face: Face | None = _key("how the cards lie afterwards", '"up", "down" or "keep"')
    end: Side | None = _key("the end that cards are taken from", '"top" or "bottom"')
    at: Side | None = _key("the end that cards are put at", '"top" or "bottom"')
    turned: bool | None = _key("whether cards are turned over as a block", _TRUTH)
    until: Phrases | None = _key(
        "goes on until these piles are filled", "the piles that stop the dealing"
    )
    when_complete: Phrases | None = _key(
        "the foundations that close the piles", "as many foundations as piles"
    )
    of: Phrases | None = _key(
        "the pile whose top card gives the base rank, or whose cards go to the bottom", "a pile"
    )


class PartShape(Shape):
    """One part of a joint move."""

    from_: Phrases = Field(
        ...,
        alias="from",
        description="The piles the part may come from.",
        json_schema_extra={"expects": "the piles it may come from"},
    )
    holds: Annotated[int, Field(ge=1, le=2)] | Literal["any number", "at least 2"] = _key(
        "how many cards the pile holds, all of which go",
        '1 or 2, or "any number" or "at least 2", of which the top card goes',
        1,
    )


class _EveryRuleShape(Shape):
    """What a rule has, whatever its kind."""

    name: str = _key(
        "its name", f"a text of 1 to {MAX_NAME} characters", ..., min_length=1, max_length=MAX_NAME
    )
    why: str = _key("its purpose, for the description of the rules", _SENTENCE, "")
    verb: str | None = _key(
        "the word for the move, if it leaves no choice",
        "one word of lower-case letters",
        pattern=r"^[a-z][a-z-]{0,29}$",
    )
    forced: bool = _key("whether it is automatic and comes before all else", _TRUTH, False)
    during: Literal["layout", "play", "always"] | None = _key(
        "when a forced rule is in force", '"layout", "play" or "always"'
    )
    when: Phrases | None = _key("what must hold for it to be used", _CONDITIONS)


def _kind_fields() -> dict[str, Any]:
    """The keys of all kinds of rule, as fields of a model."""
    fields: dict[str, Any] = {}
    for key in (key for kind in KINDS for key in kind.KEYS):
        name = f"{key.name}_" if iskeyword(key.name) else key.name
        alias = {"alias": key.name} if iskeyword(key.name) else {}
        field = _key(key.about, key.expects, description=key.description, **alias)
        fields[name] = (f"{key.takes} | None", field)
    return fields


class RuleShape(
    create_model(  # type: ignore[misc]  # mypy cannot follow a base that is made of data.
        "_KindShape", __base__=_EveryRuleShape, __module__=__name__, **_kind_fields()
    )
):
    """One rule: cards go from some piles to some piles."""

    set: dict[str, Number | Phrase] | None = _key(
        "counters that get a value", 'a table of counters and numbers up to 416, or "its rank"'
    )
    add: dict[str, Number | Phrase] | None = _key(
        "counters that grow", "a table of counters and numbers up to 416, or other counters"
    )
    points: Annotated[int, Field(ge=-416, le=416)] | Phrase | None = _key(
        "the points for each use of the rule", "a number from -416 to 416, or a counter"
    )


class AddedRuleShape(RuleShape):
    """A rule that a variant adds."""

    before: str | None = _key("the rule it comes before; else it is the last", "a rule's name")


class ChangeShape(RuleShape):
    """A rule that a variant changes."""

    name: str | None = _key(
        "its new name",
        f"a text of 1 to {MAX_NAME} characters",
        min_length=1,
        max_length=MAX_NAME,
    )
    rule: str = _key("the rule that is changed", "a rule's name", ...)


class GroupShape(Shape):
    """A group of piles."""

    role: Literal[ROLES] | None = _key(  # type: ignore[valid-type]
        "what its piles are for", one_of(f'"{role}"' for role in ROLES)
    )
    piles: int | None = _key(
        "how many piles; one if it is not said",
        f"a number from 1 to {MAX_PILES}",
        ge=1,
        le=MAX_PILES,
    )
    mark: str | None = _key(
        "what stands for it in the picture", "one to three letters", pattern=r"^[A-Za-z]{1,3}$"
    )
    shown: Literal["all", "top", "none"] | None = _key(
        "which cards the player may see", '"all", "top" or "none"'
    )
    covered: Phrase | None = _key("which places of the picture cover it", '"by the two below"')
    open: Phrase | None = _key(
        "which places of the picture must be vacant for its cards to be used",
        '"while the place below is vacant"',
    )
    holds: int | None = _key(
        "the most cards that a pile may hold", f"a number from 1 to {MAX_CARDS}", ge=1, le=MAX_CARDS
    )
    deal: Number | list[Number] | None = _key("cards dealt face up", _NUMBERS)
    deal_down: Number | list[Number] | None = _key("cards dealt face down before", _NUMBERS)
    dealt: Literal["in rounds", "in packets"] | None = _key(
        "in which order its cards are dealt", '"in rounds" or "in packets"'
    )
    to_bottom: Phrase | None = _key(
        "cards that go to the bottom of their pile after the deal",
        'a class of cards such as "kings"',
    )
    apart: Phrases | None = _key(
        "cards that are not dealt to one pile: such a card goes under the stock",
        'a rule of building such as "same rank"',
    )
    goes_up: Phrase | None = _key(
        "cards that go up instead of being dealt", 'a class of cards such as "aces"'
    )
    replaced: bool | None = _key("whether the next card is dealt in their place", _TRUTH)
    passes_over: Phrase | None = _key(
        "piles that a deal passes over",
        '"piles that end in a sequence down in suit, from kings" or "piles that are ..."',
    )
    start: Phrases | None = _key(
        "cards laid out before the deal, one on each pile",
        'cards such as "aces" or "one ace of each suit", or a list of them',
    )
    base: Phrase | None = _key(
        "where a foundation begins", 'a rank such as "ace", "dealt" or "chosen"'
    )
    misplaced: Literal["wait"] | None = _key(
        "what becomes of a card that does not begin its foundation", '"wait"'
    )
    which: Phrase | None = _key("the cards that may go up", 'a class of cards such as "red cards"')
    order: Phrase | None = _key("what a foundation takes, rank by rank", 'ranks such as "A 2 3 4"')
    suits: Literal["any", "one each"] | None = _key(
        "whether a suit may begin on several foundations", '"any" or "one each"'
    )
    build: Phrases | None = _key("what may lie on what", "a rule of building or a list of them")
    takes: Phrase | None = _key("what goes to a foundation", '"cards" or "complete sequences ..."')
    from_: Phrases | None = Field(
        None,
        alias="from",
        description="The piles that feed it.",
        json_schema_extra={"expects": "the piles that feed it"},
    )
    along: Phrase | None = _key(
        "which pile feeds which",
        '"same place" (the first the first, ...), "lines", or places such as "the left neighbour"',
    )
    plays: Literal["free", "forced"] | None = _key(
        "whether cards go up automatically", '"free" or "forced"'
    )
    choose: Choose | None = _key(
        "what the player chooses when it is forced", '"nothing", "card", "place" or "any"'
    )
    prefer: Phrase | None = _key("the pile whose equal card must be used first", "a pile")
    worrying_back: bool | None = _key("whether cards may return from the foundations", _TRUTH)
    worrying_back_when: Phrases | None = _key(
        "what must hold for cards to return from the foundations", _CONDITIONS
    )
    moves: Phrase | None = _key(
        "which cards move together",
        '"single cards", "sequences", "sequences ...", "whole sequences", "whole piles" '
        'or "packets"',
    )
    uncovers: Phrases | None = _key(
        "what sequences may leave on top of their pile",
        '"nothing", "no card of the sequence", "a card for foundations" or a class of cards',
    )
    longest: int | None = _key(
        "the most cards that a sequence may have",
        f"a number from 1 to {MAX_CARDS}",
        ge=1,
        le=MAX_CARDS,
    )
    space: Phrase | None = _key("the cards that a vacancy takes", 'a class such as "kings"')
    beside: Phrases | None = _key(
        "what a vacancy takes because of the cards beside it",
        'a phrase such as "up in suit of the left neighbour"',
    )
    refill: Phrases | None = _key("where a vacancy is filled from at once", "piles")
    closes: (
        Literal["at once", "at each deal", "at once in rows", "at once in columns"]
        | Literal["at each deal in rows", "at each deal in columns"]
        | None
    ) = _key(
        "when its piles close up over vacancies",
        '"at once", "at each deal", or one of them with "in rows" or "in columns"',
    )
    when: Phrases | None = _key("what must hold for it to be built on", _CONDITIONS)
    deals: Phrase | None = _key(
        "how the stock is dealt",
        '"1 to waste", "3 to waste", "1 to hand" or "1 to each of tableau"',
    )
    deals_when: Phrases | None = _key("what must hold for the stock to be dealt", _CONDITIONS)
    redeals: Annotated[int, Field(ge=0, le=999)] | Literal["unlimited"] | None = _key(
        "how often the waste becomes the stock again", 'a number from 0 to 999, or "unlimited"'
    )
    shuffled: bool | None = _key("whether the waste is shuffled before it is the stock", _TRUTH)
    lays_off: Phrase | None = _key("where the card of the hand is laid off", "a waste")


class HeaderShape(Shape):
    """The head of a rules file."""

    name: str = _key(
        "the game's name", "a text of 1 to 80 characters", ..., min_length=1, max_length=80
    )
    names: dict[str, str] = _key(
        "its names in other languages", "a table of languages and names", {}
    )
    aliases: list[Title] = _key(
        "other titles of the game, in any language",
        "a list of texts of 1 to 80 characters",
        [],
        max_length=20,
    )
    family: Literal[tuple(FAMILIES)] | None = _key(  # type: ignore[valid-type]
        "the family of games that it belongs to", 'a family such as "klondike"'
    )
    kin: list[Title] = _key("games that are like it", "a list of names of games", [], max_length=10)
    book: Literal[tuple(BOOKS)] | None = _key(  # type: ignore[valid-type]
        "the book on whose shelf it stands", 'a book such as "lady-cadogan"'
    )
    source: str = _key(
        "a reference for the rules", "a text of at most 400 characters", "", max_length=400
    )
    history: str = _key(
        "where the game comes from, as far as its source says",
        "a text of at most 400 characters",
        "",
        max_length=400,
    )
    version: int = _key(
        "increased when the game changes",
        "a number from 1 to 9999",
        1,
        ge=1,
        le=9999,
    )
    core: bool = _key("whether the file has core rules only, as expand writes them", _TRUTH, False)
    packs: int = _key("the number of packs", "a number from 1 to 8", 1, ge=1, le=8)
    jokers: int = _key("the number of jokers in the pack", "a number from 0 to 16", 0, ge=0, le=16)
    ranks: Phrase | None = _key(
        "the ranks in use, lowest first", 'a list of ranks such as "A 7 8 9 10 J Q"'
    )
    suits: Phrase | None = _key("the suits in use", 'a list of suits such as "spades hearts"')
    without: Phrases | None = _key(
        "cards withdrawn from the pack", "a class of cards or a list of them"
    )
    remarks: str | list[str] | None = _key("notes on the rules", "a sentence or a list of them")
    picture: str | None = _key("where the piles lie on the table", "a text, a line for each row")
    aim: Phrases | None = _key("when the game is won", _CONDITIONS)
    deal_again: Phrases | None = _key(
        "when the table is not played, and another one is dealt", _CONDITIONS
    )
    counters: dict[str, CounterShape] = _key("the counters of the rules", "a table of counters", {})
    score: ScoreShape | None = _key("the points of the game", "a table: [score]")
    layout: list[StepShape] | None = _key("how the table is laid out", "a list of transfers")
    rule: list[RuleShape] = _key("rules in addition to those of the roles", "a list: [[rule]]", [])
    variants: dict[str, dict[str, Any]] = _key("variants of the game", "a table of variants", {})


class VariantShape(BaseModel):
    """A variant: overrides of the rest of the file."""

    model_config = ConfigDict(extra="allow", strict=True)

    why: str = _key("what it changes, or whose reading it is", _SENTENCE, "")
    drop: list[str] = _key(
        "rules and groups that are left out", "a list of names of rules and groups", []
    )
    change: list[ChangeShape] = _key("rules that are changed", "a list of { rule, ... }", [])
    add: list[AddedRuleShape] = _key("rules that are added", "a list of rules", [])


HEADER_KEYS = tuple(HeaderShape.model_fields)
VARIANT_KEYS = tuple(VariantShape.model_fields)
GROUP_KEYS = tuple(field.alias or name for name, field in GroupShape.model_fields.items())


def group_names(data: dict[str, Any]) -> list[str]:
    """The names of the groups of piles: all top-level tables that are not part of the head."""
    return [
        key for key, value in data.items() if key not in HEADER_KEYS and isinstance(value, dict)
    ]


SCHEMA_FILE = "cadogan.schema.json"
"""The name of the file with the JSON Schema, beside the rules files that refer to it."""

SCHEMA_LINE = f"#:schema ./{SCHEMA_FILE}"
"""The first line of the rules files that we write. It leads editors to the schema."""


def schema() -> dict[str, Any]:
    """The JSON Schema of a rules file, for editors.

    Its identifier is derived from its content, so two different schemas never share one.

    >>> schema()["title"]
    'A Cadogan rules file'
    >>> schema()["$id"].startswith("urn:uuid:")
    True
    """
    head = HeaderShape.model_json_schema(by_alias=True)
    group = GroupShape.model_json_schema(by_alias=True)
    variant = VariantShape.model_json_schema(by_alias=True)
    definitions = {
        **head.pop("$defs", {}),
        **group.pop("$defs", {}),
        **variant.pop("$defs", {}),
        "GroupShape": group,
        "VariantShape": variant,
    }
    # A variant overrides only some keys, so none of its keys is required.
    overrides = {key: value for key, value in head["properties"].items() if key in _OVERRIDES}
    variant["properties"] |= overrides
    variant["additionalProperties"] = {"$ref": "#/$defs/GroupShape"}
    head["properties"]["variants"]["additionalProperties"] = {"$ref": "#/$defs/VariantShape"}
    head["additionalProperties"] = {"$ref": "#/$defs/GroupShape"}
    head["title"] = "A Cadogan rules file"
    head["description"] = "The rules of a patience; the manual is docs/language.md."
    head["$defs"] = definitions
    tidied: dict[str, Any] = _tidied(head)
    content = json.dumps(tidied, sort_keys=True, ensure_ascii=False)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:uuid:{uuid5(NAMESPACE_OID, content)}",
        **tidied,
    }


def schema_text() -> str:
    """The JSON Schema as the text of a file."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


_OVERRIDES = tuple(key for key in HEADER_KEYS if key not in ("rule", "variants", "core"))
"""The keys of the head that a variant may override."""


def _tidied(value: Any) -> Any:
    """Removes what is not for editors: generated titles, nulls, our own notes."""
    if isinstance(value, list):
        return [_tidied(inner) for inner in value if inner != {"type": "null"}]
    if not isinstance(value, dict):
        return value
    tidied = {}
    for key, inner in value.items():
        if key == "expects" or (key == "default" and inner is None):
            continue
        if key == "title" and isinstance(inner, str) and "rules file" not in inner:
            continue
        if key == "$ref":
            inner = inner.replace("Shape", "")
        if key in ("$defs", "properties"):
            inner = {name.removesuffix("Shape"): _tidied(part) for name, part in inner.items()}
        else:
            inner = _tidied(inner)
        tidied[key] = inner
    choices = tidied.get("anyOf")
    if choices is not None and len(choices) == 1:
        return {**tidied.pop("anyOf")[0], **tidied}
    return tidied
