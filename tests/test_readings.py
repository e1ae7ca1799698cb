"""Second readings: which explanations were read against their sources, and by another person."""

import tomllib
from pathlib import Path

from cadogan.rules import catalogue

PAGE = Path(__file__).parents[1] / "docs" / "readings.toml"
READINGS = tomllib.loads(PAGE.read_text(encoding="utf-8"))


def test_each_reading_is_of_a_game_and_in_its_place() -> None:
    assert set(READINGS) <= set(catalogue())
    assert list(READINGS) == sorted(READINGS)


def test_each_reading_says_what_was_read() -> None:
    for game, reading in READINGS.items():
        assert set(reading) <= {"source", "mended", "explained"}, game
        assert reading["source"], game
        for key in ("source", "mended"):
            entries = reading.get(key, ["-"])
            assert isinstance(entries, list), (game, key)
            assert entries, (game, key)
            assert all(isinstance(entry, str) and entry for entry in entries), (game, key)
        assert isinstance(reading.get("explained", ""), str), game
