"""The file of a certificate: JSON, with the arguments of all positions compressed.

Nothing in a file is trusted. It is read within limits, so a hostile file costs little time and
memory before it is rejected.
"""

import base64
import binascii
import hashlib
import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from cadogan.i18n.text import gettext

FORMAT: Final = 1
"""The version of the format."""
MAX_BYTES: Final = 8 << 20
"""The largest file that is read."""
MAX_POSITIONS: Final = 1_000_000
"""The most positions of a certificate, unless the caller allows more."""
MAX_LINE: Final = 10_000
"""The most moves before the position that a certificate is about."""

_FIELDS: Final[dict[str, tuple[type, ...]]] = {
    "format": (int,),
    "game": (str,),
    "program": (str,),
    "deal": (str, type(None)),
    "deck": (str,),
    "line": (list,),
    "interchange": (list,),
    "suits_below": (int, type(None)),
    "equal_cards": (list,),
    "positions": (int,),
    "closed_set": (str,),
    "arguments": (str,),
    "seal": (str,),
}


class CertificateError(ValueError):
    """A certificate that proves nothing; the message says what is wrong and where.

    Attributes:
        place: The part of the file, ``"deck"`` or ``"position 17"``.
        fault: What is wrong with it.
    """

    def __init__(self, place: str, fault: str) -> None:
        super().__init__(f"{place}: {fault}")
        self.place = place
        self.fault = fault


@dataclass(frozen=True)
class Certificate:
    """A claim that a deal cannot be won, and its proof.

    Attributes:
        game: The game, with its variants.
        program: SHA-256 of the compiled rules, 64 hexadecimal digits.
        deal: The name of the deal; none if only its cards are known.
        deck: The cards in dealing order.
        line: The codes of the moves from the deal to the position that cannot be won.
        interchange: Groups of piles that may be exchanged.
        suits_below: From this height on, foundations ignore suits; none if they never do.
        equal_cards: Groups of cards that no rule distinguishes.
        positions: The number of positions of the closed set.
        closed_set: SHA-256 of the claims above, and of all positions in order, each with its
            argument.
        arguments: For each position a byte that names its argument.
    """

    game: str
    program: str
    deal: str | None
    deck: str
    line: tuple[int, ...]
    interchange: tuple[tuple[str, ...], ...]
    suits_below: int | None
    equal_cards: tuple[tuple[str, ...], ...]
    positions: int
    closed_set: str
    arguments: bytes


def closed_set_digest(certificate: Certificate, positions: Iterable[bytes]) -> str:
    """What :attr:`Certificate.closed_set` must be, given the positions of the closed set."""
    claims: list[object] = [
        certificate.program,
        certificate.deck,
        certificate.line,
        certificate.interchange,
    ]
    claims += [certificate.suits_below, certificate.equal_cards]
    found = hashlib.sha256(json.dumps(claims).encode())
    for position, argument in zip(positions, certificate.arguments, strict=True):
        found.update(position + bytes([argument]))
    return found.hexdigest()


def write(certificate: Certificate) -> str:
    """The text of the file."""
    data: dict[str, Any] = {"format": FORMAT, **vars(certificate)}
    packed = zlib.compress(certificate.arguments, 9)
    data["arguments"] = base64.b64encode(packed).decode()
    data["seal"] = _seal(data)
    lines = (f" {json.dumps(name)}: {json.dumps(value)}" for name, value in data.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read(text: str, max_positions: int = MAX_POSITIONS) -> Certificate:
    """Reads a certificate without checking what it claims.

    Args:
        text: The file.
        max_positions: The most positions that it may have.

    Raises:
        CertificateError: If the text is not a certificate, is damaged or claims too much.
    """
    if len(text) > MAX_BYTES:
        raise CertificateError("file", gettext("it is too large for a certificate"))
    try:
        data = json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError):  # A number of 5,000 digits is a ValueError.
        raise CertificateError("file", gettext("this is not a certificate")) from None
    if not isinstance(data, dict) or "format" not in data:
        raise CertificateError("file", gettext("this is not a certificate"))
    if data["format"] != FORMAT or type(data["format"]) is not int:
        raise CertificateError(
            "format", gettext("this version of Cadogan reads format {number}", number=FORMAT)
        )
    for name, types in _FIELDS.items():
        if name not in data:
            raise CertificateError(name, gettext("it is missing"))
        if type(data[name]) not in types:
            raise CertificateError(name, gettext("it is not of the right type"))
    unknown = sorted(data.keys() - _FIELDS.keys())
    if unknown:
        raise CertificateError(unknown[0][:40], gettext("a certificate has no such field"))
    if data["seal"] != _seal(data):
        raise CertificateError("seal", gettext("the file was changed or damaged"))
    if not 0 < data["positions"] <= max_positions:
        raise CertificateError(
            "positions",
            gettext(
                "{number} positions, but 1 to {most} are allowed",
                number=data["positions"],
                most=max_positions,
            ),
        )
    return Certificate(
        game=data["game"],
        program=data["program"],
        deal=data["deal"],
        deck=data["deck"],
        line=_numbers(data["line"]),
        interchange=_groups("interchange", data["interchange"]),
        suits_below=data["suits_below"],
        equal_cards=_groups("equal_cards", data["equal_cards"]),
        positions=data["positions"],
        closed_set=data["closed_set"],
        arguments=_unpacked(data["arguments"], data["positions"]),
    )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a field occurs twice")
    return dict(pairs)


def _seal(data: dict[str, Any]) -> str:
    """SHA-256 of all other fields."""
    rest = {name: value for name, value in data.items() if name != "seal"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _numbers(line: list[Any]) -> tuple[int, ...]:
    if len(line) > MAX_LINE or not all(type(code) is int for code in line):
        raise CertificateError("line", gettext("it is not a list of moves"))
    return tuple(line)


def _groups(name: str, groups: list[Any]) -> tuple[tuple[str, ...], ...]:
    for group in groups:
        if not isinstance(group, list) or not all(isinstance(member, str) for member in group):
            raise CertificateError(name, gettext("it is not a list of groups"))
        if len(group) < 2:
            raise CertificateError(name, gettext("a group has two or more members"))
    members = [member for group in groups for member in group]
    if len(set(members)) < len(members):
        raise CertificateError(name, gettext("a member is listed twice"))
    return tuple(map(tuple, groups))


def _unpacked(text: str, positions: int) -> bytes:
    """The arguments, of which there must be one for each position."""
    try:
        packed = base64.b64decode(text, validate=True)
        decompress = zlib.decompressobj()
        # One byte more than there may be: a bomb is never unpacked.
        arguments = decompress.decompress(packed, positions + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise CertificateError("arguments", gettext("they are damaged")) from None
    complete = decompress.eof and not decompress.unused_data
    if len(arguments) != positions or not complete:
        raise CertificateError("arguments", gettext("there must be one for each position"))
    return arguments
