"""The search configuration beside a rules file: ``golf.weights.json`` beside ``golf.toml``.

    {"sets": [{"remaining": 20, "blocking": 7}, {"remaining": 40}],
     "shares": {"beam:class-blind": 800, "restarts": 10}}

Weights that a set leaves out have their built-in values. The shares give the part of the nodes that
some strategies get, in hundredths of their usual share. ``cadogan tune`` writes such files
(:mod:`cadogan.solver.tune`).

A game with variants has the file of exactly these, ``spider+card-by-card.weights.json``, or, if
there is none, that of the game.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from cadogan import _kernel
from cadogan.reading import TooLargeFileError, read_text
from cadogan.rules.files import is_path, split_name
from cadogan.storage import CATALOGUE

WeightSets = tuple[tuple[tuple[str, int], ...], ...]
"""Sets of weights, each as pairs of name and value."""

NodeShares = tuple[tuple[str, int], ...]
"""Strategies, each with its share of the nodes in hundredths of the usual share."""


class SearchConfig(NamedTuple):
    """What differs from the built-in configuration when a game is searched.

    Attributes:
        weight_sets: The weights of features, one tuple per set.
        node_shares: The shares of strategies.
    """

    weight_sets: WeightSets = ()
    node_shares: NodeShares = ()


ENDING: Final = ".weights.json"

MOST_SETS: Final = 6
"""The largest number of sets of weights."""
_LARGEST: Final = 10**6


class WeightsError(ValueError):
    """Weights that cannot be used. The message is for people."""


@lru_cache(maxsize=1024)
def path_of(name: str) -> Path:
    """The path of the search configuration of a game, even if there is no such file.

    Args:
        name: A game, or the path of a rules file, with or without variants in any order.

    >>> path_of("golf").name, str(path_of("mine/garden.toml:tidy+open"))
    ('golf.weights.json', 'mine/garden+open+tidy.weights.json')
    """
    game, variants = split_name(name)
    place = game.removesuffix(".toml") if is_path(game) else str(CATALOGUE / game)
    return Path("+".join((place, *sorted(variants))) + ENDING)


def config_for(name: str) -> SearchConfig:
    """The search configuration beside the rules file of a game; empty if there is none.

    Raises:
        WeightsError: If the file cannot be read, or names unknown weights or strategies.
    """
    path = path_of(name)
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        game, variants = split_name(name)
        return config_for(game) if variants else SearchConfig()
    except OSError as fault:
        raise WeightsError(f"{path}: {fault}") from None
    return _read_file(path, (status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=128)
def _read_file(path: Path, stamp: tuple[int, int]) -> SearchConfig:
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError, TooLargeFileError) as fault:
        raise WeightsError(f"{path}: {fault}") from None
    try:
        return read(text)
    except WeightsError as fault:
        raise WeightsError(f"{path}: {fault}; 'cadogan tune' rebuilds it, or remove it") from None


def read(text: str) -> SearchConfig:
    """Reads a file of weights.

    Raises:
        WeightsError: If it has anything but known weights and shares.

    >>> read('{"sets": [{"remaining": 20}], "shares": {"restarts": 10}}')
    SearchConfig(weight_sets=((('remaining', 20),),), node_shares=(('restarts', 10),))
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise WeightsError(f"not JSON: {fault}") from None
    sets = data.get("sets") if isinstance(data, dict) else None
    if not isinstance(sets, list) or not all(isinstance(values, dict) for values in sets):
        raise WeightsError('"sets" must be a list of objects')
    shares = data.get("shares", {})
    if not isinstance(shares, dict):
        raise WeightsError('"shares" must be an object of names and numbers')
    shares = {_present_name(name): share for name, share in shares.items()}
    faults = []
    try:
        check(sets)
    except WeightsError as fault:
        faults.append(str(fault))
    try:
        check_shares(shares)
    except WeightsError as fault:
        faults.append(str(fault))
    if faults:
        raise WeightsError("; ".join(faults))
    return SearchConfig(tuple(tuple(values.items()) for values in sets), tuple(shares.items()))


_PRESENT_NAMES: Final = {
    "best first": "best-first",
    "depth first": "depth-first",
    "games by chance": "nrpa",
    "abstract games": "abstract-games",
    ", weights varied": ":perturbed",
    ", class-blind": ":class-blind",
    ", partly class-blind": ":partly-class-blind",
    " and greedy": ":greedy",
    " (2)": ":2",
}
"""Parts of the names of strategies that files of older versions have, and what replaced them."""


def _present_name(strategy: str) -> str:
    for former, present in _PRESENT_NAMES.items():
        strategy = strategy.replace(former, present)
    return strategy


def check(sets: list[dict[str, Any]]) -> None:
    """Checks sets of weights.

    Raises:
        WeightsError: If a weight is unknown or out of range; the message names all faults.
    """
    known = _kernel.weight_names
    faults = []
    if len(sets) > MOST_SETS:
        faults.append(f"there are {len(sets)} sets of weights, at most {MOST_SETS} are allowed")
    unknown = sorted({name for values in sets for name in values if name not in known})
    if unknown:
        names = ", ".join(f'"{name}"' for name in unknown)
        faults.append(f"unknown weight {names}; choose from {', '.join(known)}")
    wrong = [
        f'"{name}" is {value!r}, and must be a whole number from -1000000 to 1000000'
        for values in sets
        for name, value in values.items()
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > _LARGEST
    ]
    if faults or wrong:
        raise WeightsError("; ".join(faults + wrong))


def check_shares(shares: dict[str, Any]) -> None:
    """Checks the shares of strategies.

    Raises:
        WeightsError: If a strategy is unknown or a share out of range; the message names all
            faults.
    """
    known = _kernel.turn_names
    faults = []
    if unknown := sorted({*shares} - {*known}):
        names = ", ".join(f'"{name}"' for name in unknown)
        faults.append(f"unknown strategy {names}; choose from {', '.join(known)}")
    faults += [
        f'"{name}" has the share {value!r}; it must be a whole number from 1 to 1000000'
        for name, value in shares.items()
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _LARGEST
    ]
    if faults:
        raise WeightsError("; ".join(faults))
