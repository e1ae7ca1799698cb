"""What a rules file gives that is being written."""

import re

from cadogan.game import load
from cadogan.rules.explain import explain
from cadogan.storage import CATALOGUE
from cadogan.table.drafts import Draft, check_and_draw, decide

GOLF = (CATALOGUE / "golf.toml").read_text(encoding="utf-8")
FORTUNE = (CATALOGUE / "fortunes-favor.toml").read_text(encoding="utf-8")


def draft_of(deal: str) -> Draft | None:
    return check_and_draw(GOLF, deal, "en")[1]


def test_a_file_without_errors_is_drawn_and_put_into_words() -> None:
    game = load("golf")
    for language in ("en", "de"):
        report, draft = check_and_draw(GOLF, "cadogan:2", language)
        assert report.ok
        assert draft is not None
        assert draft.digest == game.digest
        assert draft.title == "Golf"
        assert draft.picture.startswith("<svg")
        assert draft.words == explain(game.rulebook, language)
        assert draft.has_win
    pictures = {drawn.picture for deal in (2, 3) if (drawn := draft_of(f"cadogan:{deal}"))}
    assert len(pictures) == 2


def test_a_file_with_errors_gives_nothing_but_them() -> None:
    report, draft = check_and_draw(GOLF.replace("piles", "pils"), "cadogan:1", "en")
    assert not report.ok
    assert draft is None


def test_a_game_that_has_only_points_has_no_win() -> None:
    text = (CATALOGUE / "poker-square.toml").read_text(encoding="utf-8")
    for wins in (True, False):
        text = text if wins else re.sub(r"(?m)^won_from.*$", "", text)
        draft = check_and_draw(text, "cadogan:1", "en")[1]
        assert draft is not None
        assert draft.has_win is wins


def test_deals_are_decided_as_by_the_solver() -> None:
    status, nodes = decide(FORTUNE, "cadogan:1", 30_000)
    assert status == "winnable"
    assert 0 < nodes <= 30_000
    assert decide(FORTUNE, "cadogan:1", 1)[0] == "unknown"
