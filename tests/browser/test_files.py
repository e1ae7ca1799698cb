"""Files and links that are exported and imported: games, statistics, links."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

import cadogan
from tests.browser.conftest import Keep, NewContext
from tests.browser.hands import Mouse
from tests.browser.server import Server, serving
from tests.browser.test_games import DEALS, line_of
from tests.browser.test_pages import drop, violations, visit
from tests.browser.test_table import after, dealt, seated

pytestmark = pytest.mark.takes_turns(5)


def saved(page: Page, folder: Path) -> Path:
    """The game of a table, saved by the menu."""
    page.get_by_role("button", name="More").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


@pytest.mark.parametrize("name", ["besieged-city", "klondike"])
def test_a_game_goes_out_as_a_file_and_comes_back(
    name: str, server: Server, page: Page, tmp_path: Path
) -> None:
    first = dealt(name, DEALS[name])
    line = line_of(first)[:8]
    hands = seated(page, server, first, *line)
    file = saved(page, tmp_path)
    expect(page.locator(".message")).to_have_text(f"Saved as {file.name}.")
    replayed = subprocess.run(
        [sys.executable, "-m", "cadogan.cli", "replay", str(file)],
        capture_output=True, check=True, encoding="utf-8",
    )  # fmt: skip
    assert "8 moves, all legal" in replayed.stdout
    # It is opened by the chooser, and dropped on a page.
    for way in ("chosen", "dropped"):
        visit(page, server, "#/open")
        if way == "chosen":
            page.get_by_label("Game file").set_input_files(file)
        else:
            drop(page, file.name, file.read_text(encoding="utf-8"))
        page.wait_for_url("**/#/table/*")
        key = page.url.rpartition("/")[2]
        assert key != hands.key
        Mouse(page, server, after(first, *line), key)


def test_what_is_wrong_with_a_file_is_reported_with_its_place(
    server: Server, page: Page, tmp_path: Path
) -> None:
    file = saved(seated(page, server, dealt("klondike"), "deal").page, tmp_path)
    text = file.read_text(encoding="utf-8").replace("\ndeal\n", "\nnowhere > home\n")
    visit(page, server, "#/open")
    page.get_by_label("Text of a game").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()
    wrong = page.get_by_role("alert")
    expect(wrong).to_contain_text("This cannot be opened")
    line = text.splitlines().index("nowhere > home") + 1
    expect(wrong).to_contain_text(f"line {line}, column 1")
    expect(wrong).to_be_focused()


def test_statistics_go_out_as_files(tmp_path: Path, new_context: NewContext) -> None:
    first = dealt("flower-garden", DEALS["flower-garden"])
    line = line_of(first)
    with serving(tmp_path / "home") as server:
        server.set()
        won = server.deal(first)
        server.play(won, *line)
        lost = server.deal(dealt("klondike"))
        server.play(lost, "deal")
        version = server.table(lost)["version"]
        server.ask("POST", f"/tables/{lost}/close", {"version": version})
        page = new_context().new_page()
        visit(page, server, "#/statistics")
        expect(page.get_by_role("row", name="The Flower Garden").first).to_contain_text("100")
        kept = {}
        for kind in ("CSV", "JSON"):
            with page.expect_download() as download:
                page.get_by_role("link", name=kind, exact=True).click()
            kept[kind] = tmp_path / download.value.suggested_filename
            download.value.save_as(kept[kind])
        rows = list(csv.DictReader(kept["CSV"].read_text(encoding="utf-8").splitlines()))
        assert {(row["game"], row["result"]) for row in rows} == {
            ("flower-garden", "won"), ("klondike", "lost"),
        }  # fmt: skip
        answer = json.loads(kept["JSON"].read_text(encoding="utf-8"))
        assert json.dumps(answer).count(won) == 1
        # From the statistics one comes to the replay, and from there to the table.
        page.get_by_role("link", name="Replay: The Flower Garden").click()
        step = page.locator(".message")
        expect(step).to_contain_text(f"of {len(line)}")
        page.keyboard.press("End")
        expect(step).to_contain_text(f"Move {len(line)} of {len(line)}")
        page.keyboard.press("ArrowLeft")
        page.get_by_role("button", name="Continue from here").click()
        Mouse(page, server, after(first, *line[:-1]), won)


def test_points_are_on_the_page_of_statistics(tmp_path: Path, new_context: NewContext) -> None:
    with serving(tmp_path / "home", workers=1) as server:
        server.set()
        points = []
        for number in (1, 2, 3):
            key = server.deal(cadogan.load("golf:scored").deal(f"cadogan:{number}"))
            for _ in range(3 * number):
                server.play(key, server.table(key)["position"]["moves"][0]["text"])
            points.append(server.table(key)["position"]["score"])
            version = server.table(key)["version"]
            server.ask("POST", f"/tables/{key}/close", {"version": version})
        page = new_context().new_page()
        visit(page, server, "#/statistics")
        row = page.get_by_role("row", name="Golf").first
        expect(row).to_contain_text(str(min(points)))
        row.get_by_role("link").click()
        mean = f"{sum(points) / 3:.1f}".removesuffix(".0")
        for name, text in (("Best points", str(min(points))), ("Average points", mean)):
            fact = page.locator(".totals div").filter(has_text=name)
            expect(fact.locator("dd")).to_have_text(text)
        expect(page.get_by_role("heading", name="Points of finished games")).to_be_visible()
        assert violations(page) == []


def test_a_link_leads_to_the_deal_or_to_the_moves(
    server: Server, page: Page, new_context: NewContext
) -> None:
    first = dealt("empress-of-india", DEALS["empress-of-india"])
    line = line_of(first)[:5]
    seated(page, server, first, *line)
    page.keyboard.press("s")
    dialog = page.get_by_role("dialog", name="Share")
    link = dialog.get_by_role("textbox", name="Link")
    expect(link).not_to_have_value("")
    short = link.input_value()
    dialog.get_by_label("Include the moves made so far").check()
    expect(link).not_to_have_value(short)
    long = link.input_value()
    other = new_context().new_page()
    other.goto(short)
    other.wait_for_url("**/#/table/*")
    Mouse(other, server, first, other.url.rpartition("/")[2])
    other.goto("about:blank")
    other.goto(long)
    expect(other.locator("h1")).to_have_text("Replay: The Empress of India")
    expect(other.locator(".message")).to_contain_text("Move 0 of 5")
    other.keyboard.press("End")
    expect(other.locator(".message")).to_contain_text("Move 5 of 5")
    other.get_by_role("button", name="Continue from here").click()
    other.wait_for_url("**/#/table/*")
    Mouse(other, server, after(first, *line), other.url.rpartition("/")[2])
    # Half a link says what it lacks.
    other.goto("about:blank")
    other.goto(f"{server.address}/#/share?game=golf")
    expect(other.get_by_role("alert")).to_have_text("It does not name a deal.")


@pytest.mark.parametrize("way", ["mouse", "keyboard", "phone"])
def test_a_picture_is_shared(
    way: str, server: Server, new_context: NewContext, tmp_path: Path, keep: Keep
) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    german = way == "phone"
    if german:
        server.set(language="de")
    page = new_context(**phone if german else {}).new_page()
    first = dealt("klondike", DEALS["klondike"])
    seated(page, server, first, *line_of(first)[:7])
    page.keyboard.press("s")
    dialog = page.get_by_role("dialog", name="Teilen" if german else "Share")
    picture = dialog.get_by_role("img")
    expect(picture).to_have_js_property("complete", True)
    expect(picture).to_have_js_property("naturalWidth", 1200)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    keep(page, f"share-{way}")
    for form in ("PNG", "SVG"):
        link = dialog.get_by_role("link", name=form)
        with page.expect_download() as download:
            if way == "keyboard":
                link.press("Enter")
            else:
                link.tap() if way == "phone" else link.click()
        file = tmp_path / download.value.suggested_filename
        assert file.suffix == f".{form.lower()}"
        download.value.save_as(file)
        if form == "PNG":
            with Image.open(file) as image:
                assert image.size == (1200, 630)
        else:
            text = file.read_text(encoding="utf-8")
            assert ("bisher 7 Züge" if german else "7 moves so far") in text
    link_field = dialog.get_by_role("textbox", name="Link")
    expect(link_field).to_have_value(re.compile(r"/s\?game=klondike&deal="))
    assert link_field.input_value().endswith("&lang=de") == german
