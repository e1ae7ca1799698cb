"""Pictures are drawn within limits."""

import time

import pytest

from cadogan.table import drawings
from cadogan.table.drawings import Drawings, NoPictureError, TooManyPicturesError

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="40"/>'


def test_a_picture_is_drawn_once_and_the_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Drawings()
    try:
        asked: list[str] = []
        real = made._process.run

        def run(task: object, svg: str) -> object:
            asked.append(svg)
            return real(task, svg)  # type: ignore[arg-type]

        monkeypatch.setattr(made._process, "run", run)
        first = made.png(SVG.format(30))
        assert first[:4] == b"\x89PNG"
        assert made.png(SVG.format(30)) is first
        assert len(asked) == 1
        monkeypatch.setattr(drawings, "MOST_BYTES", 2 * len(first))
        for width in range(31, 36):
            made.png(SVG.format(width))
        assert sum(map(len, made._cached.values())) == made._size <= 2 * len(first)
        made.png(SVG.format(30))
        assert asked.count(SVG.format(30)) == 2
    finally:
        made.close()


def test_what_takes_too_long_is_given_up_and_the_next_is_drawn() -> None:
    made = Drawings(seconds=2)
    slow = "".join(f'<circle cx="{n % 997}" cy="{n % 991}" r="900"/>' for n in range(200_000))
    begun = time.monotonic()
    try:
        with pytest.raises(NoPictureError, match="cannot draw"):
            made.png(SVG.format(4000).replace('"40"/>', f'"4000">{slow}</svg>'))
        assert time.monotonic() - begun < 60
        assert made.png(SVG.format(30))
    finally:
        made.close()
    with pytest.raises(NoPictureError):
        made.png(SVG.format(31))


def test_a_client_gets_so_many_in_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Drawings()
    for number in range(drawings.MOST_OF_A_CLIENT):
        made.count(f"2001:db8::{number:x}")  # all in the network of one client
    with pytest.raises(TooManyPicturesError, match="in a minute"):
        made.count("2001:db8::1")
    made.count("10.0.0.1")
    monkeypatch.setattr(drawings, "PERIOD", -1.0)
    made.count("2001:db8::1")
    monkeypatch.setattr(drawings, "MOST_CLIENTS", 3)
    monkeypatch.setattr(drawings, "PERIOD", 60.0)
    for number in range(20):
        made.count(f"10.0.0.{number}")
        assert len(made._clients) <= 4
