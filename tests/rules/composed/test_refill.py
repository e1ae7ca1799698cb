"""``refill`` and ``choose``: from where vacancies are filled, and what the player chooses."""

import random
import re
from itertools import chain
from typing import Final

from cadogan import Position
from cadogan.rules.explain import explain
from tests.rules.composed.reading import MANY, chance, dealt, names_of, read_game
from tests.rules.composed.table import RANKS, Piles, table

GAME: Final = """
name  = "Refill"
aim   = "heap is empty"
ranks = "A 2 3 4 5 6"

[row]
role   = "reserve"
piles  = 4
refill = {refill}
{choose}

[side]
role  = "reserve"
piles = 2

[wing]
role = "reserve"

[nook]
role = "reserve"

[heap]
role = "discard"


[stock]

[[layout]]
deal = 1
from = "stock"
to   = "heap"

[[layout]]
deal = 1
from = "stock"
to   = "row"

{layout}

[[rule]]
name = "clear"
from = "row"
to   = "heap"
"""
ROW: Final = names_of("row")
PLACES: Final = {"the side": "side", "the wing": "wing", "the nook": "nook", "the stock": "stock"}
Sources = list[list[str]]
"""Piles in the order in which they are asked; of several together the first that has a card."""
Fills = set[tuple[str, str]]


def piles_of(name: str) -> list[str]:
    return ["stock"] if name == "stock" else names_of(name)


def fills(sources: Sources, choose: str, piles: Piles) -> Fills:
    """The ways in which the next vacancy may be filled."""
    vacant = [name for name in ROW if not piles[name]]
    found = [next((name for name in lane if piles[name]), None) for lane in sources]
    ready = [name for name in found if name is not None]
    if choose not in ("card", "any"):
        ready = ready[:1]
    if choose not in ("place", "any"):
        vacant = vacant[:1]
    return {(source, target) for source in ready for target in vacant}


def compose(draw: random.Random) -> tuple[str, Sources]:
    """A value of ``refill``, and the piles that it names."""
    phrases, sources = [], []
    names = draw.sample(("side", "wing", "nook", "stock"), draw.choice((1, 2, 3)))
    while names:
        name = names.pop(0)
        if name != "side" and names and names[0] != "side" and draw.random() < 0.5:
            other = names.pop(0)
            phrases.append(f'"{name} or {other}"')
            sources.append([name, other])
        else:
            phrases.append(f'"{name}"')
            sources += [[pile] for pile in piles_of(name)]
    return f"[{', '.join(phrases)}]", sources


def told(words: str) -> tuple[Sources, str]:
    """From where vacancies are filled, and what the player chooses, by the explanation."""
    match = re.search(
        r"A vacancy in the row is filled with (?P<from>.+?)(?:, face up)?"
        r"(?:; the player chooses (?P<what>which, and where|which|the place))?\. This is done",
        words,
    )
    assert match is not None, words
    choose = {"which, and where": "any", "which": "card", "the place": "place"}
    found: Sources = []
    # Piles in brackets are asked when those before them have no card.
    for part in re.findall(r"the (?:side|wing|nook|stock)(?: \([^)]*\))?", match["from"]):
        names = re.findall("|".join(PLACES), part)
        found.append([PLACES[name] for name in names])
    single = [lane for lane in found if len(lane) == 1 and lane != ["side"]]
    if ", or, when there is none, " in match["from"] and "(" not in match["from"]:
        assert len(single) == len(found), words
        found = [[name for lane in found for name in lane]]
    sources: Sources = []
    for lane in found:
        sources += [[pile] for pile in names_of("side")] if lane == ["side"] else [lane]
    return sources, choose.get(match["what"] or "", "")


def lay_out(draw: random.Random) -> str:
    return "".join(
        f'[[layout]]\ndeal = 1\nfrom = "stock"\nto = "{name}"\n'
        for name in ("side.1", "side.2", "wing", "nook")
        if draw.random() < 0.8
    )


def offered(position: Position) -> Fills:
    return {
        (str(move.source), str(move.target)) for move in position.moves() if move.rule != "clear"
    }


def test_vacancies_are_filled_as_is_explained() -> None:
    draw = chance("refill")
    pack = [rank + suit for rank in RANKS for suit in "CDHS"]
    for _ in range(50 * MANY):
        refill, sources = compose(draw)
        choose = draw.choice(("", "", "card", "place", "any"))
        line = f'choose = "{choose}"' if choose else ""
        found = read_game(GAME.format(refill=refill, choose=line, layout=lay_out(draw)))
        assert not isinstance(found, list), f"{refill} {line}: {found}"
        game, book = found
        words = " ".join(explain(book).split())
        lanes, chosen = told(words)
        assert chosen == choose, f"{refill} {line}\n{words}"
        if choose in ("card", "any"):
            assert sorted(lanes) == sorted(sources), f"{refill} {line}\n{words}"
        else:
            # The first card counts, so it makes no difference which piles are asked as one.
            assert [*chain(*lanes)] == [*chain(*sources)], f"{refill} {line}\n{words}"
        draw.shuffle(pack)
        position = dealt(game, pack)
        for _ in range(8):
            piles = table(position)
            ways = fills(sources, choose, piles)
            if len(ways) > 1:
                assert offered(position) == ways, f"{refill} {line}\n{piles}"
            else:
                assert offered(position) == set(), f"{refill} {line}\n{piles}"
            moves = position.moves()
            if not moves:
                break
            move = draw.choice(moves)
            piles[str(move.target)].append(piles[str(move.source)].pop())
            while len(ways := fills(sources, choose, piles)) == 1:
                ((source, target),) = ways
                piles[target].append(piles[source].pop().upper())
            position = position.play(move)
            after = {name: [card.upper() for card in held] for name, held in piles.items()}
            now = {name: [c.upper() for c in held] for name, held in table(position).items()}
            assert now == after, f"{refill} {line} {move}"


def test_piles_that_are_asked_as_one_keep_their_turn() -> None:
    refill = '["nook or wing", "side"]'
    found = read_game(GAME.format(refill=refill, choose="", layout=""))
    assert not isinstance(found, list)
    english, german = (" ".join(explain(found[1], language).split()) for language in ("en", "de"))
    assert "the card in the nook, or else the card in the wing, or else any card of the side" in (
        english
    )
    order = (
        "der Karte des Stapels „nook“, sonst der Karte des Stapels „wing“, sonst einer Karte der"
    )
    assert order in german
