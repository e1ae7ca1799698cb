"""Steps of scripts: what they do with the cards, and what they leave behind."""

import random
from collections.abc import Callable
from typing import Final

from cadogan.rules.explain import explain
from tests.rules.composed.reading import (
    GROUPS,
    HEAD,
    MANY,
    RANKS,
    chance,
    dealt,
    names_of,
    read_game,
)

Piles = dict[str, list[str]]
"""The cards of each pile; the last one lies on top."""

GAME: Final = f"""
name = "Steps"
aim  = "nook is empty"

{HEAD}
[stock]

{{layout}}

[[rule]]
name  = "run"
verb  = "run"
steps = [{{steps}}]
"""
KINDS: Final[dict[str, Callable[[str], bool]]] = {
    "aces": lambda card: card[0] == "A",
    "red cards": lambda card: card[1] in "DH",
    "court cards": lambda card: card[0] in "JQK",
}
STATES: Final = ("", "vacant ", "occupied ")
Step = tuple[str, Callable[[Piles], None]]


def compose(draw: random.Random) -> Step:
    """A step, and what it does, word by word."""
    single = [name for group in GROUPS for name in names_of(group)]
    kind = draw.choice([*KINDS])
    test = KINDS[kind]
    match draw.choice(("deal", "deal", "take", "gather", "slip", "to_bottom", "close_up")):
        case "deal":
            each, rounds = draw.choice((1, 1, 2, 3)), draw.choice((1, 1, 3))
            source = draw.choice(("stock", "wing"))
            group, state = draw.choice(("row", "side", "nook")), draw.choice(STATES)
            rounds = 1 if state else rounds

            def deal(piles: Piles) -> None:
                vacant = state == "vacant "
                targets = [
                    name for name in names_of(group) if not state or (not piles[name]) == vacant
                ]
                for _ in range(rounds):
                    for name in targets:
                        for _ in range(each):
                            if piles[source]:
                                piles[name].append(piles[source].pop())

            words = f"rounds = {rounds}, " if rounds > 1 else ""
            to = f'to = "{state}{group}"'
            return f'{{ deal = {each}, {words}from = "{source}", {to} }}', deal
        case "take":
            number = draw.choice((1, 2, None))
            source, target = draw.sample(single, 2)
            end, at = draw.choice(("top", "bottom")), draw.choice(("top", "bottom"))

            def take(piles: Piles) -> None:
                have = piles[source]
                many = len(have) if number is None else min(number, len(have))
                start = len(have) - many if end == "top" else 0
                block = have[start : start + many]
                del have[start : start + many]
                place = len(piles[target]) if at == "top" else 0
                piles[target][place:place] = block

            many = '"all"' if number is None else number
            ends = f'end = "{end}", at = "{at}"'
            return f'{{ take = {many}, from = "{source}", to = "{target}", {ends} }}', take
        case "gather":
            group, turned = draw.choice(("row", "side")), draw.random() < 0.5
            back = draw.random() < 0.5

            def gather(piles: Piles) -> None:
                for name in reversed(names_of(group)) if back else names_of(group):
                    cards = piles[name][::-1] if turned else piles[name][:]
                    piles[name].clear()
                    piles["stock"] += cards

            words = f"{group} from last to first" if back else group
            over = ", turned = true" if turned else ""
            return f'{{ gather = "{words}", to = "stock"{over} }}', gather
        case "slip":
            group = draw.choice(("row", "side"))

            def slip(piles: Piles) -> None:
                for name in names_of(group):
                    for _ in piles[name][:]:
                        if test(piles[name][-1]):
                            piles[name].insert(0, piles[name].pop())

            return f'{{ slip = "{kind}", of = "{group}" }}', slip
        case "to_bottom":
            group = draw.choice(("row", "side"))

            def sink(piles: Piles) -> None:
                for name in names_of(group):
                    own = [card for card in piles[name] if test(card)]
                    piles[name][:] = own + [card for card in piles[name] if not test(card)]

            return f'{{ to_bottom = "{kind}", of = "{group}" }}', sink

    def close_up(piles: Piles) -> None:
        held = [piles[name] for name in names_of("row") if piles[name]]
        for place, name in enumerate(names_of("row")):
            piles[name] = held[place] if place < len(held) else []

    return '{ close_up = "row" }', close_up


def test_steps_that_are_composed_do_what_they_say() -> None:
    draw = chance("steps")
    explained: dict[tuple[str, ...], tuple[str, list[Piles]]] = {}
    fixed = [[rank + suit for rank in RANKS for suit in "CDHS"] for _ in range(3)]
    for number, cards in enumerate(fixed):
        random.Random(number).shuffle(cards)
    # The same few tables for all scripts, so that their effects can be compared.
    layouts = []
    for number in range(3):
        lot, layout = random.Random(f"layout {number}"), ""
        for name in [name for group in GROUPS for name in names_of(group)]:
            if some := lot.choice((0, 1, 2, 4)):
                layout += f'[[layout]]\ndeal = {some}\nfrom = "stock"\nto = "{name}"\n'
        layouts.append(layout)
    for _ in range(80 * MANY):
        steps = [compose(draw) for _ in range(draw.choice((1, 1, 2, 3)))]
        script = ", ".join(text for text, _ in steps)
        effects: list[Piles] = []
        words: tuple[str, ...] = ()
        for layout, cards in zip(layouts, fixed, strict=True):
            found = read_game(GAME.format(layout=layout, steps=script))
            assert not isinstance(found, list), f"{script}: {found}"
            game, book = found
            position = dealt(game, cards)
            before = {name: [str(card) for card in held] for name, held in position.piles.items()}
            before["stock"] = [str(card) for card in position.piles["stock"]]
            naive = {name: held[:] for name, held in before.items()}
            for _, act in steps:
                act(naive)
            moves = [move for move in position.moves() if str(move) == "run"]
            after = position.play(moves[0]) if moves else position
            played = {name: [str(card) for card in held] for name, held in after.piles.items()}
            assert played == naive, f"{script}\n{before}"
            effects.append(played)
            texts = (" ".join(explain(book, language).split()) for language in ("en", "de"))
            words += tuple(text.partition("**Run.**")[2].partition("#")[0] for text in texts)
        # Scripts that are explained alike do the same.
        known, others = explained.setdefault(words, (script, effects))
        assert others == effects, f"{script}\n{known}\n{words}"
