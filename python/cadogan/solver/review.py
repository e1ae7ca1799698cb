"""Reviews: where a game was lost, how that is proved, and which moves would have kept the win.

If a game can be won after a move, it could be won before it; if it cannot be won before a move, it
cannot be won after it. So a line loses at most once, and few searches find the place. After that
the other legal moves are searched, which shows how many of them kept the win.

A review searches nothing itself. It says which position is worth a search, and takes the result;
:func:`review` joins it to :func:`cadogan.solve`, and the table to its worker processes.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from cadogan.game import Position
from cadogan.i18n.text import Translatable, gettext, ngettext
from cadogan.moves import Move
from cadogan.solver.solve import Status, Verdict, solve

BUDGET: Final = 100_000
"""The nodes searched for a position of the line, unless the caller says otherwise."""
MOVE_SHARE: Final = 5
"""A move that was not played gets one in so many of these nodes."""

How = Literal["open", "rules", "line", "search", "later", "earlier"]
"""How a position was decided: not at all; by the rules, since the game has ended there; by a line
that wins; by a complete search; by a later position of the game that can be won; by an earlier one
that cannot."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is known about a position.

    Attributes:
        status: Whether it can be won.
        how: How that is known.
        proof: What a search rests on, as in :class:`cadogan.Verdict`.
        nodes: The positions searched for it.
        left: The number of moves to a win, if a line is known.
    """

    status: Status = "unknown"
    how: How = "open"
    proof: str = ""
    nodes: int = 0
    left: int | None = None

    @classmethod
    def of(cls, verdict: Verdict) -> "Finding":
        """The result of a search."""
        return cls.searched(verdict.status, verdict.proof, verdict.nodes, len(verdict.line))

    @classmethod
    def searched(cls, status: Status, proof: str, nodes: int, left: int) -> "Finding":
        """The result of a search, from its parts; ``left`` is the length of the line."""
        if status == "winnable":
            return cls(status, "line", proof, nodes, left)
        return cls(status, "open" if status == "unknown" else "search", proof, nodes)

    def text(self) -> Translatable:
        """Says how it is known."""
        if self.how == "open":
            if not self.nodes:
                return gettext("not searched yet")
            return ngettext(
                "not decided by a search of one position",
                "not decided by a search of {number} positions",
                number=self.nodes,
            )
        if self.how == "rules":
            won = self.status == "winnable"
            return gettext("the game is won") if won else gettext("no move is left")
        if self.how == "later":
            return gettext("the game could still be won later")
        if self.how == "earlier":
            return gettext("the game could not be won any more before it")
        if self.how == "line":
            return ngettext(
                "a line of one move wins, which was played to the end",
                "a line of {number} moves wins, which was played to the end",
                number=self.left or 0,
            )
        return _proof(self.proof)


WON: Final = Finding("winnable", "rules", left=0)
LOST: Final = Finding("unwinnable", "rules")
OPEN: Final = Finding()


def _proof(words: str) -> Translatable:
    """A proof of the kernel, in words that can be translated."""
    found = re.fullmatch(r"all (\d+) positions( of the game .*)? were searched(, .*)?", words)
    if found is None:
        return gettext("a pile can never be emptied, since its cards need cards below them")
    number = int(found[1])
    if found[2]:
        return ngettext(
            "even an easier game is lost: its only position was searched",
            "even an easier game is lost: all its {number} positions were searched",
            number=number,
        )
    if found[3]:
        return gettext(
            "no position that can follow is won: {number} positions were searched, some of them in "
            "easier games",
            number=found[1],
        )
    return ngettext(
        "the only position that can follow was searched, without a win",
        "all {number} positions that can follow were searched, without a win",
        number=number,
    )


def key_of(position: Position) -> Finding | int:
    """What the rules say of a position, if the game has ended there; otherwise its hash."""
    match position.outcome:
        case "won":
            return WON
        case "lost":
            return LOST
    return position.hash


def inferred(statuses: Sequence[Status]) -> list[Status]:
    """What follows for the positions of a line: wins hold for all before, losses for all after.

    >>> inferred(["unknown", "winnable", "unknown", "unwinnable", "unknown"])
    ['winnable', 'winnable', 'unknown', 'unwinnable', 'unwinnable']
    """
    last, first = gap(statuses)
    before: list[Status] = ["winnable"] * (last + 1)
    after: list[Status] = ["unwinnable"] * (len(statuses) - first)
    return [*before, *statuses[last + 1 : first], *after]


def gap(statuses: Sequence[Status]) -> tuple[int, int]:
    """The last position that can be won (or -1), and the first that cannot (or their number)."""
    first = next((i for i, each in enumerate(statuses) if each == "unwinnable"), len(statuses))
    return max((i for i in range(first) if statuses[i] == "winnable"), default=-1), first


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move of a turn.

    Attributes:
        move: The move.
        finding: What is known about the position after it.
        is_played: Whether it was played.
    """

    move: Move
    finding: Finding
    is_played: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """A position of a reviewed game.

    Attributes:
        number: How many moves led to it.
        finding: What is known about it.
        legal: The number of legal moves.
        kept: How many of them keep the win.
        lost: How many of them lose.
    """

    number: int
    finding: Finding
    legal: int
    kept: int
    lost: int


@dataclass(frozen=True, slots=True)
class Loss:
    """Where a game was lost: by one of the moves from ``first`` to ``last``, counted from 1.

    Attributes:
        first: The first move that may have lost it; 0 if the deal may be lost already.
        last: The move after which the game is proved to be lost; 0 for the deal.
        proof: How that is known.
    """

    first: int
    last: int
    proof: Finding

    @property
    def move(self) -> int | None:
        """The move that lost the game, if it is known and there was one."""
        return self.last if 0 < self.first == self.last else None

    def text(self) -> Translatable:
        """Says what lost the game."""
        if self.last == 0:
            return gettext("this deal cannot be won")
        if self.first == 0:
            return gettext(
                "the game cannot be won since move {number} at the latest; before it nothing is "
                "decided, not even the deal",
                number=self.last,
            )
        if self.first == self.last:
            return gettext("move {number} lost the game", number=self.last)
        return gettext(
            "one of the moves {first} to {last} lost the game; what is between is not decided",
            first=self.first,
            last=self.last,
        )


@dataclass(frozen=True, slots=True)
class Wanted:
    """A position that is worth a search.

    Attributes:
        position: The position.
        is_played: Whether it is a position of the game, not one after another move.
    """

    position: Position
    is_played: bool


class Review:
    """The review of a line of moves.

    Args:
        line: The positions, from the deal to the end.
        known: Finds what is known about the position with a hash.
        most: For how many of the positions the legal moves are searched.

    Attributes:
        line: The positions.
        nodes: The positions searched for it.
    """

    def __init__(
        self,
        line: Sequence[Position],
        known: Callable[[int], Finding | None],
        most: int = 1_000,
    ) -> None:
        self.line = tuple(line)
        self.nodes = 0
        self._known = known
        self._keys = [key_of(position) for position in self.line]
        self._legal = [
            0 if key is WON else len(position.moves())
            for position, key in zip(self.line, self._keys, strict=True)
        ]
        self._spent: dict[int, int] = {}
        self._most = most
        self._after: dict[int, list[tuple[Move, Finding | int]]] = {}
        self._next: Iterator[Wanted] | None = None

    # What is known.

    def findings(self) -> list[Finding]:
        """What is known about each position of the line."""
        found = [self._find(key) for key in self._keys]
        last, first = gap([each.status for each in found])
        for index in range(last - 1, -1, -1):
            if found[index].status != "winnable":
                left = found[index + 1].left
                more = None if left is None else left + 1
                found[index] = Finding("winnable", "later", left=more)
        for index in range(first + 1, len(found)):
            if found[index].status != "unwinnable":
                found[index] = Finding("unwinnable", "earlier")
        return found

    def turns(self) -> list[Turn]:
        """Every position, with the numbers of legal moves that keep the win and that lose it."""
        findings = self.findings()
        turns = []
        for number, (finding, legal) in enumerate(zip(findings, self._legal, strict=True)):
            kept, lost = 0, legal if finding.status == "unwinnable" else 0
            if finding.status == "winnable" and number in self._after:
                after = [each.finding.status for each in self._choices(number, findings)]
                kept, lost = after.count("winnable"), after.count("unwinnable")
            turns.append(Turn(number, finding, legal, kept, lost))
        return turns

    def choices(self, number: int) -> list[Choice]:
        """The legal moves of a position of the line."""
        return self._choices(number, self.findings())

    def loss(self) -> Loss | None:
        """Where the game was lost, if it was."""
        findings = self.findings()
        last, first = gap([each.status for each in findings])
        return None if first == len(findings) else Loss(last + 1, first, findings[first])

    def text(self) -> Translatable:
        """Says how the game went."""
        findings = self.findings()
        last, _ = gap([each.status for each in findings])
        if (loss := self.loss()) is not None:
            return loss.text()
        if findings[-1] is WON:
            return gettext("the game was won")
        if last == len(findings) - 1:
            return gettext("the game could still be won at its end")
        if last < 0:
            return gettext("it is not decided whether the game could be won")
        return gettext(
            "the game could be won up to move {number}; after that it is not decided", number=last
        )

    def _choices(self, number: int, findings: list[Finding]) -> list[Choice]:
        played = None if number + 1 == len(self.line) else self.line[number + 1].last_move
        text = None if played is None else played.text
        last, _ = gap([each.status for each in findings])
        wins = {self._keys[index]: findings[index] for index in range(last + 1)}
        found = []
        for move, key in self._moves(number):
            if move.text == text:
                found.append(Choice(move, findings[number + 1], True))
                continue
            finding = self._find(key)
            if finding.status == "unknown":
                finding = wins.get(key, finding)
            found.append(Choice(move, finding, False))
        return found

    def _moves(self, number: int) -> list[tuple[Move, Finding | int]]:
        found = self._after.get(number)
        if found is None:
            here = self.line[number]
            found = [(move, key_of(here.play(move))) for move in here.moves()]
            self._after[number] = found
        return found

    def _find(self, key: Finding | int) -> Finding:
        if isinstance(key, Finding):
            return key
        return self._known(key) or Finding(nodes=self._spent.get(key, 0))

    # What is worth a search.

    def wanted(self) -> Wanted | None:
        """The position whose search is worth most now; none if the review is complete."""
        findings = self.findings()
        last, first = gap([each.status for each in findings])
        open_ = [i for i in range(last + 1, first) if self._keys[i] not in self._spent]
        if open_:
            # The end comes first: it says whether there is a loss, and its searches are short.
            at_end = first == len(self.line) and open_[-1] == first - 1
            middle = (last + first) / 2
            index = open_[-1] if at_end else min(open_, key=lambda each: abs(each - middle))
            return Wanted(self.line[index], True)
        if self._next is None:
            self._next = self._others(last)
        return next(self._next, None)

    def _others(self, last: int) -> Iterator[Wanted]:
        """The positions after moves that were not played, where the game could be won."""
        for number in range(last, max(-1, last - self._most), -1):
            here = self.line[number]
            for choice, (move, key) in zip(self.choices(number), self._moves(number), strict=True):
                if choice.is_played or choice.finding.status != "unknown" or key in self._spent:
                    continue
                # A search since then may have found it.
                if self._find(key).status == "unknown":
                    yield Wanted(here.play(move), False)

    def spend(self, position: Position, nodes: int, *, decided: bool) -> None:
        """Takes note of a search, which :attr:`known` has the result of if it is decided."""
        self.nodes += nodes
        if not decided:
            self._spent[position.hash] = max(1, nodes)


class Findings:
    """The findings of one game, by the hashes of positions."""

    def __init__(self) -> None:
        self._found: dict[int, Finding] = {}

    def find(self, position_hash: int) -> Finding | None:
        """What is known about the position with a hash."""
        return self._found.get(position_hash)

    def add(self, position: Position, verdict: Verdict) -> None:
        """Adds the result of a search, and what its line says of the positions on it."""
        if verdict.status == "unwinnable":
            self._found[position.hash] = Finding.of(verdict)
        for index, move in enumerate(verdict.line):
            left = len(verdict.line) - index
            nodes = verdict.nodes if index == 0 else 0
            found = Finding.searched("winnable", verdict.proof, nodes, left)
            self._found[position.hash] = found
            position = position.play(move.text)


def line_to(position: Position) -> list[Position]:
    """The positions from the deal to a position."""
    line = [position]
    while line[-1].move_count:
        line.append(line[-1].undo())
    return line[::-1]


def review(
    position: Position,
    budget: int = BUDGET,
    *,
    moves: bool = True,
    progress: Callable[[Review], object] | None = None,
) -> Review:
    """Reviews the game that led to a position.

    Args:
        position: Where the game ended.
        budget: The largest number of nodes to search for each position of the game. Moves that
            were not played get a fifth of it.
        moves: Whether to search the moves that were not played.
        progress: Called after every search with the review so far.

    Returns:
        The review.

    >>> from cadogan import load
    >>> deal = load("amazons").deal("cadogan:171")
    >>> str(review(deal).text())
    'this deal cannot be won'
    """
    findings = Findings()
    found = Review(line_to(position), findings.find)
    while (wanted := found.wanted()) is not None and (moves or wanted.is_played):
        nodes = budget if wanted.is_played else max(1, budget // MOVE_SHARE)
        verdict = solve(wanted.position, nodes)
        findings.add(wanted.position, verdict)
        found.spend(wanted.position, verdict.nodes, decided=verdict.status != "unknown")
        if progress is not None:
            progress(found)
    return found
