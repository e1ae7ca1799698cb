"""The deals of a study: a range of numbers of one scheme, or shards of it."""

import heapq
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from cadogan.deals import DealError, parse_deal
from cadogan.study.errors import StudyError

HIGHEST: Final = 2**64 - 1
"""The highest number that a store can hold. ``exact`` and ``pysol`` have higher ones."""


MOST_SHARDS: Final = 100_000
"""The largest number of shards of a study."""


@dataclass(frozen=True, slots=True)
class Shards:
    """Some of the equal parts into which a study is split; by default all of it.

    The deals are dealt out like cards: shard ``i`` of ``n`` has the deals ``i``, ``i + n``,
    ``i + 2n`` and so on, so that no shard has all the hard ones of a stretch.

    Attributes:
        indices: The shards, counted from 1, in increasing order.
        count: Into how many shards the study is split.

    >>> str(Shards.parse("3/100")), str(Shards((1, 2, 5), 8)), Shards().is_whole
    ('3/100', '1-2,5/8', True)
    """

    indices: tuple[int, ...] = (1,)
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> "Shards":
        """Reads one shard, ``3/100``.

        Raises:
            StudyError: If the text is not a shard.

        >>> Shards.parse("0/4")
        Traceback (most recent call last):
            ...
        cadogan.study.errors.StudyError: there is no shard 0/4
        """
        match = re.fullmatch(r"\s*([0-9]{1,9})\s*/\s*([0-9]{1,9})\s*", text)
        if match is None:
            raise StudyError(f"{text!r} is not a shard", "write INDEX/COUNT, as in 3/100")
        index, count = int(match[1]), int(match[2])
        if not 1 <= count <= MOST_SHARDS:
            raise StudyError(
                f"a study cannot be split into {count} shards", f"give from 1 to {MOST_SHARDS}"
            )
        if not 1 <= index <= count:
            raise StudyError(
                f"there is no shard {index}/{count}", f"shards are counted from 1/{count}"
            )
        return cls((index,), count)

    @property
    def is_whole(self) -> bool:
        """Whether these are all shards of the study."""
        return len(self.indices) == self.count

    @property
    def missing(self) -> "Shards":
        """The other shards of the study."""
        others = sorted(set(range(1, self.count + 1)) - set(self.indices))
        return replace(self, indices=tuple(others))

    def joined(self, other: "Shards") -> "Shards":
        """Adds other shards of the same study."""
        return replace(self, indices=tuple(sorted({*self.indices, *other.indices})))

    def __str__(self) -> str:
        runs: list[list[int]] = []
        for index in self.indices:
            if runs and index == runs[-1][-1] + 1:
                runs[-1] = [runs[-1][0], index]
            else:
                runs.append([index])
        return ",".join("-".join(map(str, run)) for run in runs) + f"/{self.count}"


@dataclass(frozen=True, slots=True)
class Span:
    """The deals of one scheme with numbers from ``first`` to ``last``, both included.

    Attributes:
        scheme: The scheme.
        first: The first number.
        last: The last number.
        shards: Which of these deals are meant, if not all.

    >>> span = Span.parse("cadogan:0..9999")
    >>> len(span), str(span), span.name(7)
    (10000, 'cadogan:0..9999', 'cadogan:7')
    """

    scheme: str
    first: int
    last: int
    shards: Shards = Shards()

    @classmethod
    def parse(cls, text: str) -> "Span":
        """Reads ``scheme:first..last``, or the name of one deal.

        Raises:
            StudyError: If the text cannot be read, or the last number is below the first.

        >>> Span.parse("cadogan:9..1")
        Traceback (most recent call last):
            ...
        cadogan.study.errors.StudyError: the deals cadogan:9..1 are in the wrong order
        """
        begin, dots, end = text.partition("..")
        end = end.strip()
        try:
            first = parse_deal(begin)
            if dots and not re.fullmatch(r"-?[0-9]{1,1000}", end):
                raise StudyError(
                    f"{text!r} is not a range of deals",
                    "write SCHEME:FIRST..LAST, as in cadogan:0..9999",
                )
            last = parse_deal(f"{first.scheme}:{end}") if dots else first
        except DealError as error:
            raise StudyError(
                str(error), "write SCHEME:FIRST..LAST, as in cadogan:0..9999"
            ) from None
        if last.number < first.number:
            raise StudyError(
                f"the deals {first}..{last.number} are in the wrong order",
                f"write {first.scheme}:{last.number}..{first.number}",
            )
        if last.number > HIGHEST:
            raise StudyError(
                f"the number of {last} is too high for a study",
                f"the highest is {first.scheme}:{HIGHEST}",
            )
        return cls(first.scheme, first.number, last.number)

    def name(self, number: int) -> str:
        """The name of one of the deals."""
        return f"{self.scheme}:{number}"

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of the deals, in increasing order.

        >>> list(Span("cadogan", 0, 9, Shards((1, 3), 4)).numbers)
        [0, 2, 4, 6, 8]
        """
        count = self.shards.count
        if self.shards.is_whole:
            return range(self.first, self.last + 1)
        each = [range(self.first + i - 1, self.last + 1, count) for i in self.shards.indices]
        return each[0] if len(each) == 1 else tuple(heapq.merge(*each))

    def __len__(self) -> int:
        return len(self.numbers)

    def __str__(self) -> str:
        dots = f"..{self.last}" if self.last != self.first else ""
        return f"{self.scheme}:{self.first}{dots}"
