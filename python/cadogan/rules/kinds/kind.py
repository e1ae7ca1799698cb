"""What a kind of rule is: everything that the rest of Cadogan asks of an action.

A kind is a subclass of :class:`Action` in a module of its own: a frozen dataclass whose fields are
the data of one rule, and whose methods are all that Python knows of the kind. No other module tells
kinds apart; it calls a method and hands over what the method needs. What has no answer that is
right for a kind nobody has thought of is abstract: a kind without it cannot be used, and mypy says
what is missing.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from cadogan.rules.kinds.keys import Key

if TYPE_CHECKING:
    from cadogan.move_text import MovePart, ParsedMove
    from cadogan.moves import MoveCode
    from cadogan.refusal import Refusals
    from cadogan.rules.check.actions import Actions as Reader
    from cadogan.rules.check.extent import Bounds
    from cadogan.rules.compile.compile import Tables
    from cadogan.rules.compile.symmetry import Symmetry
    from cadogan.rules.explain.english.actions import Actions as English
    from cadogan.rules.explain.german.actions import GermanActions as German
    from cadogan.rules.faults.report import Report
    from cadogan.rules.rulebook.relations import Relation
    from cadogan.rules.rulebook.rulebook import Rule, Rulebook
    from cadogan.rules.source.span import Path

Transfers = Sequence[tuple[int, int, int]]
"""What a move does: (from, number of cards, to)."""


class Action(ABC):
    """What a rule does.

    Attributes:
        KEY: The key of a rules file that says that a rule is of this kind.
        OTHER_KEYS: Other keys that say it, too.
        KEYS: The keys that such a rule may have, apart from those of every rule.
        VALUES: The classes of what its fields hold, if they are of this kind only.
        SECTION: The section of the rules in words that describes free rules of this kind.
        MAY_BE_EMPTY: Whether a rule that only changes counters is of this kind.
        TITLED: Whether the rules in words give each such rule a title of its own.
        DISPLAY: How the page shows such a move.
        SIGN: What stands between the piles of such a move.
        ONLY_TWO: What is said of a text in which the sign stands more than once.
        PREFIX: What stands before the pile of such a move, if it names only one.
        MAY_BE_ASKED: Whether a condition may ask if such a rule is possible.
        NEEDS_TRANSFERS: Whether a move can be written only when its transfers are known.
        TAKES_COVERED: Whether it takes cards even while others cover them.
    """

    __slots__ = ()

    KEY: ClassVar[str]
    OTHER_KEYS: ClassVar[tuple[str, ...]] = ()
    KEYS: ClassVar[tuple[Key, ...]]
    VALUES: ClassVar[tuple[type, ...]] = ()
    SECTION: ClassVar[Literal["playing", "building", "stock"]]
    MAY_BE_EMPTY: ClassVar[bool] = False
    TITLED: ClassVar[bool] = False
    DISPLAY: ClassVar[Literal["cards", "joint", "swap"]] = "cards"
    SIGN: ClassVar[str] = ">"
    ONLY_TWO: ClassVar[str]
    PREFIX: ClassVar[str] = ""
    MAY_BE_ASKED: ClassVar[bool] = False
    NEEDS_TRANSFERS: ClassVar[bool] = False
    TAKES_COVERED: ClassVar[bool] = False

    # Reading.

    @classmethod
    @abstractmethod
    def read(cls, raw: dict[str, Any], path: "Path", reader: "Reader") -> Self | None:
        """Reads a rule; ``None`` if faults were reported that leave nothing of it."""

    # What it does to piles.

    @abstractmethod
    def takes_from(self) -> set[int]:
        """The piles that it can take cards from."""

    @abstractmethod
    def puts_on(self) -> set[int]:
        """The piles that it can put more cards on."""

    def lays_down(self) -> set[int]:
        """The piles that it puts cards on face down."""
        return set()

    def turns_up(self) -> set[int]:
        """The piles whose face-down cards it turns up or takes away."""
        return set()

    def is_endless(self, rule: "Rule", book: "Rulebook") -> bool:
        """Whether it brings cards back, to be dealt again, without limit."""
        return False

    def deals(self, piles: set[int]) -> bool:
        """Whether it puts cards on these piles by dealing."""
        return False

    def vacates(self, piles: set[int]) -> bool:
        """Whether it can take the last card of one of these piles and leave a vacancy."""
        return not piles.isdisjoint(self.takes_from())

    @property
    def adds_up(self) -> bool:
        """Whether it must know the value of every card."""
        return False

    @property
    def looks_beside(self) -> bool:
        """Whether it matters which piles lie beside each other in the picture."""
        return False

    @property
    def is_tried(self) -> bool:
        """Whether its moves may fail because of unseen cards; :meth:`transfers` says their aim."""
        return False

    @abstractmethod
    def can_stack(self, piles: set[int]) -> bool:
        """Whether it can make one of these piles hold more than one card."""

    @abstractmethod
    def separates(self, piles: set[int]) -> bool:
        """Whether it can part two cards that lie on one another in these piles, or join them."""

    def takes_two(self, piles: set[int]) -> bool:
        """Whether it takes just two cards that lie on one another in these piles."""
        return False

    # Limits and warnings.

    @abstractmethod
    def most_moves(self, bounds: "Bounds") -> int:
        """How many moves it allows in any position at most."""

    @property
    def may_wait(self) -> bool:
        """Whether it waits for a choice of the player when it is forced."""
        return False

    def relations(self) -> Iterable["Relation"]:
        """The rules of building that the kernel needs as tables."""
        return ()

    @abstractmethod
    def demands(self) -> Iterator[tuple[str, Iterable[int], int]]:
        """What it needs, in words, and piles of which so many must hold cards for that."""

    def vacancies(self) -> Iterable[frozenset[int]]:
        """Piles one of which must be vacant for it to be used."""
        return ()

    def idle(self, book: "Rulebook") -> tuple[str, str] | None:
        """The key because of which it can never be used, and why; ``None`` if it can."""
        return None

    def lint(self, rule: "Rule", index: int, book: "Rulebook", report: "Report") -> None:
        """Warns of what looks wrong in a rule of this kind only."""
        return

    # Compiling.

    @abstractmethod
    def program(self, tables: "Tables") -> dict[str, Any]:
        """Its form in a program; see ``crates/kernel/src/program/format/``."""

    @abstractmethod
    def fills(self, total: int) -> Iterator[tuple[Iterable[int], int]]:
        """Piles that it puts cards on, and how many each can hold then, in a pack of so many."""

    @abstractmethod
    def is_even(self, rule: "Rule", among: "Symmetry") -> bool:
        """Whether it treats all piles of a group alike. When in doubt, no."""

    # Moves.

    def word(self, rule: "Rule") -> str | None:
        """The one word that its moves are written as, if there is nothing to choose in them."""
        return None

    def transfers(self, move: "MoveCode") -> Transfers | None:
        """What a move does, if its code says that and not only the ends of one transfer."""
        return None

    @abstractmethod
    def write(self, source: str, target: str, count: int, transfers: Sequence[str] | None) -> str:
        """Writes a move.

        Args:
            source: The pile it goes from.
            target: The pile it goes to.
            count: How many cards go.
            transfers: Its transfers, where they are known: ``"garden.1 > foundations.2"``.
        """

    def fits(self, parts: Sequence["MovePart"], move: "MoveCode", transfers: Transfers) -> bool:
        """Whether the piles that a player names are those of a move."""
        if len(parts) > 1:
            return False
        (part,) = parts
        return (
            move.source in part.sources
            and (part.targets is None or move.target in part.targets)
            and part.count in (None, move.count)
        )

    @classmethod
    @abstractmethod
    def refusal(cls, parsed: "ParsedMove", at: "Refusals") -> str | None:
        """Why a move that is written as moves of this kind are is illegal; else ``None``."""

    def when_stacked(self, piles: set[int], parsed: "ParsedMove", at: "Refusals") -> str | None:
        """Why two cards, of which one is put on the other, do not leave; else ``None``."""
        return None

    def instead(
        self, rule: "Rule", sources: set[int], targets: set[int], ends: Mapping[str, str]
    ) -> str | None:
        """How cards get from some piles to others by this rule, if not by a move.

        Args:
            rule: The rule.
            sources: The piles they lie on.
            targets: The piles they should go to.
            ends: What these are called: ``start`` and ``end``.
        """
        return None

    def depth(self, count: int) -> int | None:
        """How deep the one card of a move lies that others lie on; the top card is 1.

        Args:
            count: The number in the code of the move.
        """
        return None

    def clicks(self) -> Sequence[int]:
        """The piles one would click for a move that is one word, in order."""
        return ()

    # Words.

    def goes_up(self, words: "English") -> bool:
        """Whether it plays cards to foundations."""
        return False

    @abstractmethod
    def english(self, words: "English", *, forced: bool) -> list[str]:
        """What it does, as clauses; what the player may do, if it is not forced."""

    @abstractmethod
    def english_use(self, rule: "Rule", words: "English") -> str:
        """A use of the rule: ``"whenever two cards change places"``."""

    @abstractmethod
    def german(self, words: "German", *, forced: bool) -> list[str]:
        """What it does in German, as clauses ``subject|verb rest``."""

    @abstractmethod
    def german_use(self, rule: "Rule", words: "German", sooft: str) -> str:
        """A use of the rule in German: ``"sooft zwei Karten die Plätze tauschen"``."""
