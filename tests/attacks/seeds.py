"""The documents that rules files grow from, found by the keys that they have."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from cadogan.rules.expand.write import write_core
from cadogan.rules.faults.report import Report
from cadogan.rules.pipeline import read_rulebook
from cadogan.rules.read.read import read_document
from tests.attacks.vocabulary import Table, games, keys, manual_examples, place, places
from tests.attacks.written import written

SMALL: Final = (
    """
    name = "Chain"
    [tableau]
    piles = 4
    deal = 13
    build = "down"
    [foundations]
    piles = 4
    takes = "complete sequences down in suit"
    [goal]
    role = "foundation"
    piles = 4
    takes = "complete sequences down in suit"
    from = "foundations"
    plays = "forced"
    """,
    """
    name = "To and fro"
    aim = "row is empty"
    layout = [{ deal = 1, from = "pack", to = "row", rounds = 26 }]
    [row]
    role = "tableau"
    piles = 2
    build = "any card"
    [[rule]]
    name = "there"
    forced = true
    during = "always"
    when = "passes < 2"
    add = { passes = 1 }
    from = "row.1"
    to = "row.2"
    [[rule]]
    name = "back"
    forced = true
    from = "row.2"
    to = "row.1"
    when = "row.1 is empty"
    choose = "any"
    [counters.passes]
    cap = 3
    """,
    """
    name = "Packets"
    packs = 2
    aim = "row is empty"
    [row]
    role = "tableau"
    piles = 12
    deal = 8
    build = "nothing"
    [stock]
    deals = "1 to each of row"
    redeals = "unlimited"
    [waste]
    build = "up or down, round the corner"
    [[rule]]
    name = "carry"
    cards = "a packet"
    from = "row"
    to = "row"
    build = ["up in suit", "adding to 13"]
    [[rule]]
    name = "swap"
    exchange = "row and waste"
    [[rule]]
    name = "gather"
    when = "stock is empty"
    steps = [{ gather = "row from last to first", to = "stock", turned = true, face = "down" },
             { deal = 2, rounds = 2, from = "stock", to = "row" },
             { take = "3 * n", from = "waste", end = "bottom", to = "stock" }]
    add = { n = 1 }
    [counters.n]
    cap = 5
    [variants.some]
    why = "fewer"
    row.piles = 6
    [variants.other]
    drop = ["swap"]
    row.build = "down"
    """,
    """
    name = "A few ways"
    aim = "row is empty"
    [row]
    role = "tableau"
    piles = 6
    build = "nothing"
    [side]
    role = "reserve"
    piles = 2
    [foundations]
    piles = 4
    base = "ace"
    build = "up in suit"
    [stock]
    [[layout]]
    pick = "aces"
    from = "stock"
    to = "foundations"
    [[layout]]
    deal = 1
    rounds = 6
    from = "stock"
    to = "row"
    apart = "same rank"
    [[layout]]
    deal = 1
    from = "stock"
    to = "row"
    goes_up = "twos"
    replaced = false
    [[layout]]
    deal = 1
    from = "stock"
    to = "row"
    passes_over = "piles that end in a sequence down, from any card"
    [[layout]]
    to_bottom = "kings"
    of = "row"
    [[layout]]
    turn = "side"
    face = "down"
    [[rule]]
    name = "carry"
    from = "row"
    to = "row"
    cards = "a sequence down"
    build = "down"
    longest = 4
    uncovers = ["nothing", "kings"]
    count = { kings = "kings" }
    [[rule]]
    name = "lay down"
    from = "row"
    to = "vacant side"
    cards = "a packet"
    laid = "one by one"
    [[rule]]
    name = "go up"
    from = "row and side"
    to = "foundations"
    prefer = "row.1"
    [[rule]]
    name = "lay aside"
    forced = true
    from = "row"
    to = "vacant side"
    which = "jacks"
    choose = "any"
    beaten_by = "higher in suit"
    [[rule]]
    name = "deal"
    steps = [{ slip = "kings", of = "row" },
             { deal = "up to 4", from = "stock", to = "row", order = "emptiest first" },
             { turn = "side", face = "up", turned = true }]
    add = { deals = 1 }
    points = "5 * deals"
    [counters.deals]
    cap = 3
    [counters.kings]
    cap = 9
    [score]
    cards = { foundations = 5 }
    counters = { kings = -1 }
    """,
)


Key = tuple[str, str]
"""A key of a rules file: the name of its shape, and its own."""


def keys_of(document: Table) -> set[Key]:
    """The keys that a document has, itself and in its variants."""
    return {
        place(shape, key)
        for table, shape in places(document)
        for key in table
        if key in keys(shape)
    }


def _core(document: Table) -> Table | None:
    """The core rules of a document, which have keys that roles and phrases stand for."""
    text = read_document(written(document), "a.toml")
    reading, book = read_rulebook(text, "a", (), Report(text))
    return None if book is None else tomllib.loads(write_core(reading.data))


@cache
def seeds() -> Sequence[Table]:
    """The games of the catalogue, those of the manual, also as core rules, and some small ones."""
    whole = [example for example in manual_examples() if "name" in example]
    small = [tomllib.loads(text) for text in SMALL]
    core = [document for example in (*whole, *small) if (document := _core(example))]
    return [*games(), *whole, *small, *core]


@cache
def seeds_by_key() -> Mapping[Key, Sequence[Table]]:
    """The documents that have each key."""
    found: dict[Key, list[Table]] = {}
    for document in seeds():
        for key in sorted(keys_of(document)):
            found.setdefault(key, []).append(document)
    return found


@cache
def rare_keys() -> Sequence[Key]:
    """The keys that few documents have."""
    most = len(seeds()) // 8
    return [key for key, documents in seeds_by_key().items() if len(documents) <= most]
