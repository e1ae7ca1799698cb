"""Published values."""

import pytest

from cadogan.study.literature import published, sources
from tests.documents import ROOT


@pytest.mark.parametrize("value", published().values(), ids=str)
def test_published_values_are_of_games_there_are(value: object) -> None:
    from cadogan import load
    from cadogan.study.literature import Value

    assert isinstance(value, Value)
    if value.game.endswith(".toml"):
        assert load(str(ROOT / "bench/beside" / value.game)).title
    else:
        assert load(value.game).name == value.game
    assert 0 <= value.interval.low <= value.share / 100 <= value.interval.high <= 1
    assert value.source in sources()
