"""Reading a rule that moves cards."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from cadogan.i18n.text import gettext, listed
from cadogan.rules.rulebook.asks import Total
from cadogan.rules.rulebook.neighbours import Beside
from cadogan.rules.rulebook.words import ANY, small_number
from cadogan.rules.rulebook.worth import read_worth
from cadogan.rules.source.values import paths

if TYPE_CHECKING:
    from cadogan.rules.check.actions import Actions as Reader
    from cadogan.rules.kinds.move.move import Move
    from cadogan.rules.rulebook.asks import Unit
    from cadogan.rules.rulebook.group import PileSet
    from cadogan.rules.rulebook.relations import Relation
    from cadogan.rules.rulebook.words import CardClass
    from cadogan.rules.source.span import Path

_M = TypeVar("_M", bound="Move")
_ALL = 65535
_HOLDS = re.compile(r"(?P<how>at least|at most|exactly) (?P<number>\w+)(?: cards?)?")


def read_move(made: "type[_M]", raw: dict[str, Any], path: "Path", reader: "Reader") -> "_M | None":
    """Reads a move; ``None`` if piles are missing."""
    piles = reader.piles
    asked = reader.asking(raw, path)
    raw = asked.raw
    lanes = piles.read_lanes(raw["from"], (*path, "from")) if "from" in raw else None
    targets = piles.read_targets(raw["to"], (*path, "to")) if "to" in raw else None
    build = None
    if raw.get("build") in ("nothing", ["nothing"]):
        reader.report.error(
            "unknown-build",
            (*path, "build"),
            gettext("where nothing may be built, there is nothing for this rule to do"),
            hint=gettext('leave "build" out if any card may be laid there; say to = "vacant ..." '
                      "if vacancies are filled"),
        )  # fmt: skip
    elif "build" in raw:
        build = reader.read_relation(raw["build"], (*path, "build"), use="building")
    beaten_by = None
    if "beaten_by" in raw:
        beaten_by = reader.read_relation(raw["beaten_by"], (*path, "beaten_by"), use="comparison")
    unit = reader.read_unit(raw.get("cards", "one card"), (*path, "cards"))
    # What lies beside a vacancy decides; where nothing does, the class of a vacancy.
    edge = asked.space if "beside" in raw else None
    prefer = None
    if "prefer" in raw:
        preferred = piles.read(raw["prefer"], (*path, "prefer"))
        prefer = piles.single(preferred, (*path, "prefer"))
    if lanes is None or targets is None:
        _report_missing(raw, path, reader)
        return None
    to, state = targets
    to_holds = _holds(raw, "to_holds", path, (0, 65535), reader)
    if state and "to_holds" in raw and (state != "occupied" or to_holds[1] == 0):
        reader.report.error(
            "key-does-not-fit",
            (*path, "to_holds"),
            gettext('"{state}" says already how many cards the target holds', state=state),
            key=True,
            also=[((*path, "to"), gettext("here"))],
        )
    if state.endswith("vacant"):
        to_holds = (0, 0)
    elif state == "occupied":
        to_holds = (max(1, to_holds[0]), to_holds[1])
    beside = None if edge is None else _beside(raw, path, to, edge, reader)
    from_holds = _holds(raw, "from_holds", path, (1, 65535), reader)
    if unit.kind == "count" and unit.least > 1:
        from_holds = (max(from_holds[0], unit.least), max(from_holds[1], unit.least))
    limits = [reader.piles.group_of(pile).holds for pile in to.piles]
    if limits and None not in limits:
        # A card more must still find room.
        fullest = max(limit for limit in limits if limit is not None) - 1
        to_holds = (to_holds[0], max(to_holds[0], min(to_holds[1], fullest)))
    laid = raw.get("laid", "one by one" if unit.kind == "count" else "as a block")
    build_order = _has_build_order(to, unit, laid, path, reader)
    sources = [pile for lane in lanes for pile in lane.piles]
    if asked.drops:
        along = piles.along_covers(sources, to, (*path, "along"))
    else:
        along = piles.along(sources, to, raw.get("along"), reader.picture, (*path, "along"))
    if "longest" in raw and build is None and not reader.report.is_faulty(*path, "build"):
        reader.report.error(
            "key-does-not-fit",
            (*path, "longest"),
            gettext('"longest" is for sequences, but no rule of building says what they are'),
            key=True,
            hint=gettext('add build = "same rank"'),
        )
    elif "longest" in raw and build is not None and not _follows(unit, laid, build):
        reader.report.error(
            "key-does-not-fit",
            (*path, "longest"),
            gettext('the cards that move need not lie in the order of "build"'),
            key=True,
            hint=gettext('say cards = "a sequence {build}"', build=build.texts[0]),
        )
    total = _total(raw, unit, path, reader)
    choose = raw.get("choose", "nothing")
    return made(
        from_=lanes,
        to=to,
        along=along,
        from_holds=from_holds,
        to_holds=to_holds,
        cards=unit,
        which=asked.which,
        build=build,
        space=asked.space if beside is None else ANY,
        beside=beside,
        build_order=build_order,
        first_vacant=state == "first vacant",
        prefer=prefer,
        beaten_by=beaten_by,
        laid_one_by_one=laid == "one by one",
        face=raw.get("face", _face(sources, to, reader)),
        choose="none" if choose == "nothing" else choose,
        asks=replace(asked.asks(tuple(sources), to), total=total),
    )


def _follows(unit: "Unit", laid: str, build: "Relation") -> bool:
    """Whether cards that move lie in the order of building, so that they prolong a sequence."""
    if unit.is_one or unit.relation is None:
        return unit.is_one
    orders = zip(unit.relation.table(), build.table(), strict=True)
    return laid == "as a block" and not any(order & ~other for order, other in orders)


def _beside(
    raw: dict[str, Any], path: "Path", to: "PileSet", edge: "CardClass", reader: "Reader"
) -> Beside | None:
    """What a vacancy takes because of what lies beside it."""
    found = [
        reader.read_neighbours(phrase, to.piles, place)
        for phrase, place in paths(raw["beside"], (*path, "beside"))
    ]
    return Beside(tuple(each for each in found if each is not None), edge)


def _report_missing(raw: dict[str, Any], path: "Path", reader: "Reader") -> None:
    report = reader.report
    missing = [key for key in ("from", "to") if key not in raw and not report.is_faulty(*path, key)]
    doubtful = any(report.is_faulty(*path, key) for key in reader.telling)
    if not missing or doubtful:
        return
    words = listed((f'"{key}"' for key in missing), "and")
    report.error(
        "missing-key",
        path,
        gettext("{rule} must have {words}", rule=reader.named(raw), words=words),
        hint=gettext("a rule has from and to, or {keys}", keys=listed(reader.telling)),
        missing=missing[0],
    )


def _has_build_order(
    to: "PileSet", unit: "Unit", laid: str, path: "Path", reader: "Reader"
) -> bool:
    """Whether the targets are foundations with an order."""
    ordered = [pile for pile in to.piles if reader.piles.is_ordered(pile)]
    if ordered and len(ordered) < len(to.piles):
        other = next(pile for pile in to.piles if pile not in ordered)
        reader.report.error(
            "mixed-targets",
            (*path, "to"),
            gettext(
                '"{name}" has an order, "{other}" has none: they cannot be targets of one rule',
                name=reader.piles.group_of(ordered[0]).name,
                other=reader.piles.group_of(other).name,
            ),
            hint=gettext("write two rules"),
        )
        return False
    if ordered and not unit.is_one and not (unit.kind == "run" and laid == "one by one"):
        reader.report.error(
            "mixed-targets",
            (*path, "cards"),
            gettext("foundations take one card at a time"),
            hint=gettext(
                'say laid = "one by one" if the cards of a sequence go up one after another'
            ),
        )
    return bool(ordered)


def _face(sources: Sequence[int], to: "PileSet", reader: "Reader") -> Literal["keep", "up", "down"]:
    """Cards out of a stock turn up and into a stock turn down unless a rule says otherwise."""
    if any(reader.piles.group_of(pile).role == "stock" for pile in to.piles):
        return "down"
    if any(reader.piles.group_of(pile).role == "stock" for pile in sources):
        return "up"
    return "keep"


def _holds(
    raw: dict[str, Any], key: str, path: "Path", default: tuple[int, int], reader: "Reader"
) -> tuple[int, int]:
    value = raw.get(key)
    if value is None:
        return default
    pair = bounds(value)
    if pair is None or not 0 <= pair[0] <= pair[1] or (key == "from_holds" and pair[1] < 1):
        reader.report.error(
            "out-of-range",
            (*path, key),
            gettext(
                '"{key}" must be a number, "at least 2", "at most 3" or [fewest, most]', key=key
            ),
        )
        return default
    return (max(pair[0], default[0]), pair[1])


def _total(raw: dict[str, Any], unit: "Unit", path: "Path", reader: "Reader") -> Total | None:
    """What the cards of the target must count afterwards."""
    report = reader.report
    if "total" not in raw:
        for key in ("worth", "wild"):
            if key in raw and not report.is_faulty(*path, "total"):
                report.error(
                    "key-does-not-fit",
                    (*path, key),
                    gettext('"{key}" belongs to "total": nothing is added up here', key=key),
                    key=True,
                )
        return None
    found = bounds(raw["total"])
    if found is None or not found[0] <= found[1] or not found[1]:
        report.error(
            "out-of-range",
            (*path, "total"),
            gettext(
                '"{key}" must be a number, "at least 2", "at most 3" or [fewest, most]',
                key="total",
            ),
        )
        found = (0, _ALL)
    if unit.kind != "top":
        report.error(
            "key-does-not-fit",
            (*path, "total"),
            gettext("a total is for rules that move single cards"),
            key=True,
        )
    worth = read_worth(raw, path, reader)
    wild = reader.read_class(raw["wild"], (*path, "wild")) if "wild" in raw else None
    return Total(*found, worth, wild)


def bounds(value: int | list[int] | str) -> tuple[int, int] | None:
    """The fewest and most cards that a phrase such as ``"at least 2"`` allows."""
    if isinstance(value, list):
        return (value[0], value[1]) if len(value) == 2 and value[1] <= _ALL else None
    if isinstance(value, int):
        return (value, value) if value <= _ALL else None
    match = _HOLDS.fullmatch(" ".join(value.split()))
    number = small_number(match["number"]) if match is not None else None
    if match is None or number is None or number > _ALL:
        return None
    return (
        0 if match["how"] == "at most" else number,
        _ALL if match["how"] == "at least" else number,
    )
