"""The card of a data set: what it is, its fields, its licence, and how to cite it.

The head of the card is YAML, which hubs of data sets read.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cadogan.study.deal_range import Shards
from cadogan.study.record import Record
from cadogan.study.report import bounds, share_of
from cadogan.study.summary import Summary


@dataclass(frozen=True, slots=True)
class Field:
    """A column of a data set.

    Attributes:
        name: Its name.
        kind: Its type in DuckDB.
        text: What it means.
    """

    name: str
    kind: str
    text: str


FIELDS: Final = (
    Field("game", "VARCHAR", "the game, with its variants after a colon"),
    Field("deal", "VARCHAR", "the name of the deal, `scheme:number`; Cadogan deals it again"),
    Field("scheme", "VARCHAR", "the scheme of the deal"),
    Field("number", "UBIGINT", "its number"),
    Field("deck", "VARCHAR[]", "the cards in the order in which they are dealt, as in `TC`, `9H`"),
    Field("player", "VARCHAR", "who played: `thoughtful` is the solver, which knows all cards"),
    Field(
        "verdict",
        "VARCHAR",
        "`winnable`, `unwinnable` or `unknown`; of players who do not know all cards `won`, "
        "`lost` or `gave up`",
    ),
    Field("nodes", "UBIGINT", "the positions searched for this verdict"),
    Field("budget", "UBIGINT", "how many might be searched for it"),
    Field(
        "nodes_spent",
        "UBIGINT",
        "the positions searched with all budgets together, also those that did not decide",
    ),
    Field("length", "UINTEGER", "the number of moves of the line; 0 if there is none"),
    Field("moves", "VARCHAR[]", "the moves of a line that wins; empty if there is none"),
    Field("proof", "VARCHAR", "what the verdict rests on"),
    Field("digest", "VARCHAR", "the fingerprint of the compiled rules"),
    Field("version", "VARCHAR", "the version of Cadogan"),
    Field("solver", "VARCHAR", "the fingerprint of its solver"),
)
"""The columns, in their order."""
PUZZLE_FIELDS: Final = (
    Field("game", "VARCHAR", "the game, with its variants after a colon"),
    Field("deal", "VARCHAR", "the name of the deal"),
    Field("moves", "VARCHAR[]", "the moves that lead from the deal to the puzzle"),
    Field("answer", "VARCHAR", "the only move that keeps the win"),
    Field("line", "VARCHAR[]", "moves that win from the puzzle on; the first one is the answer"),
    Field("wrong", "UINTEGER", "the number of other legal moves, all of them proved to lose"),
    Field("nodes", "UBIGINT", "the positions searched to prove that"),
    Field("digest", "VARCHAR", "the fingerprint of the compiled rules"),
    Field("version", "VARCHAR", "the version of Cadogan that found the puzzle"),
    Field("solver", "VARCHAR", "the fingerprint of its solver"),
)
"""The columns of puzzles, in their order."""
_DTYPES: Final = {"VARCHAR": "string", "UBIGINT": "uint64", "UINTEGER": "uint32"}
_SIZES: Final = (
    (10**3, "n<1K"),
    (10**4, "1K<n<10K"),
    (10**5, "10K<n<100K"),
    (10**6, "100K<n<1M"),
    (10**7, "1M<n<10M"),
    (10**8, "10M<n<100M"),
)


@dataclass
class Config:
    """The part of a data set that belongs to one game.

    Attributes:
        name: Its name, for hubs.
        game: The game.
        title: The title of the game.
        digest: The fingerprint of its compiled rules.
        rules: The place of its rules file.
        rows: How many rows it has.
        files: The names of its files, each with its SHA-256.
        fields: Its columns.
    """

    name: str
    game: str
    title: str
    digest: str
    rules: str
    rows: int = 0
    files: dict[str, str] = field(default_factory=dict)
    fields: Sequence[Field] = FIELDS

    @property
    def folder(self) -> str:
        """The folder of its files."""
        return f"data/{self.name}"


@dataclass
class Facts:
    """What a card reports.

    Attributes:
        title: The title of the study.
        shards: Which shards of the study the data set has.
        configs: The games.
        makers: Versions of Cadogan, each with the fingerprint of its solver.
        verdicts: How often each verdict occurs, by game and player.
        left_out: How many deals crashed or failed.
        summaries: The rates of the study.
    """

    title: str
    shards: Shards
    configs: list[Config] = field(default_factory=list)
    makers: set[tuple[str, str]] = field(default_factory=set)
    verdicts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    left_out: int = 0
    summaries: Sequence[Summary] = ()

    @property
    def rows(self) -> int:
        """The number of rows of all games."""
        return self.verdicts.total()

    def count(self, record: Record) -> None:
        """Counts a row."""
        self.verdicts[shown(record.game), record.player, record.verdict] += 1


def shown(game: str) -> str:
    """The name of a game without the folder of its rules file, which means nothing to readers.

    >>> shown("klondike:draw-three"), shown("/home/me/mine.toml:open")
    ('klondike:draw-three', 'mine.toml:open')
    """
    path, ending, variants = game.partition(".toml")
    return f"{Path(path).name}{ending}{variants}" if ending else game


def write_card(facts: Facts, path: Path) -> None:
    """Writes the card of a data set.

    Raises:
        OSError: If it cannot be written.
    """
    path.write_text(f"---\n{_head(facts)}---\n\n{_body(facts)}", encoding="utf-8")


def _head(facts: Facts) -> str:
    size = next((name for limit, name in _SIZES if facts.rows < limit), "n>100M")
    lines = [
        f"pretty_name: {json.dumps(facts.title)}",
        "license: cc0-1.0",
        "language:",
        "- en",
        "tags:",
        *(f"- {tag}" for tag in ("solitaire", "patience", "card-games", "games", "search")),
        "size_categories:",
        f"- {size}",
        "configs:",
    ]
    filled = [config for config in facts.configs if config.rows]
    for config in filled:
        lines += [f"- config_name: {config.name}", "  data_files:"]
        lines += ["  - split: train", f"    path: {config.folder}/*.parquet"]
    lines.append("dataset_info:")
    for config in filled:
        lines += [f"- config_name: {config.name}", "  features:"]
        for each in config.fields:
            kind = "sequence" if each.kind.endswith("[]") else "dtype"
            dtype = _DTYPES[each.kind.removesuffix("[]")]
            lines += [f"  - name: {each.name}", f"    {kind}: {dtype}"]
    return "\n".join(lines) + "\n"


def _body(facts: Facts) -> str:
    versions = ", ".join(f"{version} (solver `{solver}`)" for version, solver in _makers(facts))
    deals = "\n".join(
        f"| {name} | {player} | {verdict} | {count:,} |"
        for (name, player, verdict), count in sorted(facts.verdicts.items())
    )
    part = (
        ""
        if facts.shards.is_whole
        else (f"\n**This is a part of a study:** the shards {facts.shards}.\n")
    )
    left_out = (
        f"- {facts.left_out:,} deals that crashed or failed are left out.\n"
        if facts.left_out
        else ""
    )
    rates = "\n".join(
        f"| {shown(each.study.game)} | {each.study.player} | {each.tally.deals - each.missing:,} "
        f"| {share_of(each)} | {bounds(each.interval)} |"
        for each in facts.summaries
    )
    games = "\n".join(
        f"| {config.name} | {config.title} | [{config.rules}]({config.rules}) | `{config.digest}` "
        f"| {config.rows:,} |"
        for config in facts.configs
    )
    fields = _rows(FIELDS)
    puzzles = sum(config.rows for config in facts.configs if config.fields is PUZZLE_FIELDS)
    of_puzzles = (
        f"""
The parts whose names end with `_puzzles` have {puzzles:,} puzzles: positions in which exactly one
move keeps the win.

| Field | Type | Meaning |
|---|---|---|
{_rows(PUZZLE_FIELDS)}
"""
        if puzzles
        else ""
    )
    files = "\n".join(
        f"{digest}  {config.folder}/{name}"
        for config in facts.configs
        for name, digest in config.files.items()
    )
    (version, solver), *_ = _makers(facts)
    return f"""# {facts.title}

{facts.rows:,} deals of patience games with their results. For the player `thoughtful`, the
result is whether the deal can be won if all cards are known, with a line of moves that wins.
{part}
A verdict `winnable` comes with a line that was played to the end by the rules. `unwinnable` means
that a complete space was searched; positions are identified by hashes of 128 bits. `unknown` means
that the budget was spent. It does not mean "probably lost". If you leave these deals out, your
rates will be wrong, since they are the hard ones.

## Fields

| Field | Type | Meaning |
|---|---|---|
{fields}

The rows are ordered by player and number. There is one split, `train`. If you need others,
split by `number`, since a deal may occur with several players.
{of_puzzles}
**Difficulty** is recorded as `nodes`, `nodes_spent` and `length`. What is not recorded: the time
of a single deal, the length of a shortest line (the lines win, but need not be shortest), how hard
a deal is for people, and the positions along the line. The Python package `cadogan` computes
positions from `deal` or `deck` and `moves`.

## Games

| Part | Game | Rules | Digest of the compiled rules | Rows |
|---|---|---|---|--:|
{games}

## Results

| Game | Player | Deals | Won, % | 95 % interval, undecided deals counted both ways |
|---|---|--:|--:|--:|
{rates}

| Game | Player | Verdict | Rows |
|---|---|---|--:|
{deals}

{left_out}- Made by Cadogan {versions}. The same question to the same solver gives the same rows.

## Reading and checking

```python
import polars

deals = polars.read_parquet("{facts.configs[0].folder}/*.parquet")
```

```python
import cadogan

for move in row["moves"]:
    position = position.play(move)  # begins with cadogan.load(row["game"]).deal(row["deal"])
assert position.outcome == "won"
```

SHA-256 of the files:

```
{files}
```

## Licence and citation

The data are in the public domain ([CC0 1.0](https://creativecommons.org/publicdomain/zero/1.0/)).
Please cite them so that others can find them:

```bibtex
@misc{{cadogan-{solver},
  title  = {{{{{facts.title}}}}},
  author = {{{{The Cadogan authors}}}},
  note   = {{Data set of {facts.rows:,} deals, made by Cadogan {version} with the solver {solver}}}
}}
```
"""


def _makers(facts: Facts) -> list[tuple[str, str]]:
    return sorted(facts.makers)


def _rows(fields: Sequence[Field]) -> str:
    return "\n".join(f"| `{each.name}` | {_type(each.kind)} | {each.text} |" for each in fields)


def _type(kind: str) -> str:
    name = _DTYPES[kind.removesuffix("[]")]
    return f"list of {name}" if kind.endswith("[]") else name
