"""The schemes that deals can be named by.

To add one, write its function in :mod:`~cadogan.deals.programs` or a file beside it, list it here,
and specify it in ``docs/deals.md`` with test vectors. If it belongs to a program that lays out its
tables in a different order, add that order to ``layouts.toml``.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from cadogan.deals.arrangement import exact
from cadogan.deals.own import cadogan
from cadogan.deals.programs import kpat, ms, pysol, solvitaire
from cadogan.deals.scheme import Scheme

SCHEMES: Final[Mapping[str, Scheme]] = MappingProxyType(
    {each.name: each for each in (cadogan, ms, pysol, kpat, solvitaire, exact)}
)
"""The known schemes by name."""
