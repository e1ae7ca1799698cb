"""The models of the API: the contract between the server and the page.

Cards are short texts: ``"9H"`` for a visible card, ``"*"`` for a face-down card, and ``"-"`` for a
face-up card that is covered in a squared pile. Hidden cards are never sent.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

MOST_NAME = 200
MOST_TEXT = 256 * 1024
"""The largest number of characters of a rules file or a game file."""

CardText = Annotated[str, Field(pattern=r"^([A23456789TJQK][CDHS]|\*|-)$", examples=["9H", "*"])]
PileName = Annotated[str, Field(max_length=100, examples=["garden.3"])]
Name = Annotated[str, Field(min_length=1, max_length=MOST_NAME, examples=["klondike:draw-three"])]
TableId = Annotated[str, Field(pattern=r"^[a-z0-9]{16}$", examples=["k3v9x2m8q1w7e5r4"])]


def _whole(value: object) -> object:
    """Converts a JSON number to an integer: in JSON Schema, ``302.0`` is one, too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


# The last validator runs first.
Version = Annotated[
    int,
    Field(ge=0, le=2**31 - 1, description="The version of the table that the player saw."),
    BeforeValidator(_whole),
]
NodeNumber = Annotated[int, Field(ge=0, le=2**31 - 1), BeforeValidator(_whole)]
Role = Literal["foundation", "tableau", "reserve", "cell", "stock", "waste", "hand"]
Outcome = Literal["won", "lost"]
VerdictMode = Literal["thoughtful", "none"]


class Model(BaseModel):
    """The base of all models."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class RequestBody(Model):
    """The base of all models of requests. They are strict: ``0`` is not ``false``."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, strict=True)


class Message(Model):
    """A text for a person, in the language of the request.

    ``key`` names the kind of message and does not change with the language.
    """

    key: str
    text: str


class Fault(Model):
    """A fault of a rules file, as ``cadogan check`` reports it, or of a game file."""

    severity: Literal["error", "warning"]
    code: str
    title: str
    line: int
    column: int
    end: int
    hint: str | None


class Problem(Model):
    """Why a request failed. Every answer with a status of 400 or more is one.

    ``stale``: the table has changed meanwhile; ``table`` is its current state. ``refused``: the
    move is illegal; ``message`` says why. ``ambiguous``: several moves match; ``moves`` are their
    texts.
    ``rules``: a rules file has ``faults``. ``unreadable``: a game file has ``faults``.
    ``unavailable``: the database or the disk cannot be used; ``hint`` says what to do.
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
    """The win rates of a game, measured on deals of the scheme ``cadogan``."""

    deals: int = Field(description="Deals that the solver tried; it sees all cards.")
    won: int = Field(description="Deals that can be won.")
    undecided: int = Field(description="Undecided deals.")
    low: float = Field(description="Lower bound of the 95 % interval of the share that can be won.")
    high: float = Field(description="Upper bound of it; both bounds allow for undecided deals.")
    seen_deals: int = Field(description="Deals played by a fair player.")
    seen_won: int


class Exclusion(Model):
    """Why a variant cannot be combined with another."""

    variant: str
    message: "Message"


class Variant(Model):
    """A named change of a game's rules."""

    name: str
    label: str = Field(description="Its name in the language of the request.")
    why: str
    chances: Chances | None = Field(
        default=None, description="Of the game with only this variant, if measured."
    )
    difficulty: float | None = Field(default=None, description="Like that of the game.")
    excludes: list[Exclusion] = Field(
        default=[],
        description="Variants that cannot be combined with it; only present for a single game.",
    )


class GameSummary(Model):
    """A game in the list."""

    name: str = Field(description="The name by which it is loaded, without variants.")
    title: str = Field(description="Its title in the language of the request, if it has one.")
    names: dict[str, str] = Field(description="Its names by language; 'en' is always present.")
    source: str
    origin: Literal["catalogue", "upload"]
    packs: int
    cards: int = Field(description="The number of cards dealt.")
    piles: int
    open: bool = Field(description="Whether all cards can be seen from the beginning.")
    variants: list[Variant]
    favourite: bool
    last_played: datetime | None
    table: str | None = Field(description="The most recently played open table of this game.")
    played: int
    won: int
    difficulty: float | None = Field(
        description="How hard it is for a person, 0 to 1: the share of deals that a fair player "
        "did not win; if this was not measured and all cards are open, the share that cannot be "
        "won. Null if no study has measured it well enough."
    )
    chances: Chances | None = Field(description="Null if no study has measured it.")
    fault: Message | None = Field(
        description="Why it cannot be played: the player's own rules file has errors. Then only "
        "its name and title are known, and it can be removed.",
    )


class GroupInfo(Model):
    """Piles of one kind and name."""

    name: str
    role: Role
    piles: list[PileName]
    shown: Literal["all", "top", "none"]
    order: str | None = Field(description="Which cards a foundation takes, in words.")
    label: str = Field(
        description="The name of its piles in the language of the request, without the number."
    )


class Place(Model):
    """The place of a pile on the table."""

    pile: PileName
    group: str
    role: Role
    row: int = Field(description="From the top, 0-based.")
    column: float = Field(description="From the left, 0-based; halves centre a row.")
    fan: Literal["none", "down", "right"] = Field(description="How its cards overlap.")


class Layout(Model):
    """The table as a grid. ``pictured``: whether the rules file has a picture."""

    rows: int
    columns: int
    pictured: bool
    places: list[Place]


class Word(Model):
    """A move that is one word, such as ``deal`` or ``gather``; the page shows a button."""

    word: str = Field(description="The text of the move.")
    rule: str
    label: str = Field(description="The name of the move in the language of the request.")
    piles: list[PileName] = Field(description="Piles to click for it.")


class Game(Model):
    """A game with the chosen variants."""

    name: str = Field(description="With the chosen variants.")
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
    language: str = Field(description="The language of the text; may differ from the request.")
    complete: bool = Field(description="Whether all of it is in the language of the request.")


class RulesFile(Model):
    """A rules file as text."""

    name: str
    text: str
    origin: Literal["catalogue", "upload"]


class Upload(RequestBody):
    """A rules file from the player. It is checked and stored; it contains no code."""

    text: str = Field(max_length=MOST_TEXT)
    file_name: str = Field(default="my-game.toml", max_length=MOST_NAME)
    replaces: str | None = Field(
        default=None,
        max_length=MOST_NAME,
        description="The player's rules file that this replaces.",
    )


class RulesCheck(RequestBody):
    """A rules file to check without storing it."""

    text: str = Field(max_length=MOST_TEXT)


class Checked(Model):
    """The result of ``cadogan check`` for a rules file."""

    ok: bool = Field(description="Whether it can be played.")
    faults: list[Fault] = Field(description="Errors and warnings, by line.")


class Uploaded(Model):
    """A rules file was stored; it can be played as ``game.name``."""

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

    ``kind`` is ``cards`` (cards from pile to pile), ``joint`` (several transfers at once), ``swap``
    (two cards change places) or ``word`` (a move without a choice, such as ``deal``).
    """

    text: str
    kind: Literal["cards", "joint", "swap", "word"]
    rule: str
    transfers: list[Transfer] = Field(description="Empty for a word.")
    piles: list[PileName] = Field(description="For a word: the piles to click for it.")


class Choice(Model):
    """A forced rule needs a choice; only its moves are legal."""

    rule: str
    message: Message


class Counter(Model):
    """A counter of the rules."""

    name: str
    value: int
    text: str = Field(description="The value for people: 'K' for a base rank.")
    why: str


class Limit(Model):
    """How often a move is still allowed, such as a redeal."""

    word: str
    rule: str
    left: int | None = Field(description="None: no limit.")


class Pile(Model):
    """The cards of a pile, bottom card first, as far as they are visible."""

    name: PileName
    cards: list[CardText]
    wanted: list[CardText] = Field(description="What a foundation takes next.")
    closed: bool = Field(description="Accepts no more dealt cards.")


class Position(Model):
    """The cards on the table and the legal moves."""

    piles: list[Pile]
    moves: list[Move]
    choice: Choice | None
    counters: list[Counter]
    limits: list[Limit]
    outcome: Outcome | None


class Verdict(Model):
    """Whether the game can still be won.

    ``off``: not requested. ``since``: the first move after which the game could not be won;
    ``since_exact`` is false while earlier moves are still being examined. The search knows the
    hidden cards, so showing the verdict is a spoiler; ``mode`` ``none`` switches it off.
    """

    mode: VerdictMode
    status: Literal["off", "unknown", "winnable", "unwinnable"]
    searching: bool
    nodes: int
    since: int | None
    since_exact: bool
    message: Message


class Bookmark(Model):
    """A named position."""

    node: NodeNumber
    name: str
    turn: int


class Options(Model):
    """The options of a table."""

    verdict: VerdictMode
    autoplay: bool = Field(description="Safe moves and a winning finish are played automatically.")


class Table(Model):
    """A table in its current state."""

    id: TableId
    version: int = Field(description="Increases with every change; requests must name it.")
    game: str = Field(description="With variants.")
    title: str
    chosen: list[str]
    deal: str | None = Field(description="None if it was dealt from an explicit deck.")
    deck: str | None = Field(description="The cards, if the deal has no name and the game is over.")
    number: int | None = Field(description="The deal's number, if it is one of 'cadogan'.")
    begun: datetime
    seconds: float = Field(description="Time played, without pauses.")
    closed: bool = Field(description="Given up or closed.")
    won: bool = Field(description="Whether it was ever won; undo does not change that.")
    node: NodeNumber
    turn: int = Field(description="Moves from the deal to this position.")
    made: int = Field(
        description="All moves made, including undone ones; null if some were imported."
    )
    undo: bool
    redo: bool
    finish: bool = Field(description="Whether moves to the foundations alone win the game.")
    last: str | None = Field(description="The text of the last move.")
    bookmarks: list[Bookmark]
    options: Options
    stranded: Message | None = Field(
        default=None, description="Part of the record was damaged and was set aside."
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
    played: datetime = Field(description="The time of the last event.")
    turn: int
    won: bool
    closed: bool
    outcome: Outcome | None


class PileAfter(Model):
    """A pile after a step, bottom card first, as far as it is visible."""

    name: PileName
    cards: list[CardText]


class Step(Model):
    """One step of a move: the player's move, then each move that it forced.

    ``piles`` are the piles that changed, in their new state. A page that cannot animate the
    transfers shows these. Turning up a card is not a transfer.
    """

    text: str
    rule: str
    by: Literal["player", "rules", "autoplay"]
    transfers: list[Transfer]
    piles: list[PileAfter]


class Played(Model):
    """The result of a move: the steps to animate, and the new state of the table."""

    table: Table
    steps: list[Step]


class NewTable(RequestBody):
    """A deal for a new table. Without ``deal`` and ``deck`` it is random."""

    game: Name
    deal: str | None = Field(default=None, max_length=100, examples=["cadogan:1", "ms:617"])
    deck: str | None = Field(default=None, max_length=4000, examples=["AS TC 9H"])
    line: list[Annotated[str, Field(max_length=200)]] = Field(
        default=[],
        max_length=2_000,
        description="Moves to play at once, such as a shared line.",
    )
    like: TableId | None = Field(
        default=None, description="A table whose deal to use, instead of 'deal'."
    )
    closes: TableId | None = Field(default=None, description="A table to close for it.")


class MoveRequest(RequestBody):
    """A move request: ``from`` and ``to`` (and ``count``), or its ``text``."""

    model_config = ConfigDict(serialize_by_alias=True)

    version: Version
    from_: PileName | None = Field(default=None, alias="from")
    to: PileName | None = None
    count: Annotated[int, Field(ge=1, le=416), BeforeValidator(_whole)] | None = Field(
        default=None, description="By default one card, or as many as the rule requires."
    )
    text: str | None = Field(default=None, max_length=1000)


class Versioned(RequestBody):
    """A request that changes a table of a known version."""

    version: Version


class GoTo(Versioned):
    """Goes to a position of the tree."""

    node: NodeNumber


class BookmarkRequest(Versioned):
    """Sets the bookmark of a position; an empty name removes it."""

    node: NodeNumber
    name: str = Field(max_length=MOST_NAME)


class OptionsRequest(Versioned):
    """Changes the options of a table."""

    verdict: VerdictMode | None = None
    autoplay: bool | None = None


class TreeNode(Model):
    """A position of the tree."""

    node: NodeNumber
    parent: NodeNumber | None
    move: str | None
    cards: list[CardText] = Field(description="The cards of the move, as they were visible.")
    turn: int
    outcome: Outcome | None
    bookmark: str | None
    at: datetime


class Tree(Model):
    """All positions of a table, with all branches; ``path`` leads from the deal to ``node``.

    ``ahead`` continues from ``node`` with the moves of redo.
    """

    nodes: list[TreeNode]
    node: NodeNumber
    path: list[NodeNumber]
    ahead: list[NodeNumber]


class View(Model):
    """A position of the tree, and the ``steps`` that led to it."""

    node: NodeNumber
    turn: int
    move: str | None
    position: Position
    steps: list[Step]


class ReplayMove(Model):
    """A move of a replay, with what it forced."""

    text: str
    node: NodeNumber | None = Field(description="The position of the tree that it led to.")
    bookmark: str | None
    cards: list[CardText] = Field(description="The cards of the move, as they were visible.")
    outcome: Outcome | None
    steps: list[Step]


class Replay(Model):
    """A line of moves from the deal. ``piles`` is the table before the first move."""

    game: str
    title: str
    deal: str | None
    deck: str | None = Field(description="The cards, if the deal has no name.")
    piles: list[Pile]
    moves: list[ReplayMove]
    at: int = Field(description="How many of the moves lead to the current position of the table.")


class Line(RequestBody):
    """A line of moves from a link. It is not stored."""

    game: Name
    deal: str | None = Field(default=None, max_length=100, examples=["cadogan:1", "ms:617"])
    deck: str | None = Field(default=None, max_length=4000, examples=["AS TC 9H"])
    line: list[Annotated[str, Field(max_length=200)]] = Field(max_length=2_000)


class Hint(Model):
    """A suggested move.

    ``proved``: the next move of a winning line with ``left`` moves.
    ``likely``: a rule of thumb. ``none``: there is no suggestion; the message says why.
    """

    kind: Literal["proved", "likely", "none"]
    move: Move | None
    left: int | None
    message: Message


class GameFile(Model):
    """A game as a text file, which ``cadogan replay`` also reads."""

    file_name: str
    text: str


class Import(RequestBody):
    """The text of a game file."""

    text: str = Field(max_length=MOST_TEXT)


class Share(Model):
    """A link to a deal or position. ``query`` is the part after ``?``."""

    game: str
    deal: str | None
    line: list[str]
    query: str
    portable: bool = Field(description="False for a game from the player's own rules file.")


# Deals that can be won.


class SearchRequest(RequestBody):
    """Searches for a winnable deal."""

    game: Name


class Search(Model):
    """The state of a search for a winnable deal."""

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
    """Numbers of games by the verdict of their deal."""

    played: int
    won: int


class Statistic(Model):
    """The player's results at a game with certain variants. Times are in seconds."""

    game: str
    title: str
    played: int = Field(description="Finished tables with at least one move.")
    won: int
    lost: int
    open: int
    streak: int = Field(description="Current wins in a row; negative for losses in a row.")
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


class Settings(RequestBody):
    """The player's settings. The server stores them, so that all tabs agree."""

    language: Literal["auto", "en", "de"] = "auto"
    theme: Annotated[str, Field(max_length=40)] = "auto"
    felt: Annotated[str, Field(max_length=40)] = "green"
    deck: Annotated[str, Field(max_length=40)] = "two-colour"
    speed: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = Field(
        default=1.0, description="Of animations; 0 switches them off, 1 is normal."
    )
    left_handed: bool = False
    hide_clock: bool = False
    hide_score: bool = False
    autoplay: bool = Field(default=False, description="For new tables.")
    verdict: VerdictMode = Field(default="thoughtful", description="For new tables.")
    winnable_only: bool = Field(default=False, description="Deal only winnable games.")
    page: dict[Annotated[str, Field(max_length=40)], Any] = Field(
        default={}, max_length=100, description="Settings of the page itself, up to 8 kB as JSON."
    )


class About(Model):
    """Information about the server."""

    version: str
    languages: list[str]
    games: int
    workers: int = Field(description="Processes that search for verdicts.")
    schemes: list[str] = Field(description="The known schemes of deals: 'cadogan', 'ms', ...")


# Events, which the server sends over the WebSocket of a table.


class TableEvent(Model):
    """The table has changed, possibly in another tab."""

    type: Literal["table"] = "table"
    table: Table


class VerdictEvent(Model):
    """The verdict of the table has changed."""

    type: Literal["verdict"] = "verdict"
    version: int
    node: NodeNumber
    verdict: Verdict
