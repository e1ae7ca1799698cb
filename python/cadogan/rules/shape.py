"""The shape of a rules file: which keys there are and what kind of value each takes.

This is the first half of checking (the second, :mod:`cadogan.rules.check`, understands the phrases).
The models give three things: all faults of shape in one run, with places; the lists of known keys for
typo help; and the JSON Schema that editors use (:func:`schema`).
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cadogan.rules.document import Path
from cadogan.rules.report import Report, nearest, one_of
from cadogan.rules.rulebook import ROLES

MAX_PILES = 127
MAX_CARDS = 416

Phrases = str | list[str]
Number = Annotated[int, Field(ge=0, le=MAX_CARDS)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


def _says(expects: str, default: Any = None, **limits: Any) -> Any:
    return Field(default=default, description=expects, **limits)


class CounterShape(_Shape):
    """A number that rules keep."""

    start: int = _says("a number from 0 to 65535", 0, ge=0, le=65535)
    cap: int = _says("a number from 0 to 65535", 65535, ge=0, le=65535)
    why: str = _says("a sentence", "")


class RouteShape(_Shape):
    """Where a class of dealt cards goes."""

    cards: str = _says('a class of cards such as "red cards"', ...)
    to: Phrases | None = _says("the piles whose first vacancy is filled")
    overflow: str = _says("the pile that takes the rest", ...)


class StepShape(_Shape):
    """One transfer of a script or of the layout."""

    deal: int | None = _says("the number of cards a visit", ge=1, le=MAX_CARDS)
    take: int | str | None = _says('a number, "all" or "3 * COUNTER"')
    gather: Phrases | None = _says("the piles taken up, in order")
    route: list[RouteShape] | None = _says("a list of { cards, to, overflow }")
    close: Phrases | None = _says("the piles that are closed")
    base: str | None = _says("the counter that becomes the base rank")
    settle: bool | None = _says("true")
    from_: Phrases | None = Field(None, alias="from", description="the pile the cards come from")
    to: Phrases | None = _says("the piles the cards go to")
    rounds: int = _says("a number from 1 to 104", 1, ge=1, le=104)
    face: Literal["up", "down", "keep"] | None = _says('"up", "down" or "keep"')
    end: Literal["top", "bottom"] | None = _says('"top" or "bottom"')
    at: Literal["top", "bottom"] | None = _says('"top" or "bottom"')
    turned: bool | None = _says("true or false")
    until: Phrases | None = _says("the piles that stop the dealing when they are filled")
    when_complete: Phrases | None = _says("the foundations that close a pile when complete")
    of: str | None = _says("the pile whose top card gives the base rank")


class PartShape(_Shape):
    """One part of a joint play."""

    from_: Phrases = Field(..., alias="from", description="the piles it may come from")
    holds: int = _says("1 or 2", 1, ge=1, le=2)


class RuleShape(_Shape):
    """One core rule."""

    name: str = _says("a name", ..., min_length=1, max_length=80)
    why: str = _says("a sentence", "")
    verb: str | None = _says("one word", pattern=r"^[a-z][a-z-]*$")
    forced: bool = _says("true or false", False)
    during: Literal["layout", "play", "always"] | None = _says('"layout", "play" or "always"')
    when: Phrases | None = _says("a condition or a list of conditions")
    from_: Phrases | None = Field(None, alias="from", description="the piles the cards come from")
    to: Phrases | None = _says("the piles the cards go to")
    along: Literal["same place", "lines"] | None = _says('"same place" or "lines"')
    cards: str | None = _says(
        '"one card", "a sequence ...", "a packet", "up to 4 cards" or "the whole pile"'
    )
    which: str | None = _says('a class of cards such as "aces"')
    build: Phrases | None = _says("a rule of building or a list of them")
    space: str | None = _says("the class of cards that a vacancy takes")
    from_holds: int | list[int] | None = _says("a number or [fewest, most]")
    to_holds: int | list[int] | None = _says("a number or [fewest, most]")
    prefer: str | None = _says("a pile")
    laid: Literal["as a block", "one by one"] | None = _says('"as a block" or "one by one"')
    face: Literal["up", "down", "keep"] | None = _says('"up", "down" or "keep"')
    choose: Literal["nothing", "card", "place", "any"] | None = _says(
        '"nothing", "card", "place" or "any"'
    )
    together: list[PartShape] | None = _says("a list of { from, holds }")
    only: Literal["if blocked"] | None = _says('"if blocked"')
    exchange: Phrases | None = _says("the piles whose top cards may change places")
    turn_up: Phrases | None = _says("the piles whose face-down top cards are turned up")
    steps: list[StepShape] | None = _says("a list of transfers")
    set: dict[str, Number] | None = _says("a table of counters and numbers")
    add: dict[str, Number] | None = _says("a table of counters and numbers")
    count: dict[str, str] | None = _says("a table of counters and classes of cards")


class AddedRuleShape(RuleShape):
    """A rule that a variant adds."""

    before: str | None = _says("the name of the rule it comes before")


class ChangeShape(AddedRuleShape):
    """A rule that a variant changes."""

    name: str | None = _says("a name")  # type: ignore[assignment]
    rule: str = _says("the name of a rule", ...)


class GroupShape(_Shape):
    """A group of piles."""

    role: Literal[ROLES] | None = _says(one_of(f'"{role}"' for role in ROLES))  # type: ignore[valid-type]
    piles: int | None = _says(f"a number from 1 to {MAX_PILES}", ge=1, le=MAX_PILES)
    mark: str | None = _says("one to three letters", pattern=r"^[A-Za-z]{1,3}$")
    shown: Literal["all", "top", "none"] | None = _says('"all", "top" or "none"')
    deal: Number | list[Number] | None = _says("a number of cards, or a list with one a pile")
    deal_down: Number | list[Number] | None = _says("a number of cards, or a list with one a pile")
    dealt: Literal["in rounds", "in packets"] | None = _says('"in rounds" or "in packets"')
    start: str | None = _says('a class of cards such as "aces"')
    base: str | None = _says('a rank such as "ace", or "dealt"')
    order: str | None = _says('a list of ranks such as "A 2 3 4"')
    build: Phrases | None = _says("a rule of building or a list of them")
    suits: Literal["one each"] | None = _says('"one each"')
    takes: str | None = _says('"cards" or "complete sequences ..."')
    from_: Phrases | None = Field(None, alias="from", description="the piles that feed it")
    along: Literal["same place", "lines"] | None = _says('"same place" or "lines"')
    plays: Literal["free", "forced"] | None = _says('"free" or "forced"')
    choose: Literal["nothing", "card", "place", "any"] | None = _says(
        '"nothing", "card", "place" or "any"'
    )
    prefer: str | None = _says("a pile")
    worrying_back: bool | None = _says("true or false")
    moves: str | None = _says('"single cards", "sequences", "sequences ..." or "packets"')
    space: str | None = _says("the class of cards that a vacancy takes")
    refill: Phrases | None = _says("the piles that fill a vacancy at once")
    when: Phrases | None = _says("a condition or a list of conditions")
    deals: str | None = _says('"1 to waste", "3 to waste", "1 to hand" or "1 to each of tableau"')
    deals_when: Phrases | None = _says("a condition or a list of conditions")
    redeals: int | Literal["unlimited"] | None = _says(
        'a number or "unlimited"', union_mode="left_to_right"
    )
    lays_off: str | None = _says("the waste that its card is laid off on")


class HeaderShape(_Shape):
    """The head of a rules file."""

    name: str = _says("a name", ..., min_length=1, max_length=80)
    names: dict[str, str] = _says("a table of languages and names", {})
    source: str = _says("where the rules are told", "", max_length=400)
    version: int = _says("a number from 1 to 9999", 1, ge=1, le=9999)
    core: bool = _says("true or false", False)
    packs: int = _says("a number from 1 to 8", 1, ge=1, le=8)
    ranks: str | None = _says('a list of ranks such as "A 7 8 9 10 J Q"')
    suits: str | None = _says('a list of suits such as "spades hearts"')
    without: Phrases | None = _says("classes of cards that are withdrawn")
    remarks: Phrases | None = _says("sentences to be told with the rules")
    picture: str | None = _says("a picture of the table")
    aim: Phrases | None = _says("a condition or a list of conditions")
    counters: dict[str, CounterShape] = _says("a table of counters", {})
    layout: list[StepShape] | None = _says("a list of transfers")
    rule: list[RuleShape] = _says("a list of rules", [])
    variants: dict[str, dict[str, Any]] = _says("a table of variants", {})


class VariantShape(BaseModel):
    """A variant: overrides of the rest of the file."""

    model_config = ConfigDict(extra="allow", strict=True)

    why: str = _says("what it changes, or whose reading it is", "")
    drop: list[str] = _says("names of rules", [])
    change: list[ChangeShape] = _says("a list of changed rules", [])
    add: list[AddedRuleShape] = _says("a list of added rules", [])


HEADER_KEYS = tuple(HeaderShape.model_fields)
GROUP_KEYS = tuple(field.alias or name for name, field in GroupShape.model_fields.items())


def group_names(data: dict[str, Any]) -> list[str]:
    """The names of the groups of piles: all tables at the top that are not part of the head."""
    return [
        key for key, value in data.items() if key not in HEADER_KEYS and isinstance(value, dict)
    ]


def check_shape(data: dict[str, Any], report: Report) -> bool:
    """Reports every fault of shape.

    Args:
        data: The document, a variant's overrides already put in.
        report: Where faults go.

    Returns:
        Whether the shape is sound.
    """
    before = len(report.errors)
    head = {key: value for key, value in data.items() if key in HEADER_KEYS}
    _validate(HeaderShape, head, (), report, "the file")
    for key, value in data.items():
        if key in HEADER_KEYS:
            continue
        if not isinstance(value, dict):
            guess = nearest(key, HEADER_KEYS)
            report.error(
                "unknown-key",
                (key,),
                f'"{key}" is not a key of a rules file',
                key=True,
                hint=f'did you mean "{guess}"?'
                if guess
                else f"known are {one_of(HEADER_KEYS, 20)}",
            )
        else:
            _validate(GroupShape, value, (key,), report, f'the group "{key}"')
    for name, table in (
        data.get("variants", {}).items() if isinstance(data.get("variants"), dict) else ()
    ):
        if isinstance(table, dict):
            known = {key: table[key] for key in ("why", "drop", "change", "add") if key in table}
            _validate(VariantShape, known, ("variants", name), report, f'the variant "{name}"')
    return len(report.errors) == before


def _validate(
    model: type[BaseModel], value: dict[str, Any], path: Path, report: Report, owner: str
) -> None:
    try:
        model.model_validate(value)
    except ValidationError as error:
        told: set[Path] = set()
        for detail in error.errors(include_url=False, include_context=False, include_input=False):
            inner, shape, expects = _place(model, value, detail["loc"])
            if (*inner, detail["type"] == "missing") in told:
                continue
            told.add((*inner, detail["type"] == "missing"))
            _tell(detail["type"], (*path, *inner), shape, expects, report, owner)


def _place(
    model: type[BaseModel], value: Any, loc: tuple[int | str, ...]
) -> tuple[Path, type[BaseModel], str]:
    """Cuts a pydantic location down to what is written in the file.

    Returns:
        The path, the model that the last key belongs to, and what its value should be.
    """
    path: list[int | str] = []
    shape, expects = model, ""
    for part in loc:
        if isinstance(value, dict) and isinstance(part, str):
            field = next((f for n, f in shape.model_fields.items() if part in (n, f.alias)), None)
            if field is not None:
                expects = field.description or ""
            path.append(part)
            if part not in value:
                break
            value = value[part]
            inner = _inner_model(field.annotation) if field is not None else None
            shape = inner or shape
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            path.append(part)
            value = value[part]
    return tuple(path), shape, expects


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for part in getattr(annotation, "__args__", ()):
        found = _inner_model(part)
        if found is not None:
            return found
    return None


def _tell(
    kind: str, path: Path, shape: type[BaseModel], expects: str, report: Report, owner: str
) -> None:
    key = next((part for part in reversed(path) if isinstance(part, str)), "")
    if kind == "missing":
        report.error(
            "missing-key", path[:-1], f'{owner} lacks "{key}"', hint=f"give {key} = {expects}"
        )
    elif kind == "extra_forbidden":
        known = [field.alias or name for name, field in shape.model_fields.items()]
        guess = nearest(key, known)
        report.error(
            "unknown-key",
            path,
            f'{owner} has a key "{key}" that is not known',
            label="not known here",
            key=True,
            hint=f'did you mean "{guess}"?' if guess else f"known are {one_of(known, 40)}",
        )
    elif kind in ("literal_error", "string_pattern_mismatch"):
        report.error("unknown-choice", path, f'"{key}" must be {expects}')
    elif kind.startswith(("greater_than", "less_than", "string_too", "too_")):
        report.error("out-of-range", path, f'"{key}" must be {expects}')
    else:
        report.error("wrong-type", path, f'"{key}" must be {expects}')


def schema() -> dict[str, Any]:
    """The JSON Schema of a rules file, for editors.

    >>> schema()["title"]
    'A Cadogan rules file'
    """
    head = HeaderShape.model_json_schema(by_alias=True)
    group = GroupShape.model_json_schema(by_alias=True)
    variant = VariantShape.model_json_schema(by_alias=True)
    definitions = {**head.pop("$defs", {}), **group.pop("$defs", {}), **variant.pop("$defs", {})}
    definitions |= {"Group": group, "Variant": variant}
    head["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    head["title"] = "A Cadogan rules file"
    head["$defs"] = definitions
    head["additionalProperties"] = {"$ref": "#/$defs/Group"}
    head["properties"]["variants"]["additionalProperties"] = {"$ref": "#/$defs/Variant"}
    return head
