"""Steps of scripts that look at the cards: what they deal, turn, sort out and leave behind.

Other than in :mod:`tests.rules.composed.test_steps`, cards may lie face down here, and the words of
``explain`` are read, too (:mod:`tests.rules.composed.told_steps`).
"""

import random
from collections.abc import Callable
from typing import Final

import pytest

from cadogan import Game, Position
from cadogan.rules.explain import explain
from tests.rules.composed.reading import GROUPS, MANY, chance, dealt, names_of, read_game
from tests.rules.composed.table import (
    BUILDS,
    KINDS,
    LINES,
    RANKS,
    Deal,
    Piles,
    Step,
    in_turn,
    is_down,
    laid,
    move,
    table,
)
from tests.rules.composed.told_steps import told

GAME: Final = '''
name  = "Deals"
aim   = "foundations are complete"
ranks = "A 2 3 4 5 6"
picture = """
R1 R2 S1
R3 R4 S2
W N T .
F1 F2 . .
"""

[counters.n]
start = {n}
cap   = 9
why   = "rows laid"

[foundations]
mark  = "F"
piles = 2
base  = "ace"
build = "up in suit"

[row]
role  = "reserve"
mark  = "R"
piles = 4

[side]
role  = "reserve"
mark  = "S"
piles = 2

[wing]
role = "reserve"
mark = "W"

[nook]
role = "reserve"
mark = "N"

[stock]
mark = "T"

{layout}

[[rule]]
name  = "run"
verb  = "run"
steps = [{steps}]
'''


class Composer:
    """Composes steps and reads them, word by word."""

    def __init__(self, draw: random.Random, n: int) -> None:
        self.draw, self.n = draw, n

    def one(self) -> Step:
        shapes = [
            *(self.deal, self.deal, self.deal, self.deal, self.deal_by_counter),
            *(self.take, self.take_some, self.gather, self.gather_but, self.route),
            *(self.route_until, self.turn, self.pick, self.slip, self.to_bottom, self.close_up),
            self.same_pile,
        ]  # fmt: skip
        return self.draw.choice(shapes)()

    def face(self, default: str) -> tuple[str, str]:
        face = self.draw.choice(("", "up", "down", "keep"))
        return (f', face = "{face}"', face) if face else ("", default)

    def deal(self) -> Step:
        draw = self.draw
        sources = draw.choice((("stock",), ("wing",), ("wing", "stock"), ("nook",)))
        group = draw.choice(("row", "side", "row", "nook" if "nook" not in sources else "side"))
        made = Deal(sources, names_of(group))
        made.only = draw.choice(("", "", "vacant", "occupied"))
        words, made.face = self.face("up")
        if draw.random() < 0.3:
            made.up_to = draw.choice((1, 2, 3))
            number = f'"up to {made.up_to}"'
            if draw.random() < 0.5:
                made.emptiest = True
                words += ', order = "emptiest first"'
        else:
            made.each = draw.choice((1, 1, 2, 3))
            number = str(made.each)
            made.rounds = draw.choice((1, 1, 3)) if not made.only else 1
            words += f", rounds = {made.rounds}" if made.rounds > 1 else ""
            if made.only == "vacant" and group == "row" and draw.random() < 0.5:
                made.leaves = draw.choice(("row", "column"))
                words += f', leaving = "the first vacancy of each {made.leaves}"'
        if draw.random() < 0.3:
            made.apart = draw.choice([*BUILDS])
            words += f', apart = "{made.apart}"'
        elif draw.random() < 0.4:
            made.goes_up, made.replaced = draw.choice([*KINDS]), draw.random() < 0.5
            words += f', goes_up = "{made.goes_up}"'
            words += "" if made.replaced else ", replaced = false"
        if draw.random() < 0.4:
            made.passes, made.whole = (
                (draw.choice([*BUILDS]), draw.choice([*KINDS])),
                draw.random() < 0.5,
            )
            how = "are" if made.whole else "end in"
            build, kind = made.passes
            words += f', passes_over = "piles that {how} a sequence {build}, from {kind}"'
        to = f"{made.only} {group}".strip()
        filled = made.up_to is not None and made.goes_up and not made.replaced
        text = f'{{ deal = {number}, from = "{" or ".join(sources)}", to = "{to}"{words} }}'
        return Step(text, made, "key-does-not-fit" if filled else "")

    def deal_by_counter(self) -> Step:
        """A deal whose piles or number of cards a counter decides."""
        draw, n = self.draw, self.n
        names, each, rounds = names_of("row"), draw.choice((1, 2)), 1
        from_end = draw.random() < 0.5
        end = " from the end" if from_end else ""
        number = str(each)
        match draw.choice(("at", "round", "but", "by")):
            case "at":
                to, some = f"row at n{end}", (names[::-1] if from_end else names)[n : n + 1]
            case "round":
                how, rounds = draw.choice(("from", "after")), draw.choice((1, 2))
                number = "1"
                first = (3 - n if from_end else n) + (how == "after")
                some = [names[(first + k) % 4] for k in range(4)]
                each, to = 1, f"round row {how} n{end}"
            case "but":
                to, some = "row but the last n", names[: 4 - n]
            case _:
                to, some, number = "row", names, '"3, then 2, then 1 by n"'
                each = (3, 2, 1, 0)[n]
        made = Deal(["stock"], some)
        made.each, made.rounds = each, rounds
        words = f", rounds = {rounds}" if rounds > 1 else ""
        return Step(f'{{ deal = {number}, from = "stock", to = "{to}"{words} }}', made)

    def take(self) -> Step:
        draw = self.draw
        source, target = draw.sample(
            [name for group in GROUPS for name in names_of(group)] + ["stock"], 2
        )
        words, face = self.face("keep")
        turned = draw.random() < 0.5
        end, at = draw.choice(("top", "bottom")), draw.choice(("top", "bottom"))
        number = draw.choice(
            ("1", "2", '"all"', '"2 * n"', '"1 * aces in nook"', '"1 * n of all but aces"')
        )

        def take(piles: Piles) -> None:
            have = piles[source]
            match number:
                case '"all"':
                    many = len(have)
                case '"2 * n"':
                    many = 2 * self.n
                case '"1 * aces in nook"':
                    many = sum(card.upper()[0] == "A" for card in piles["nook"])
                case '"1 * n of all but aces"':
                    many, cards = 0, have[::-1] if end == "top" else have
                    while sum(card.upper()[0] != "A" for card in cards[:many]) < self.n:
                        if many == len(cards):
                            break
                        many += 1
                case _:
                    many = int(number)
            move(piles, source, target, many, end, at, face, turned=turned)

        over = ", turned = true" if turned else ""
        ends = f'end = "{end}", at = "{at}"'
        return Step(
            f'{{ take = {number}, from = "{source}", to = "{target}", {ends}{over}{words} }}',
            take,
        )

    def take_some(self) -> Step:
        draw = self.draw
        words, face = self.face("keep")
        number = draw.choice(("1", '"all"'))
        turned = draw.random() < 0.5

        def take(piles: Piles) -> None:
            for source, target in zip(names_of("side"), ("row.2", "row.3"), strict=True):
                many = len(piles[source]) if number == '"all"' else 1
                move(piles, source, target, many, "top", "top", face, turned=turned)

        over, along = ", turned = true" if turned else "", 'along = "same place"'
        return Step(
            f'{{ take = {number}, from = "side", to = "row.2 to 3", {along}{over}{words} }}',
            take,
        )

    def same_pile(self) -> Step:
        number, end = self.draw.choice((1, 2)), self.draw.choice(("top", "bottom"))
        at = "bottom" if end == "top" else "top"

        def turn(piles: Piles) -> None:
            for name in names_of("row"):
                move(piles, name, name, number, end, at, "keep", turned=False)

        return Step(
            f'{{ take = {number}, from = "row", end = "{end}", to = "same pile", at = "{at}" }}',
            turn,
        )

    def gather(self) -> Step:
        draw = self.draw
        words, face = self.face("keep")
        turned, back, at = draw.random() < 0.5, draw.random() < 0.5, draw.choice(("top", "bottom"))
        to = draw.choice(("stock", "nook"))
        names = names_of(draw.choice(("row", "side")))
        text = names[0].partition(".")[0] + (" from last to first" if back else "")
        names = names[::-1] if back else names
        if draw.random() < 0.3 and len(names) == 4:
            from_end = draw.random() < 0.5
            text = f"row at n{' from the end' if from_end else ''}"
            chosen = names_of("row")[::-1] if from_end else names_of("row")
            names = chosen[self.n : self.n + 1]

        def gather(piles: Piles) -> None:
            for name in names:
                move(piles, name, to, len(piles[name]), "top", at, face, turned=turned)

        over = ", turned = true" if turned else ""
        return Step(f'{{ gather = "{text}", to = "{to}", at = "{at}"{over}{words} }}', gather)

    def gather_but(self) -> Step:
        draw = self.draw
        line, build, kind = (
            draw.choice(("row", "column")),
            draw.choice([*BUILDS]),
            draw.choice([*KINDS]),
        )

        def gather(piles: Piles) -> None:
            kept = []
            for names in LINES[line]:
                run: list[str] = []
                for name in names:
                    run += piles[name]
                    fine = piles[name] and not any(map(is_down, run)) and KINDS[kind](run[0])
                    if not fine or not in_turn(run, build):
                        break
                    kept.append(name)
            for name in names_of("row"):
                if name not in kept:
                    move(piles, name, "stock", len(piles[name]), "top", "top", "keep", turned=False)

        begin = "" if kind == "any card" else f", from {kind}"
        return Step(
            f'{{ gather = "row", except = "{line}s in order {build}{begin}", to = "stock" }}',
            gather,
        )

    def ways(self, source: str) -> tuple[str, Callable[[Piles], bool], str]:
        draw = self.draw
        over = ["wing", "nook", "side.1"]
        made = []
        for kind in draw.sample([*KINDS], draw.choice((1, 2, 3))):
            group = draw.choice((None, "row", "side", "row"))
            made.append((kind, names_of(group) if group else [], group, draw.choice(over)))
        text = ", ".join(
            f'{{ cards = "{kind}"{", to = " + repr(group) if group else ""}, overflow = "{rest}" }}'
            for kind, _, group, rest in made
        )

        def send(piles: Piles) -> bool:
            """Sends a card where it belongs, if there is one that goes anywhere."""
            if not piles[source]:
                return False
            card = piles[source][-1].upper()
            for kind, to, _, rest in made:
                if KINDS[kind](card):
                    piles[next((name for name in to if not piles[name]), rest)].append(card)
                    piles[source].pop()
                    return True
            return False

        idle = any(kind == "any card" for kind, *_ in made[:-1])
        return text, send, "said-twice" if idle else ""

    def route(self) -> Step:
        text, send, fault = self.ways("stock")
        return Step(
            f'{{ route = [{text}], from = "stock" }}', lambda piles: (send(piles), None)[1], fault
        )

    def route_until(self) -> Step:
        text, send, fault = self.ways("stock")
        until = self.draw.choice(("row", "side", "nook"))

        def go_on(piles: Piles) -> None:
            while not all(piles[name] for name in names_of(until)) and send(piles):
                pass

        return Step(f'{{ route = [{text}], from = "stock", until = "{until}" }}', go_on, fault)

    def turn(self) -> Step:
        draw = self.draw
        group, face, turned = (
            draw.choice([*GROUPS]),
            draw.choice(("up", "down", "keep")),
            draw.random() < 0.5,
        )
        turned = turned or face == "keep"

        def turn(piles: Piles) -> None:
            for name in names_of(group):
                cards = piles[name][::-1] if turned else piles[name]
                piles[name] = [laid(card, face) for card in cards]

        over = ", turned = true" if turned else ""
        return Step(f'{{ turn = "{group}", face = "{face}"{over} }}', turn)

    def pick(self) -> Step:
        draw = self.draw
        kind, source = draw.choice([*KINDS]), draw.choice(("stock", "wing"))
        group = draw.choice(("row", "side", "nook"))
        words, face = self.face("up")

        def pick(piles: Piles) -> None:
            for name in names_of(group):
                found = [n for n, card in enumerate(piles[source]) if KINDS[kind](card.upper())]
                if found:
                    piles[name].append(laid(piles[source].pop(found[-1]), face))

        return Step(f'{{ pick = "{kind}", from = "{source}", to = "{group}"{words} }}', pick)

    def slip(self) -> Step:
        group, kind = self.draw.choice(("row", "side")), self.draw.choice([*KINDS])

        def slip(piles: Piles) -> None:
            for name in names_of(group):
                for _ in piles[name][:]:
                    if KINDS[kind](piles[name][-1].upper()):
                        piles[name].insert(0, piles[name].pop())

        return Step(f'{{ slip = "{kind}", of = "{group}" }}', slip)

    def to_bottom(self) -> Step:
        group, kind = self.draw.choice(("row", "side")), self.draw.choice([*KINDS])

        def sink(piles: Piles) -> None:
            for name in names_of(group):
                piles[name].sort(key=lambda card: not KINDS[kind](card.upper()))

        return Step(f'{{ to_bottom = "{kind}", of = "{group}" }}', sink)

    def close_up(self) -> Step:
        line = self.draw.choice(("row", "column"))

        def close_up(piles: Piles) -> None:
            for names in LINES[line]:
                held = [piles[name] for name in names if piles[name]]
                for place, name in enumerate(names):
                    piles[name] = held[place] if place < len(held) else []

        return Step(f'{{ close_up = "row", along = "{line}s" }}', close_up)


def lay_out(draw: random.Random) -> str:
    """A layout of a few cards, some of them face down."""
    text = ""
    for name in [name for group in GROUPS for name in names_of(group)]:
        for face in ("down", "up"):
            if number := draw.choice((0, 0, 1, 1, 2)):
                text += (
                    f'[[layout]]\ndeal = {number}\nfrom = "stock"\nto = "{name}"\nface = "{face}"\n'
                )
    return text


def run(game: Game, position: Position) -> Position:
    """The position after the script, or the same one if the script would do nothing."""
    moves = [move for move in position.moves() if str(move) == "run"]
    return position.play(moves[0]) if moves else position


def test_steps_that_look_at_the_cards_do_what_they_say() -> None:
    draw = chance("deals")
    pack = [rank_ + suit for rank_ in RANKS for suit in "CDHS"]
    for _ in range(150 * MANY):
        n = draw.randrange(4)
        composer = Composer(draw, n)
        steps = [composer.one() for _ in range(draw.choice((1, 1, 2, 3)))]
        script = ", ".join(step.text for step in steps)
        found = read_game(GAME.format(n=n, layout=lay_out(draw), steps=script))
        faults = {step.fault for step in steps} - {""}
        if isinstance(found, list):
            assert set(found) == faults, f"{script}: {found}"
            continue
        assert not faults, script
        game, book = found
        spoken = None
        if len(steps) == 1:
            words = " ".join(explain(book).split()).partition("**Run.** ")[2].partition(" #")[0]
            spoken = told(words.partition(" There is no redeal")[0].rstrip("."), n)
        for _ in range(4):
            draw.shuffle(pack)
            position = dealt(game, pack)
            before = table(position)
            naive = {name: held[:] for name, held in before.items()}
            for step in steps:
                step.act(naive)
            assert table(run(game, position)) == naive, f"{script}\n{before}"
            if spoken is not None:
                said = {name: held[:] for name, held in before.items()}
                spoken(said)
                assert said == naive, f"{script}\n{words}\n{before}"


def test_shuffles_after_steps_that_are_composed() -> None:
    draw = chance("shuffles")
    pack = [rank_ + suit for rank_ in RANKS for suit in "CDHS"]
    orders = set()
    for _ in range(20 * MANY):
        step = Composer(draw, 1).one()
        pile = draw.choice(("stock", "wing", "row.1"))
        script = f'{step.text}, {{ shuffle = "{pile}" }}'
        found = read_game(GAME.format(n=1, layout=lay_out(draw), steps=script))
        if isinstance(found, list):
            assert set(found) == {step.fault}
            continue
        game, book = found
        draw.shuffle(pack)
        position = dealt(game, pack)
        naive = table(position)
        step.act(naive)
        naive[pile] = sorted(card.lower() for card in naive[pile])
        after = run(game, position)
        shuffled = table(after)
        orders.add(tuple(shuffled[pile]) == tuple(naive[pile]))
        shuffled[pile].sort()
        assert shuffled == naive, script
        assert after.counters["shuffles"] == min(1, len(naive[pile]))
        assert table(run(game, position)) == table(after), "the same shuffle again"
        assert "is shuffled and lies face down" in explain(book)
    assert orders == {True, False}, "only piles of few cards may come out as they were"


def reading(script: str, *, layout: str = "") -> tuple[Game, str, str]:
    """A game with a script, and how it is explained in English and in German."""
    found = read_game(GAME.format(n=0, layout=layout, steps=script))
    assert not isinstance(found, list), found
    game, book = found
    english, german = (" ".join(explain(book, language).split()) for language in ("en", "de"))
    return game, english, german


def after(game: Game, first: str) -> Piles:
    return table(run(game, dealt(game, first.split())))


def test_a_pile_is_passed_over_for_the_whole_visit_or_not_at_all() -> None:
    passing = 'passes_over = "piles that end in a sequence down, from sixes"'
    layout = '[[layout]]\ndeal = 1\nfrom = "stock"\nto = "nook"\n'
    script = f'{{ deal = 2, from = "stock", to = "nook and wing", {passing} }}'
    game, *_ = reading(script, layout=layout)
    assert after(game, "AS 6H 5S 4D")["nook"] == ["AS", "6H", "5S"]
    assert after(game, "6H AS 5S")["nook"] == ["6H"]
    # On a single pile, rounds are visits, and are explained.
    game, english, german = reading(
        f'{{ deal = 2, rounds = 2, from = "stock", to = "nook", {passing} }}', layout=layout
    )
    assert after(game, "AS 2S 6H 4S")["nook"] == ["AS", "2S", "6H"]
    assert "Four cards are dealt from the stock face up on the nook, two at a time" in english
    assert "auf den Stapel „nook“ gegeben, je zwei Karten auf einmal" in german


def test_the_emptiest_vacancy_is_filled_up() -> None:
    game, *_ = reading(
        '{ deal = "up to 2", from = "stock", to = "vacant side", order = "emptiest first" }'
    )
    assert after(game, "AS 2S 3S 4S")["side.1"] == ["AS", "3S"]
    assert after(game, "AS 2S 3S 4S")["side.2"] == ["2S", "4S"]


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        ('deal = 1, to = "row"', 'deal = 1, to = "side"', True),
        ('deal = "up to 2", to = "row"', 'deal = "up to 2", to = "side"', True),
        (
            'deal = "up to 2", to = "row"',
            'deal = "up to 2", to = "side", order = "emptiest first"',
            False,
        ),
        ('deal = 2, to = "row"', 'deal = "2, then 1 by n", to = "side"', False),
        ('deal = 1, to = "round row from n"', 'deal = 1, to = "side"', False),
    ],
)
def test_only_deals_that_are_alike_are_told_as_such(first: str, second: str, alike: bool) -> None:
    steps = ", ".join(f'{{ {step}, from = "stock" }}' for step in (first, second))
    _, english, german = reading(steps)
    assert ("and then in the same way on each pile of the side" in english) == alike
    assert ("und dann ebenso auf" in german) == alike


def test_cards_that_go_no_way_stay() -> None:
    ways = (
        '{ cards = "aces", overflow = "nook" }, { cards = "sixes", to = "row", overflow = "nook" }'
    )
    game, english, german = reading(f'{{ route = [{ways}], from = "stock", until = "row" }}')
    played = after(game, "AS 6S 5S 6H")
    assert (played["nook"], played["row.1"], played["row.2"]) == (["AS"], ["6S"], [])
    assert "any other card stays where it is, and no more are turned; until" in english
    assert "jede andere Karte bleibt liegen, und es wird keine mehr aufgedeckt" in german


@pytest.mark.parametrize(
    ("script", "english", "german"),
    [
        (
            '{ turn = "side", face = "keep", turned = true }',
            "each pile of the side is turned round, but none is turned over",
            "wird die Reihenfolge der Karten umgekehrt, ohne sie umzudrehen",
        ),
        (
            '{ take = 2, from = "wing", to = "nook", face = "down" }',
            "and laid on the nook, in their order, face down",
            "in ihrer Reihenfolge und verdeckt auf",
        ),
        (
            '{ take = 2, from = "wing", to = "nook", face = "up", turned = true }',
            "and laid on the nook, their order being turned round, face up",
            "in umgekehrter Reihenfolge und offen auf",
        ),
        (
            '{ gather = "row", to = "nook", at = "bottom", turned = true }',
            "each is put in reverse order under the nook",
            "wird in umgekehrter Reihenfolge unter",
        ),
        (
            '{ take = "1 * n of all but aces", from = "wing", to = "nook" }',
            "until one card other than an ace for each of the rows laid",
            "so lange Karten genommen, bis",
        ),
        (
            '{ pick = "aces", from = "stock", to = "nook", face = "keep" }',
            "the first ace of the stock is taken out and put on the nook as it lies",
            "herausgesucht und so, wie sie liegt, auf",
        ),
        (
            '{ deal = "2, then 1 by n", from = "stock", to = "nook" }',
            "(one number further for each of the rows laid, and no cards after the last number)",
            "nach der letzten Zahl keine Karten mehr",
        ),
    ],
)
def test_what_was_not_told_as_it_is_played(script: str, english: str, german: str) -> None:
    _, told_in_english, told_in_german = reading(script)
    assert english in told_in_english.replace("The order", "the order").replace(
        "The first", "the first"
    )
    assert german in told_in_german
