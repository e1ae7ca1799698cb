"""What goes over the wire: the contract between the server and the page.

Cards are short texts: ``"9H"`` a card that can be seen, ``"*"`` one that lies face down, ``"-"``
one that lies face up but is covered in a squared pile. What the player may not see is not sent.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

MOST_NAME = 200
MOST_TEXT = 256 * 1024
"""Characters that a rules file or the file of a game may have."""

CardText = Annotated[str, Field(pattern=r"^([A23456789TJQK][CDHS]|\*|-)$", examples=["9H", "*"])]
PileName = Annotated[str, Field(max_length=100, examples=["garden.3"])]
Name = Annotated[str, Field(min_length=1, max_length=MOST_NAME, examples=["klondike:draw-three"])]
TableId = Annotated[str, Field(pattern=r"^[a-z0-9]{16}$", examples=["k3v9x2m8q1w7e5r4"])]


def _whole(value: object) -> object:
    """The integer that a number of JSON is: ``302.0`` is one, too, by the schema."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


# The last one of them comes first.
Version = Annotated[
    int,
    Field(ge=0, le=2**31 - 1, description="The version of the table that the player saw."),
    BeforeValidator(_whole),
]
NodeNumber = Annotated[int, Field(ge=0, le=2**31 - 1), BeforeValidator(_whole)]
Role = Literal["foundation", "tableau", "reserve", "cell", "stock", "waste", "hand", "discard"]
Outcome = Literal["won", "lost"]
VerdictMode = Literal["thoughtful", "none"]


class Model(BaseModel):
    """What all models share."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Wish(Model):
    """What all that is sent to the server shares: ``0`` is not ``false``."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, strict=True)


class Message(Model):
    """A text for a person, in the language asked for.

    ``key`` names the kind of message and does not change with the language.
    """

    key: str
    text: str


class Fault(Model):
    """A fault of a rules file, as ``cadogan check`` tells it, or of the file of a game."""

    severity: Literal["error", "warning"]
    code: str
    title: str
    line: int
    column: int
    end: int
    hint: str | None


class Problem(Model):
    """Why a request was not done. Every answer of status 400 and above is one.

    ``stale``: the table has changed since; ``table`` is how it stands. ``refused``: the move is not
    allowed, ``message`` says why. ``ambiguous``: several moves fit, ``moves`` are their texts.
    ``rules``: a rules file has ``faults``. ``unreadable``: the file of a game has ``faults``.
    ``unavailable``: the database or the disk cannot be used; ``hint`` says what helps.
    """

    code: Literal[
        "ambiguous", "forbidden", "internal", "invalid", "not-found", "refused", "rules", "stale",
        "too-large", "unavailable", "unreadable",
    ]  # fmt: skip
    message: Message
    hint: str | None = None
    moves: list[str] = []
    faults: list[Fault] = []
    table: "Table | None" = None


# Games.


class Chances(Model):
    """How often a game comes out, measured on deals of the scheme ``cadogan``."""

    deals: int = Field(description="Deals that the solver tried; it knows all cards.")
    won: int = Field(description="Deals that can be won.")
    undecided: int = Field(description="Deals left undecided.")
    low: float = Field(description="Lower bound of the share that can be won, 95 per cent.")
    high: float = Field(description="Upper bound; undecided deals are counted both ways.")
    seen_deals: int = Field(description="Deals played by a player who knows what a person sees.")
    seen_won: int


class Exclusion(Model):
    """Why a variant cannot be chosen together with another."""

    variant: str
    message: "Message"


class Variant(Model):
    """A named reading of a game's rules."""

    name: str
    label: str = Field(description="What it is called in the language asked for.")
    why: str
    chances: Chances | None = Field(
        default=None, description="Of the game with this variant alone, where it was measured."
    )
    difficulty: float | None = Field(default=None, description="As that of the game.")
    excludes: list[Exclusion] = Field(
        default=[], description="Variants that do not go with it; told of a single game only."
    )


class GameSummary(Model):
    """A game in the list."""

    name: str = Field(description="What it is loaded by, without variants.")
    title: str = Field(description="Its name in the language asked for, if it has one.")
    names: dict[str, str] = Field(description="Its names by language; 'en' is always there.")
    source: str
    origin: Literal["catalogue", "upload"]
    packs: int
    cards: int = Field(description="How many cards are dealt.")
    piles: int
    open: bool = Field(description="Whether all cards can be seen from the beginning.")
    variants: list[Variant]
    favourite: bool
    last_played: datetime | None
    table: str | None = Field(description="The table of this game that was played last, if open.")
    played: int
    won: int
    difficulty: float | None = Field(
        description="How hard it is for who sees what a person sees, 0 to 1: the share of deals "
        "that such a player did not win, or if none was tried and all cards are open, the share "
        "that cannot be won. Null where no study has measured it well enough."
    )
    chances: Chances | None = Field(description="Null where no study has measured it.")
    fault: Message | None = Field(
        description="Why it cannot be played: a rules file of the player's that is faulty. Nothing "
        "else is known of it then but its name and its title; it can be removed.",
    )


class GroupInfo(Model):
    """Piles of one kind and name."""

    name: str
    role: Role
    piles: list[PileName]
    shown: Literal["all", "top", "none"]
    order: str | None = Field(description="What a foundation takes, in words.")
    label: str = Field(
        description="What a pile of it is called in the language asked for, before its number."
    )


class Place(Model):
    """Where a pile stands on the table."""

    pile: PileName
    group: str
    role: Role
    row: int = Field(description="From the top, 0-based.")
    column: float = Field(description="From the left, 0-based; halves centre a row.")
    fan: Literal["none", "down", "right"] = Field(description="How its cards lie.")


class Layout(Model):
    """The table as a grid. ``pictured`` tells whether the rules file shows it."""

    rows: int
    columns: int
    pictured: bool
    places: list[Place]


class Word(Model):
    """A move that is one word, such as ``deal`` or ``gather``: a button."""

    word: str = Field(description="The text of the move.")
    rule: str
    label: str = Field(description="What the move is called in the language asked for.")
    piles: list[PileName] = Field(description="Piles that may be clicked for it.")


class Game(Model):
    """A game, with variants chosen."""

    name: str = Field(description="With the variants chosen.")
    base: str = Field(description="Without.")
    title: str
    names: dict[str, str]
    source: str
    origin: Literal["catalogue", "upload"]
    digest: str
    packs: int
    cards: int
    chosen: list[str]
    variants: list[Variant]
    groups: list[GroupInfo]
    layout: Layout
    words: list[Word]
    remarks: list[str]
    favourite: bool


class RulesProse(Model):
    """The rules in words."""

    name: str
    title: str
    markdown: str
    language: str = Field(description="The language of the text, which may not be the one asked.")
    complete: bool = Field(description="Whether all of it is in the language asked for.")


class RulesFile(Model):
    """A rules file as text."""

    name: str
    text: str
    origin: Literal["catalogue", "upload"]


class Upload(Wish):
    """A rules file from the player. It is checked, kept in the data folder, and never run."""

    text: str = Field(max_length=MOST_TEXT)
    file_name: str = Field(default="my-game.toml", max_length=MOST_NAME)
    replaces: str | None = Field(
        default=None,
        max_length=MOST_NAME,
        description="A rules file of the player's of which this is a new version.",
    )


class RulesCheck(Wish):
    """A rules file that is only to be checked."""

    text: str = Field(max_length=MOST_TEXT)


class Checked(Model):
    """What ``cadogan check`` says of a rules file."""

    ok: bool = Field(description="Whether it can be played.")
    faults: list[Fault] = Field(description="Errors and warnings, in the order of the lines.")


class Uploaded(Model):
    """A rules file was taken in; it is playable under ``game.name``."""

    game: GameSummary
    warnings: list[Fault]


# Tables.


class Transfer(Model):
    """Cards that go from the top of one pile to another."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, serialize_by_alias=True)

    from_: PileName = Field(alias="from")
    count: int
    to: PileName


class Move(Model):
    """A legal move.

    ``kind`` is ``cards`` (some cards from pile to pile), ``joint`` (several transfers at once),
    ``swap`` (two cards change places) or ``word`` (nothing to choose in it: ``deal``).
    """

    text: str
    kind: Literal["cards", "joint", "swap", "word"]
    rule: str
    transfers: list[Transfer] = Field(description="Empty for a word.")
    piles: list[PileName] = Field(description="For a word: piles that may be clicked for it.")


class Choice(Model):
    """A forced rule waits for the player; only its moves are legal."""

    rule: str
    message: Message


class Counter(Model):
    """A number that the rules keep."""

    name: str
    value: int
    text: str = Field(description="The value as a person reads it, for a base rank 'K'.")
    why: str


class Limit(Model):
    """How often a move may still be made: redeals left."""

    word: str
    rule: str
    left: int | None = Field(description="None: without limit.")


class Pile(Model):
    """The cards of a pile, bottom card first, as far as they may be seen."""

    name: PileName
    cards: list[CardText]
    wanted: list[CardText] = Field(description="What a foundation takes next.")
    closed: bool = Field(description="Takes no more dealt cards.")


class Position(Model):
    """What lies on the table, and what may happen."""

    piles: list[Pile]
    moves: list[Move]
    choice: Choice | None
    counters: list[Counter]
    limits: list[Limit]
    outcome: Outcome | None


class Verdict(Model):
    """Whether the game can still be won.

    ``off``: not asked for. ``unwinnable`` since a move: the first after which it could not be won
    any more; ``since_exact`` is false while earlier moves are still looked at. The search knows
    the hidden cards: showing it is a spoiler, and ``mode`` ``none`` switches it off.
    """

    mode: VerdictMode
    status: Literal["off", "unknown", "winnable", "unwinnable"]
    searching: bool
    nodes: int
    since: int | None
    since_exact: bool
    message: Message


class Bookmark(Model):
    """A position with a name."""

    node: NodeNumber
    name: str
    turn: int


class Options(Model):
    """What can be switched at a table."""

    verdict: VerdictMode
    autoplay: bool = Field(
        description="Moves proved safe are made by themselves, and so is a finish that wins."
    )


class Table(Model):
    """A game in play, as it stands."""

    id: TableId
    version: int = Field(description="Grows with every change; a request must name the newest.")
    game: str = Field(description="With variants.")
    title: str
    chosen: list[str]
    deal: str | None = Field(description="None if it was given card by card.")
    deck: str | None = Field(description="The cards, if the deal has no name and is over.")
    number: int | None = Field(description="The deal's number, if it is one of 'cadogan'.")
    begun: datetime
    seconds: float = Field(description="Time played, without pauses.")
    closed: bool = Field(description="Given up, or put away.")
    won: bool = Field(description="Whether it was won at any time; undo does not unmake that.")
    node: NodeNumber
    turn: int = Field(description="Moves from the deal to here.")
    made: int = Field(
        description="Moves made in all, those taken back too; none if some came with a file."
    )
    undo: bool
    redo: bool
    finish: bool = Field(description="Whether moves to the foundations alone lead to a win.")
    last: str | None = Field(description="The text of the move that led here.")
    bookmarks: list[Bookmark]
    options: Options
    stranded: Message | None = Field(
        default=None, description="Some of the record was damaged and was set aside."
    )
    position: Position
    verdict: Verdict


class TableSummary(Model):
    """A table in the list."""

    id: TableId
    game: str
    title: str
    deal: str | None
    begun: datetime
    played: datetime = Field(description="When something was last done at it.")
    turn: int
    won: bool
    closed: bool
    outcome: Outcome | None


class Heap(Model):
    """A pile after a step, bottom card first, as far as it may be seen."""

    name: PileName
    cards: list[CardText]


class Step(Model):
    """One thing that happened, in order: the player's move, then what it forced.

    ``piles`` are the piles it changed, as they were after it: a page that cannot show the
    transfers shows these. A card that is turned up is no transfer.
    """

    text: str
    rule: str
    by: Literal["player", "rules", "autoplay"]
    transfers: list[Transfer]
    piles: list[Heap]


class Played(Model):
    """What came of a move: the steps to animate, and the table after them."""

    table: Table
    steps: list[Step]


class NewTable(Wish):
    """A deal to be laid out. Without ``deal`` and ``deck`` one is taken at random."""

    game: Name
    deal: str | None = Field(default=None, max_length=100, examples=["cadogan:1", "ms:617"])
    deck: str | None = Field(default=None, max_length=4000, examples=["AS TC 9H"])
    line: list[Annotated[str, Field(max_length=200)]] = Field(
        default=[], max_length=2_000, description="Moves made at once: a shared line."
    )
    like: TableId | None = Field(
        default=None, description="A table whose deal is to be played again, instead of 'deal'."
    )
    closes: TableId | None = Field(default=None, description="A table that is put away for it.")


class MoveWish(Wish):
    """A move that the player wants: ``from`` and ``to`` (and ``count``), or its ``text``."""

    model_config = ConfigDict(serialize_by_alias=True)

    version: Version
    from_: PileName | None = Field(default=None, alias="from")
    to: PileName | None = None
    count: Annotated[int, Field(ge=1, le=416), BeforeValidator(_whole)] | None = Field(
        default=None, description="Without it one card, or as many as must go."
    )
    text: str | None = Field(default=None, max_length=1000)


class Stamped(Wish):
    """A request that changes a table and needs nothing else."""

    version: Version


class GoTo(Stamped):
    """Goes to any position of the tree."""

    node: NodeNumber


class Mark(Stamped):
    """Gives a position a name; an empty one takes it away."""

    node: NodeNumber
    name: str = Field(max_length=MOST_NAME)


class OptionsWish(Stamped):
    """Switches something at a table."""

    verdict: VerdictMode | None = None
    autoplay: bool | None = None


class TreeNode(Model):
    """A position that was reached once."""

    node: NodeNumber
    parent: NodeNumber | None
    move: str | None
    cards: list[CardText] = Field(description="The cards that the move took, as they were seen.")
    turn: int
    outcome: Outcome | None
    bookmark: str | None
    at: datetime


class Tree(Model):
    """All positions of a table, branches and all; ``path`` leads from the deal to ``node``.

    ``ahead`` goes on from ``node`` as redo would.
    """

    nodes: list[TreeNode]
    node: NodeNumber
    path: list[NodeNumber]
    ahead: list[NodeNumber]


class View(Model):
    """A position of the tree, looked at without going there; ``steps`` led to it."""

    node: NodeNumber
    turn: int
    move: str | None
    position: Position
    steps: list[Step]


class ReplayMove(Model):
    """A move of a replay, with what it forced."""

    text: str
    node: NodeNumber | None = Field(description="The position at the table that it led to.")
    bookmark: str | None
    cards: list[CardText] = Field(description="The cards that it took, as they were seen.")
    outcome: Outcome | None
    steps: list[Step]


class Replay(Model):
    """A line of moves from the deal on. ``piles`` are the table before the first of them."""

    game: str
    title: str
    deal: str | None
    deck: str | None = Field(description="The cards, if the deal has no name.")
    piles: list[Pile]
    moves: list[ReplayMove]
    at: int = Field(description="How many of the moves have been made where the table stands.")


class Line(Wish):
    """A line of moves, as a link tells it. Nothing of it is kept."""

    game: Name
    deal: str | None = Field(default=None, max_length=100, examples=["cadogan:1", "ms:617"])
    deck: str | None = Field(default=None, max_length=4000, examples=["AS TC 9H"])
    line: list[Annotated[str, Field(max_length=200)]] = Field(max_length=2_000)


class Hint(Model):
    """A move that is advised.

    ``proved``: the next move of a line that was played to a win, ``left`` moves from here.
    ``likely``: a rule of thumb. ``none``: there is nothing to advise; the message says why.
    """

    kind: Literal["proved", "likely", "none"]
    move: Move | None
    left: int | None
    message: Message


class GameFile(Model):
    """A game as an open text file, which ``cadogan replay`` reads too."""

    file_name: str
    text: str


class Import(Wish):
    """The text of such a file."""

    text: str = Field(max_length=MOST_TEXT)


class Share(Model):
    """What to put into a link. ``query`` is the part after ``?``."""

    game: str
    deal: str | None
    line: list[str]
    query: str
    portable: bool = Field(description="False for a game of the player's own rules file.")


# Deals that can be won.


class SearchWish(Wish):
    """Looks for a deal that the solver wins."""

    game: Name


class Search(Model):
    """A search for a deal that can be won."""

    id: TableId
    game: str
    state: Literal["searching", "found", "not-found", "cancelled"]
    tried: int
    unwinnable: int
    unknown: int
    nodes: int
    deal: str | None
    message: Message


# The player.


class ByVerdict(Model):
    """Games of which the deal's verdict is known, or is not."""

    played: int
    won: int


class Statistic(Model):
    """How the player did at a game with certain variants. Times are in seconds."""

    game: str
    title: str
    played: int = Field(description="Tables at which a move was made and that are over.")
    won: int
    lost: int
    open: int
    streak: int = Field(description="Wins in a row now; below zero: losses in a row.")
    best_streak: int
    worst_streak: int
    best_time: float | None
    mean_time: float | None
    best_moves: int | None
    mean_moves: float | None
    winnable: ByVerdict
    unwinnable: ByVerdict
    unknown: ByVerdict


class Result(Model):
    """One table in the statistics, for plots."""

    table: TableId
    game: str
    begun: datetime
    ended: datetime
    result: Literal["won", "lost", "open"]
    seconds: float
    moves: int
    deal: str | None
    deal_verdict: Literal["winnable", "unwinnable", "unknown"]


class Statistics(Model):
    """All statistics."""

    games: list[Statistic]
    results: list[Result]


class Settings(Wish):
    """What the player has set; it is kept by the server, so that all tabs agree."""

    language: Literal["auto", "en", "de"] = "auto"
    theme: Annotated[str, Field(max_length=40)] = "auto"
    felt: Annotated[str, Field(max_length=40)] = "green"
    deck: Annotated[str, Field(max_length=40)] = "two-colour"
    speed: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = Field(
        default=1.0, description="Of animations; 0 is none, 1 the usual."
    )
    left_handed: bool = False
    hide_clock: bool = False
    hide_score: bool = False
    autoplay: bool = Field(default=False, description="For new tables.")
    verdict: VerdictMode = Field(default="thoughtful", description="For new tables.")
    winnable_only: bool = Field(default=False, description="New deals are ones that can be won.")
    page: dict[Annotated[str, Field(max_length=40)], Any] = Field(
        default={}, max_length=100, description="The page's own, up to 8 kB as JSON."
    )


class About(Model):
    """The server."""

    version: str
    languages: list[str]
    games: int
    workers: int = Field(description="Processes that search for verdicts.")
    schemes: list[str] = Field(description="Kinds of deal numbers: 'cadogan', 'ms', ...")


# What the server says by itself, over the WebSocket of a table.


class TableEvent(Model):
    """The table has changed, perhaps in another tab."""

    type: Literal["table"] = "table"
    table: Table


class VerdictEvent(Model):
    """Something new about whether the game can be won."""

    type: Literal["verdict"] = "verdict"
    version: int
    node: NodeNumber
    verdict: Verdict
