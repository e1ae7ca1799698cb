"""All pages except the table: games, rules, statistics, settings, the editor, dropped files."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import cadogan
from cadogan.rules import catalogue
from cadogan.solver.difficulty import difficulty
from cadogan.table.store import Store
from tests.browser.conftest import Keep, NewContext
from tests.browser.rules_text import RulesText
from tests.browser.server import Server, serving
from tests.browser.test_games import line_of
from tests.documents import ROOT

pytestmark = pytest.mark.takes_turns(8)

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
GARDEN = (ROOT / "python/cadogan/catalogue/flower-garden.toml").read_text(encoding="utf-8")
BROKEN = GARDEN.replace('"ace"', '"aec"').replace("piles = 6", "pils = 6")
PAGES = {
    "games": "#/",
    "rules": "#/rules/besieged-city",
    "variants": "#/rules/klondike:draw-three",
    "daily": "#/daily",
    "puzzles": "#/puzzles",
    "statistics": "#/statistics",
    "statistics-of": "#/statistics/freecell",
    "settings": "#/settings",
    "editor": "#/edit",
    "copy": "#/edit/klondike",
    "open": "#/open",
    "half-a-link": "#/share?game=golf",
    "lost": "#/nowhere",
}
DROP = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    for (const kind of ["dragover", "drop"]) {
        document.body.dispatchEvent(
            new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
    }
}"""


def violations(page: Page) -> list[str]:
    """The problems that axe finds, with their elements."""
    found: dict[str, Any] = page.evaluate(
        AXE.read_text(encoding="utf-8") + ';axe.run(document, {resultTypes: ["violations"]})'
    )
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found["violations"]]


def visit(page: Page, server: Server, address: str) -> None:
    """Opens a page, and waits until it is there."""
    page.goto("about:blank")
    page.goto(f"{server.address}/{address}")
    page.locator("main h1").wait_for()
    expect(page.locator("main[aria-busy=true]")).to_have_count(0)


def drop(page: Page, name: str, text: str) -> None:
    """Drops a file on the page."""
    page.evaluate(DROP, [name, text])


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("width", "language", "theme"), [(1280, "en", "light"), (360, "de", "dark")]
)
def test_every_page_is_open_to_everybody(
    width: int, language: str, theme: str, server: Server, new_context: NewContext, keep: Keep
) -> None:
    position = cadogan.load("freecell").deal("cadogan:48")
    key = server.deal(position, line_of(position))
    server.set(language=language, theme=theme)
    page = new_context(viewport={"width": width, "height": 760}).new_page()
    tables = {"table": f"#/table/{key}", "replay": f"#/replay/{key}"}
    for name, address in {**PAGES, **tables}.items():
        visit(page, server, address)
        assert violations(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert page.title().endswith(" · Cadogan")
        assert page.locator("html").get_attribute("lang") == language
        keep(page, f"page-{name}-{width}-{language}")


def test_games_are_found_and_dealt(server: Server, page: Page) -> None:
    visit(page, server, "#/")
    titles = page.locator(".games .title > :first-child")
    expect(page.get_by_role("heading", name="Klondike", level=2)).to_be_visible()
    page.get_by_role("searchbox").fill("HOCHZÉITSZUG")
    expect(titles).to_have_text(["Wedding Procession"])
    page.get_by_role("searchbox").fill("hidden cards")
    expect(titles).to_have_text(["Clock (Hidden Cards)"])
    page.get_by_role("searchbox").fill("")
    page.get_by_text("Filters").click()
    page.get_by_role("combobox", name=re.compile("^Packs")).select_option("more")
    expect(titles.get_by_text("FreeCell", exact=True)).to_have_count(0)
    expect(titles.filter(has_text="The Empress of India")).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    page.get_by_label("Sort").select_option("name")
    page.get_by_role("button", name="Favourite: FreeCell").click()
    expect(titles.first).to_have_text("FreeCell")
    page.get_by_role("button", name="Deal: FreeCell").click()
    dialog = page.get_by_role("dialog", name="FreeCell")
    dialog.get_by_label("two cells", exact=True).check()
    dialog.get_by_label("one cell", exact=True).check()
    expect(dialog.get_by_label("two cells", exact=True)).not_to_be_checked()
    expect(dialog.get_by_text("Instead of one cell").first).to_be_visible()
    dialog.get_by_label("seven piles", exact=True).check()
    assert violations(page) == []
    dialog.get_by_label("Deal number").fill("617x")
    dialog.get_by_role("button", name="Play").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    dialog.get_by_label("Deal number").fill("617")
    dialog.get_by_role("button", name="Play").click()
    page.wait_for_url(re.compile("#/table/"))
    table = server.table(page.url.rpartition("/")[2])
    assert (table["game"], table["deal"]) == ("freecell:one-cell+seven-piles", "cadogan:617")
    # The variants are remembered, and the list says so.
    visit(page, server, "#/")
    expect(page.get_by_text("With: one cell, seven piles")).to_be_visible()
    server.ask("DELETE", "/games/freecell/favourite")


def test_a_faulty_game_is_removed_from_the_list(tmp_path: Path, page: Page) -> None:
    store = Store(folder=tmp_path)
    # The server would refuse it now; an earlier one took it.
    store.save_rules("own.broken-garden.01234567", 'name = "Broken Garden"\n[garden]\npiles = 4\n')
    store.close()
    with serving(tmp_path) as server:
        visit(page, server, "#/")
        games = page.locator(".games > li")
        count = len(catalogue())
        expect(games).to_have_count(count + 1)
        faulty = games.filter(has=page.get_by_role("heading", name="Broken Garden"))
        expect(faulty).to_contain_text("This rules file cannot be played:")
        expect(faulty).to_contain_text('the group "garden" has no role')
        expect(faulty.get_by_role("button", name=re.compile("^Deal"))).to_have_count(0)
        expect(page.get_by_role("button", name="Deal: FreeCell")).to_be_visible()
        assert violations(page) == []
        faulty.get_by_role("button", name="Remove: Broken Garden").click()
        dialog = page.get_by_role("dialog", name="Remove Broken Garden?")
        dialog.get_by_role("button", name="Remove").click()
        expect(faulty).to_have_count(0)
        expect(games).to_have_count(count)
        expect(page.get_by_role("button", name="Deal: FreeCell")).to_be_visible()
        assert all(game["fault"] is None for game in server.ask("GET", "/games"))


def test_only_deals_that_can_be_won(server: Server, page: Page) -> None:
    server.set(winnable_only=True)
    visit(page, server, "#/")
    page.get_by_role("button", name="Play: Fortune's Favor").click()
    page.wait_for_url(re.compile("#/table/"))
    table = server.table(page.url.rpartition("/")[2])
    position = cadogan.load("fortunes-favor").deal(table["deal"])
    assert cadogan.solve(position, 100_000).status == "winnable"


def test_a_deal_is_as_hard_as_one_likes(server: Server, page: Page, keep: Keep) -> None:
    visit(page, server, "#/rules/golf")
    page.get_by_role("button", name="Deal …").click()
    dialog = page.get_by_role("dialog", name="Golf")
    dialog.get_by_label("Difficulty").select_option("hard")
    expect(dialog.get_by_label("Only deals that can be won")).to_be_disabled()
    assert violations(page) == []
    keep(page, "deal-difficulty")
    dialog.get_by_role("button", name="Play").click()
    expect(dialog.get_by_role("progressbar")).to_have_attribute("max", "9")
    page.wait_for_url(re.compile("#/table/"), timeout=120_000)
    deal = server.table(page.url.rpartition("/")[2])["deal"]
    hard = difficulty(cadogan.load("golf").deal(deal))
    assert hard is not None
    assert hard.figure > 50


def test_rules_are_dropped_mended_and_played(server: Server, page: Page, keep: Keep) -> None:
    visit(page, server, "#/statistics")
    drop(page, "garden.toml", BROKEN)
    dialog = page.get_by_role("dialog", name="garden.toml")
    faults = dialog.get_by_role("listitem")
    expect(faults).to_have_count(2)
    lines = BROKEN.splitlines()
    base, piles = (lines.index(line) + 1 for line in ('base  = "aec"', "pils = 6"))
    expect(faults.first).to_contain_text(f'{base} | base  = "aec"')
    expect(faults.last).to_contain_text(f"line {piles}, column 1")
    assert violations(page) == []
    keep(page, "dropped-broken")
    dialog.get_by_role("button", name="Edit it here").click()
    text = RulesText(page)
    page.get_by_role("button", name=f"line {piles}, column 1").click()
    assert text.selected() == "pils"
    play = page.get_by_role("button", name="Save and play")
    expect(play).to_be_disabled()
    text.fill(GARDEN.replace("The Flower Garden", "Jardin des Fleurs"))
    expect(page.get_by_text("No problems found. The game can be played.")).to_be_visible()
    play.click()
    page.wait_for_url(re.compile("#/table/"))
    expect(page.locator("h1")).to_have_text("Jardin des Fleurs")
    # A new version takes the place of the old one.
    own = [game for game in server.ask("GET", "/games") if game["title"] == "Jardin des Fleurs"]
    visit(page, server, f"#/edit/{own[0]['name']}")
    text.fill(text.value().replace("piles = 16", "piles = 15"))
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    names = [game["name"] for game in server.ask("GET", "/games")]
    assert own[0]["name"] not in names
    assert sum(name.startswith("own.jardin-des-fleurs.") for name in names) == 1


def test_a_dropped_file_does_not_push_aside_what_is_being_written(
    server: Server, page: Page
) -> None:
    visit(page, server, "#/edit")
    text = RulesText(page)
    text.fill("# mine\n" + GARDEN)
    for way in ("Continue with that text", "Edit this file"):
        visit(page, server, "#/")
        drop(page, "garden.toml", BROKEN)
        dialog = page.get_by_role("dialog", name="garden.toml")
        dialog.get_by_role("button", name="Edit it here").click()
        expect(dialog.get_by_text("The editor has text")).to_be_visible()
        assert violations(page) == []
        dialog.get_by_role("button", name=way).click()
        mine = way == "Continue with that text"
        text.expect("# mine\n" + GARDEN if mine else BROKEN)


def test_sound_rules_and_games_that_are_dropped(server: Server, page: Page) -> None:
    visit(page, server, "#/settings")
    drop(page, "garden.toml", GARDEN.replace("The Flower Garden", "Another Garden"))
    page.get_by_role("dialog", name="Another Garden").get_by_role("button", name="Play").click()
    page.wait_for_url(re.compile("#/table/"))
    expect(page.locator("h1")).to_have_text("Another Garden")
    drop(page, "broken.txt", "# Cadogan game 1\n# game: golf\n# deal: cadogan:1\nnowhere > home\n")
    broken = page.get_by_role("dialog", name="broken.txt")
    expect(broken.get_by_role("listitem")).to_contain_text("line 4, column 1")
    broken.get_by_role("button", name="Close").click()
    drop(page, "game.txt", "# Cadogan game 1\n# game: golf\n# deal: cadogan:1\n")
    expect(page.locator("h1")).to_have_text("Golf")
    drop(page, "large.toml", "#" * 300_000)
    expect(page.get_by_role("dialog", name="large.toml").get_by_role("alert")).to_contain_text(
        "256 kB"
    )


def test_what_is_set_is_stored_and_honoured(
    server: Server, new_context: NewContext, page: Page
) -> None:
    visit(page, server, "#/settings")
    page.get_by_label("Theme").select_option("dark")
    page.get_by_label("blue").check()
    page.get_by_label("Left-handed").check()
    page.get_by_label("Language").focus()
    page.get_by_label("Language").select_option("de")
    expect(page.locator("h1")).to_have_text("Einstellungen")
    assert page.evaluate("document.activeElement.value") == "de"
    # Another window, and a table in it.
    other = new_context().new_page()
    key = server.deal(cadogan.load("klondike").deal("cadogan:1"))
    visit(other, server, f"#/table/{key}")
    other.locator(".card").first.wait_for()
    root = other.locator("html")
    assert root.get_attribute("data-theme") == "dark"
    assert root.get_attribute("data-felt") == "blue"
    stock, home = (
        other.locator(f"[role=button][data-pile='{pile}']").bounding_box()
        for pile in ("stock", "foundations.1")
    )
    assert stock is not None
    assert home is not None
    assert stock["x"] > home["x"]


def test_a_server_that_is_away_is_asked_again(server: Server, page: Page) -> None:
    visit(page, server, "#/")
    # Something else answers in its place: to the page that is as if nothing did.
    page.route("**/api/**", lambda route: route.fulfill(body="gone"))
    page.get_by_role("link", name="Statistics").click()
    again = page.get_by_role("alert").get_by_role("button", name="Try again")
    again.wait_for()
    assert violations(page) == []
    page.unroute("**/api/**")
    again.click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("main[aria-busy=true]")).to_have_count(0)


def test_the_focus_follows_who_goes_to_another_page(server: Server, page: Page) -> None:
    visit(page, server, "#/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_be_focused()
    page.get_by_role("link", name="Rules: Klondike", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Klondike")
    expect(page.locator("h1")).to_be_focused()
    # Another variant is the same page: the focus stays where it is.
    page.get_by_text(re.compile(r"^Variants \(\d+\)$")).click()
    page.get_by_label("draw three").check()
    expect(page.get_by_text("This is the game with the variant")).to_be_visible()
    expect(page.get_by_label("draw three")).to_be_focused()
