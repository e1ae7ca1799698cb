"""The deals of a study: a range of numbers of one scheme."""

import re
from dataclasses import dataclass
from typing import Final

from cadogan.deals import DealError, parse_deal
from cadogan.study.errors import StudyError

HIGHEST: Final = 2**64 - 1
"""The highest number that a store can hold. ``exact`` and ``pysol`` have higher ones."""


@dataclass(frozen=True, slots=True)
class Span:
    """The deals of one scheme with numbers from ``first`` to ``last``, both included.

    >>> span = Span.parse("cadogan:0..9999")
    >>> len(span), str(span), span.name(7)
    (10000, 'cadogan:0..9999', 'cadogan:7')
    """

    scheme: str
    first: int
    last: int

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

    def __len__(self) -> int:
        return self.last - self.first + 1

    def __str__(self) -> str:
        dots = f"..{self.last}" if self.last != self.first else ""
        return f"{self.scheme}:{self.first}{dots}"
