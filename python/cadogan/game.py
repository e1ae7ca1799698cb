"""Games and positions.

A :class:`Game` is a set of rules that is ready to be played. A :class:`Position` is one state of a
table, together with the moves that led to it. Both are immutable: playing a move returns a new
position.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, final

from cadogan import _kernel, savefile, views
from cadogan.cards import Card, format_cards, parse_cards
from cadogan.deals import RestlessError, check_deck, deck_for, parse_deal
from cadogan.i18n.text import gettext
from cadogan.moves import IllegalMoveError, Move, MoveCode, MoveError
from cadogan.notation import Notation
from cadogan.refusal import choice
from cadogan.rules.files import resolve
from cadogan.views import CARDS

if TYPE_CHECKING:
    from cadogan.rules import Rules
    from cadogan.rules.cache import Compiled
    from cadogan.rules.rulebook.rulebook import Rulebook, Variant

Outcome = Literal["won", "lost", "over"]

OUTCOMES: tuple[Outcome | None, ...] = (None, "won", "lost", "over")
"""The outcomes by their numbers in the kernel."""
FEW_MOVES = 100
"""With at most this many legal moves, searching the list of all moves is fast enough."""
_NOTE = re.compile(
    r"(?P<game>.+?)(?<! ) ++(?:(?P<deal>[\w-]+:\S+)|\[(?P<deck>[^\]]*)\])"
    r"(?: *\|(?P<line>.*))?",
    re.DOTALL,
)


def load(name: str | Path) -> "Game":
    """Reads a game.

    Games are cached, so loading one again costs next to nothing. If a rules file has changed since,
    it is read again.

    Args:
        name: The name of a game of the catalogue, or the path of a rules file, with or without
            variants: ``"amazons"``, ``"amazons:left-to-right+queens-free"``, ``"./my-game.toml"``.
            A title or an alias will do, too: ``"Hidden Cards"`` is ``"clock"``.

    Returns:
        The game.

    Raises:
        UnknownGameError: If there is no such game or variant.
        RulesError: If the rules file has faults; the message names all of them.

    >>> load("flower-garden").title
    'The Flower Garden'
    """
    text = resolve(str(name))
    path, ending, _ = text.partition(".toml")
    stamp = None
    if ending:
        try:
            status = Path(path + ending).stat()
            stamp = (status.st_mtime_ns, status.st_size)
        except OSError:
            pass  # The pipeline reports a missing file better than we can here.
    return _load(text, stamp)


@lru_cache(maxsize=128)
def _load(name: str, stamp: tuple[int, int] | None) -> "Game":
    # The pipeline imports libraries that are slow to import, and many callers never need it.
    from cadogan.rules.cache import compiled

    return Game(name, compiled(name))


@final
class Game:
    """A game, ready to be dealt. Returned by :func:`load`.

    Attributes:
        name: The name by which it is loaded, with its variants: ``"amazons:left-to-right"``.
        title: Its title, ``"Amazons"``.
        variants: All variants of the rules file, each with its ``name`` and ``why``.
        active_variants: The names of the variants that are active.
        rulebook: The checked rules.
        digest: A hash of the compiled rules, in hexadecimal.
        pack: The cards that are shuffled and dealt, sorted.
        pile_names: The names of all piles, in the order of the rules file.
    """

    name: str
    title: str
    variants: "tuple[Variant, ...]"
    active_variants: tuple[str, ...]
    rulebook: "Rulebook"
    digest: str
    pack: tuple[Card, ...]
    pile_names: tuple[str, ...]

    def __init__(self, name: str, rules: "Compiled | Rules") -> None:
        book = rules.rulebook
        self.name = name
        self.title = book.name
        self.variants = book.variants
        self.active_variants = book.chosen
        self.rulebook = book
        self.digest = rules.digest
        self.pack = tuple(CARDS[code] for code in book.deck)
        self.pile_names = book.pile_names
        program = rules.program
        self._program = _kernel.Program(
            program if isinstance(program, bytes) else program.to_bytes()
        )
        self._notation = Notation(name, book)
        self._shown = tuple(group.shown for group in book.groups for _ in group.piles)

    def deal(
        self, deal: str | None = None, *, deck: Iterable[Card | str] | None = None
    ) -> "Position":
        """Lays out the table and applies every rule that is forced in the layout.

        Args:
            deal: The name of the deal, ``"cadogan:1"``.
            deck: Instead of a name, the cards in dealing order, without those that the game removes
                before the shuffle.

        Returns:
            The first position in which the player has a choice.

        Raises:
            DealError: If there is no such deal for this game.
            DeckError: If cards of the deck are unknown, missing or too many; the message names all
                of them.
            RestlessError: If the forced rules of the game never end with these cards. It is also a
                ``DealError``.

        >>> game = load("flower-garden")
        >>> position = game.deal("cadogan:1")
        >>> position == game.deal(deck=position.deck)
        True
        """
        if (deal is None) == (deck is None):
            raise TypeError("name a deal, as in deal('cadogan:1'), or give the cards of a deck")
        if deal is not None:
            name = parse_deal(deal)
            deal, cards = (
                str(name),
                tuple(deck_for(name, self.rulebook, again=self._program.is_dealt_again)),
            )
        else:
            assert deck is not None
            cards = tuple(check_deck(deck, self.pack))
        try:
            state = self._program.deal(bytes(card.code for card in cards))
        except RuntimeError as error:
            raise self._restless(error) from None
        layout = tuple(self._notation.forced(code) for code in state.layout_moves())
        return Position(self, state, cards, deal, None, layout)

    def _restless(self, error: RuntimeError) -> RuntimeError:
        """The error for an error of the kernel: ``RestlessError`` if forced rules never end."""
        return RestlessError.of_kernel(error, [rule.name for rule in self.rulebook.rules])

    @property
    def verbs(self) -> Mapping[int, str]:
        """The rules whose moves are a single word, such as ``"deal"``, by index in the rulebook.

        >>> list(load("klondike").verbs.values())
        ['deal', 'redeal']
        """
        return MappingProxyType(self._notation.verbs)

    def _repr_html_(self) -> str:
        from cadogan.pictures.html import game_html

        return game_html(self)

    def __repr__(self) -> str:
        return f"cadogan.load({self.name!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return load, (self.name,)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a move, as returned by :meth:`Position.steps`.

    Attributes:
        move: The move, or a move that it forced.
        transfers: The cards that went from pile to pile: (from, number of cards, to), in order.
        view: What the player can see of every pile afterwards, as :meth:`Position.visible_piles`.
        face_down: Whether each card lies face down, as :attr:`Position.face_down`.
    """

    move: Move
    transfers: tuple[tuple[str, int, str], ...]
    view: Mapping[str, tuple[Card | None, ...]]
    face_down: Mapping[str, tuple[bool, ...]]


@final
class Position:
    """One position of a game, and the line of moves that led to it. Returned by :meth:`Game.deal`.

    Two positions are equal if their games have the same rules and their tables differ only in the
    order of interchangeable piles, such as three fans. Counters, such as the number of redeals,
    also count; the line of moves does not.

    ``str(position)`` is one line of text, from which :meth:`parse` builds the position again.

    >>> position = load("flower-garden").deal("cadogan:1")
    >>> str(position)
    'flower-garden cadogan:1'
    """

    __slots__ = (
        "_by_code",
        "_cache",
        "_deal_name",
        "_deck",
        "_game",
        "_move_count",
        "_parent",
        "_state",
        "_tail",
    )

    def __init__(
        self,
        game: Game,
        state: _kernel.State,
        deck: tuple[Card, ...],
        deal_name: str | None,
        parent: "Position | None",
        tail: tuple[Move, ...],
    ) -> None:
        self._game = game
        self._state = state
        self._deck = deck
        self._deal_name = deal_name
        self._parent = parent
        self._tail = tail
        self._move_count: int = 0 if parent is None else parent._move_count + 1
        self._cache: tuple[Move, ...] | None = None
        self._by_code: dict[int, Move] | None = None

    # What lies on the table.

    @property
    def game(self) -> Game:
        """The game."""
        return self._game

    @property
    def piles(self) -> Mapping[str, tuple[Card, ...]]:
        """The cards of every pile, bottom card first, including face-down cards.

        >>> piles = load("flower-garden").deal("cadogan:1").piles
        >>> len(piles["garden.1"]), len(piles["bouquet.16"]), piles["foundations.1"]
        (6, 1, ())
        """
        return views.cards_of(self._game.pile_names, self._state.piles())

    @property
    def face_down(self) -> Mapping[str, tuple[bool, ...]]:
        """Whether each card of each pile lies face down, in the order of :attr:`piles`.

        >>> load("flower-garden").deal("cadogan:1").face_down["bouquet.1"]
        (False,)
        """
        return views.face_down(self._game.pile_names, self._state.piles())

    def visible_piles(self) -> Mapping[str, tuple[Card | None, ...]]:
        """What the player can see: like :attr:`piles`, with ``None`` for every hidden card.

        Face-down cards are hidden, and so are all cards of a squared pile below its top card.

        >>> seen = load("flower-garden").deal("cadogan:1").visible_piles()
        >>> any(card is None for pile in seen.values() for card in pile)
        False
        """
        return views.visible(self._game.pile_names, self._game._shown, self._state.piles())

    @property
    def counters(self) -> Mapping[str, int]:
        """The values of the counters of the rules, by name."""
        names = (counter.name for counter in self._game.rulebook.counters)
        return MappingProxyType(dict(zip(names, self._state.counters(), strict=False)))

    @property
    def closed_piles(self) -> frozenset[str]:
        """The piles that accept no more dealt cards."""
        names = self._game.pile_names
        return frozenset(names[pile] for pile in self._state.closed() if pile < len(names))

    def next_cards(self, pile: str) -> tuple[Card, ...]:
        """The cards that a foundation takes next, in order; empty if it is complete.

        Args:
            pile: The name of a pile. The result is empty for piles that are not foundations.

        >>> load("flower-garden").deal("cadogan:1").next_cards("foundations.1")
        (Card('AC'), Card('AD'), Card('AH'), Card('AS'))
        """
        index = self._game.pile_names.index(pile)
        return views.next_cards(self._game.rulebook, self._state, index)

    # What may happen.

    def moves(self) -> list[Move]:
        """The legal moves; if a forced rule needs a choice, the moves to choose from.

        >>> position = load("flower-garden").deal("cadogan:1")
        >>> all(position.play(str(move)) == position.play(move) for move in position.moves())
        True
        """
        return list(self._listed())

    def safe_moves(self) -> list[Move]:
        """The moves that are proved never to be a mistake.

        Each brings one card to a foundation: if a game can be won before it, it can be won after
        it. The proof uses the rules and the visible cards only, so it reveals nothing about hidden
        cards. The list is empty if the proof does not hold for the rules, as with two packs or
        where empty piles are filled automatically.

        >>> position = load("freecell").deal("ms:1").play("tableau.6 > cells").play("t6 > cells")
        >>> [move.text for move in position.safe_moves()]
        ['tableau.6 > foundations.1']
        """
        safe = self._state.safe_moves()
        return [move for move in self._listed() if move.code in safe] if safe else []

    def play(self, move: Move | str) -> "Position":
        """Plays a move and everything that it forces.

        Args:
            move: A move of :meth:`moves`, or its text. The text may be informal: spaces and case do
                not matter, ``->`` and ``to`` stand for ``>``, names may be abbreviated (``g.3``),
                and a card after a pile is checked (``garden.3 9H > foundations.1``).

        Returns:
            The position after the move; this one does not change.

        Raises:
            InvalidMoveError: If the text cannot be read.
            IllegalMoveError: If the move is not allowed now, or if the forced rules of the game
                never end after it; the message explains why.
            AmbiguousMoveError: If several moves fit the text.
        """
        if isinstance(move, str):
            move = self.parse_move(move)
        elif not self._is_listed(move):
            move = self.parse_move(move.text)
        try:
            state, forced = self._state.play(move.code)
        except RuntimeError as error:
            raise self._restless(move, error) from None
        notation = self._game._notation
        tail = (move, *(notation.forced(code) for code in forced))
        return Position(self._game, state, self._deck, self._deal_name, self, tail)

    def parse_move(self, text: str) -> Move:
        """The legal move that a text describes, as :meth:`play` reads it, without playing it.

        Raises:
            InvalidMoveError: If the text cannot be read.
            IllegalMoveError: If the move is not allowed now; the message explains why.
            AmbiguousMoveError: If several moves fit the text.

        >>> load("flower-garden").deal("cadogan:1").parse_move("g2 to g5").text
        'garden.2 > garden.5'
        """
        try:
            return self._game._notation.read(text, self._state, self._listed())
        except MoveError as error:
            raise error.at(self) from None

    def why_not(self, move: Move | str) -> str | None:
        """Explains why a move is not allowed.

        Args:
            move: The move or its text, as for :meth:`play`.

        Returns:
            The reason in words, or ``None`` if the move is legal.

        Raises:
            InvalidMoveError: If the text cannot be read.
            AmbiguousMoveError: If several moves fit the text.

        >>> load("flower-garden").deal("cadogan:1").why_not("garden.1 > bouquet.1")
        'the bouquet takes no cards'
        """
        try:
            self.parse_move(str(move))
        except IllegalMoveError as error:
            return error.reason
        return None

    def transfers(self, move: Move) -> list[tuple[str, int, str]]:
        """The transfers of a legal move itself, without what it forces.

        If they depend on cards that nobody has seen, because the move may fail, these are the
        transfers that it is meant for.

        Returns:
            Transfers (from, number of cards, to), in order.

        Raises:
            IllegalMoveError: If the move is not allowed now.
        """
        if not self._is_listed(move):
            move = self.parse_move(move.text)
        return self._named(self._meant(move.code) or self._state.transfers(move.code))

    def moves_with_transfers(self) -> list[tuple[Move, list[tuple[str, int, str]]]]:
        """The legal moves, each with its transfers, as returned by :meth:`transfers`.

        This takes as long as a few calls of :meth:`transfers`, because each of those has to find
        its move among all legal moves. Use it in loops over all moves.

        >>> position = load("klondike").deal("cadogan:1")
        >>> all(position.transfers(move) == each for move, each in position.moves_with_transfers())
        True
        """
        pairs = zip(self._listed(), self._state.moves_with_transfers(), strict=True)
        return [(move, self._named(self._meant(move.code) or ways)) for move, (_, ways) in pairs]

    def _meant(self, code: int) -> Sequence[tuple[int, int, int]] | None:
        """The transfers that a move is meant for, if what it does depends on unseen cards."""
        packed = MoveCode.of(code)
        action = self._game.rulebook.rules[packed.rule].action
        return action.transfers(packed) if action.is_tried else None

    def _named(self, transfers: Iterable[tuple[int, int, int]]) -> list[tuple[str, int, str]]:
        """Transfers with the names of piles, without those from or to the pack."""
        names = self._game.pile_names
        there = len(names)
        return [(names[a], n, names[b]) for a, n, b in transfers if a < there and b < there]

    def steps(self, move: Move) -> list[Step]:
        """A legal move, step by step: the move itself, then each move that it forces.

        Raises:
            IllegalMoveError: If the move is not allowed now, or if the forced rules of the game
                never end after it.

        >>> klondike = load("klondike").deal("cadogan:1")
        >>> (step,) = klondike.steps(klondike.moves()[-1])
        >>> step.move.text, step.transfers
        ('deal', (('stock', 1, 'waste'),))
        """
        if not self._is_listed(move):
            move = self.parse_move(move.text)
        try:
            steps = self._state.unfold(move.code)
        except RuntimeError as error:
            raise self._restless(move, error) from None
        names, notation = self._game.pile_names, self._game._notation
        return [
            Step(
                move if index == 0 else notation.forced(code),
                tuple(self._named(transfers)),
                views.visible(names, self._game._shown, packed_piles),
                views.face_down(names, packed_piles),
            )
            for index, (code, transfers, packed_piles) in enumerate(steps)
        ]

    def _restless(self, move: Move, error: RuntimeError) -> Exception:
        restless = self._game._restless(error)
        if not isinstance(restless, RestlessError):
            return restless
        why = gettext(
            "after it the forced rules of the game would not come to rest: {fault}",
            fault=restless.fault,
        )
        return IllegalMoveError(move.text, why, self)

    @property
    def outcome(self) -> Outcome | None:
        """``"won"``, ``"lost"`` (no move is left), or ``None`` while the game is open.

        A game that only counts points is ``"over"`` when no move is left.
        """
        return OUTCOMES[self._state.outcome()]

    @property
    def score(self) -> int | None:
        """The points, in this position; ``None`` if the game is not scored.

        >>> load("flower-garden").deal("cadogan:1").score is None
        True
        """
        return self._state.score()

    @property
    def pending_choice(self) -> str | None:
        """The name of the forced rule that waits for the player's choice, if there is one."""
        rule = self._state.choosing()
        return None if rule is None else self._game.rulebook.rules[rule].name

    def explain_choice(self) -> str | None:
        """Describes the choice that a forced rule needs from the player, or ``None``.

        >>> load("flower-garden").deal("cadogan:1").explain_choice() is None
        True
        """
        return choice(self._game.rulebook, self._state, self._listed())

    # How it came about.

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards that were dealt, in the order in which they left the pack."""
        return self._deck

    @property
    def deal_name(self) -> str | None:
        """The name of the deal, or ``None`` if it was dealt from an explicit deck."""
        return self._deal_name

    @property
    def line(self) -> tuple[Move, ...]:
        """All moves that led here, including forced ones (``move.forced``) and those of the layout.

        >>> position = load("flower-garden").deal("cadogan:1")
        >>> move = position.moves()[0]
        >>> position.line, position.play(move).line == (move,)
        ((), True)
        """
        tails: list[tuple[Move, ...]] = []
        position: Position | None = self
        while position is not None:
            tails.append(position._tail)
            position = position._parent
        return tuple(move for tail in reversed(tails) for move in tail)

    @property
    def last_move(self) -> Move | None:
        """The player's last move, without the moves that it forced; ``None`` before the first."""
        return self._tail[0] if self._parent is not None else None

    def line_since(self, earlier: "Position") -> tuple[Move, ...]:
        """All moves, including forced ones, from an earlier position of the same game to this one.

        Raises:
            ValueError: If this position was not played from that one.

        >>> position = load("flower-garden").deal("cadogan:1")
        >>> move = position.moves()[0]
        >>> position.play(move).line_since(position) == (move,)
        True
        """
        tails: list[tuple[Move, ...]] = []
        position: Position | None = self
        while position is not None and position is not earlier:
            tails.append(position._tail)
            position = position._parent
        if position is None:
            raise ValueError(f"{self} was not played from {earlier}")
        return tuple(move for tail in reversed(tails) for move in tail)

    @property
    def move_count(self) -> int:
        """The number of moves that the player has made."""
        return self._move_count

    def undo(self) -> "Position":
        """The position before the player's last move; what that move forced is undone, too.

        Raises:
            ValueError: If the player has not moved yet.
        """
        if self._parent is None:
            raise ValueError(f"there is no move to undo in {self}")
        return self._parent

    # Saving, comparing, writing.

    def to_json(self) -> str:
        """Saves the game: the name and digest of the rules, the deal, and the line of moves."""
        return savefile.dump(self, self._game)

    @classmethod
    def from_json(cls, text: str, game: Game | None = None) -> "Position":
        """Replays a saved game, and checks that nothing has changed.

        Args:
            text: The text that :meth:`to_json` returned.
            game: The game, if it should not be loaded by the saved name.

        Raises:
            SavedGameError: If the text is damaged or the rules have changed; the message says what
                differs.

        >>> position = load("flower-garden").deal("cadogan:1")
        >>> Position.from_json(position.to_json()) == position
        True
        """
        return savefile.read(text, load, game)

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Reads the text of a position as ``str`` writes it: game, deal and the player's moves.

        >>> str(Position.parse("flower-garden cadogan:1"))
        'flower-garden cadogan:1'
        """
        match = _NOTE.fullmatch(text.strip())
        if match is None:
            raise ValueError(
                f"not the note of a position: {text!r}; "
                "write 'GAME DEAL' or 'GAME DEAL | MOVE; MOVE'"
            )
        game = load(match["game"])
        if match["deal"] is not None:
            position = game.deal(match["deal"])
        else:
            position = game.deal(deck=parse_cards(match["deck"]))
        for move in (match["line"] or "").split(";"):
            if move.strip():
                position = position.play(move)
        return position

    @property
    def hash(self) -> int:
        """A 128-bit number, equal for equal positions on every machine."""
        return self._state.hash128()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._game.digest == other._game.digest and self._state == other._state

    def __hash__(self) -> int:
        return hash((self._game.digest, self._state.hash128()))

    def __str__(self) -> str:
        deal = self._deal_name or f"[{format_cards(self._deck)}]"
        line = "; ".join(move.text for move in self.line if not move.forced)
        return f"{self._game.name} {deal}" + (f" | {line}" if line else "")

    def _repr_svg_(self) -> str:
        from cadogan.pictures.board import board

        return board(self)

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Position.from_json, (self.to_json(),)

    def _listed(self) -> tuple[Move, ...]:
        if self._cache is None:
            self._cache = self._game._notation.moves(self._state)
        return self._cache

    def _is_listed(self, move: Move) -> bool:
        # A move of another game may have the same code.
        legal = self._listed()
        if len(legal) <= FEW_MOVES:
            return move in legal
        if self._by_code is None:
            self._by_code = {each.code: each for each in legal}
        return self._by_code.get(move.code) == move


def perft(position: Position, depth: int) -> int:
    """Counts the sequences of legal moves of a given length.

    Args:
        position: The position in which the sequences begin.
        depth: Their length in moves. Each additional move takes about ten times longer; Ctrl-C
            interrupts.

    Raises:
        RestlessError: If the forced rules of the game never end after a move.

    >>> position = load("flower-garden").deal("cadogan:1")
    >>> perft(position, 1) == len(position.moves())
    True
    """
    try:
        return _kernel.perft(position._state, depth)
    except RuntimeError as error:
        raise position.game._restless(error) from None
