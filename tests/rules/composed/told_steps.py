"""What the words of ``explain`` say of a step, read without the phrase."""

import re
from collections.abc import Callable
from typing import Final

from tests.rules.composed.reading import NUMBERS, names_of
from tests.rules.composed.table import (
    KINDS,
    LINES,
    Act,
    Deal,
    Piles,
    in_turn,
    is_down,
    laid,
    move,
)

_PLACES: Final = ("first", "second", "third", "fourth")
_PILE: Final = (
    rf"the (?:{'|'.join(_PLACES)}) pile of the (?:row|side)|the (?:row|side|wing|nook|stock)"
)
_NUMBER: Final = "|".join(NUMBERS)
_ENDS: Final = "as far as the cards go"
_RUNS: Final = {
    "running down": "down",
    "running up in suit": "up in suit",
    "running down in alternate colours": "down in alternate colours",
    "of cards of the same rank": "same rank",
}
_FITS: Final = {
    "that is one rank lower, compared with a card that lies in the pile already,": "down",
    "that is one rank higher and of the same suit, compared with a card that lies in the pile "
    "already,": "up in suit",
    "that is one rank lower and of the other colour, compared with a card that lies in the pile "
    "already,": "down in alternate colours",
    "whose rank lies in the pile already": "same rank",
}
_KINDS: Final = {
    "an ace": "aces", "a red card": "red cards", "a six": "sixes", "a spade": "spades",
    "any card": "any card", "a card": "any card", "it": "any card", "any other card": "any card",
    "ace": "aces", "red card": "red cards", "six": "sixes", "spade": "spades", "card": "any card",
    "aces": "aces", "red cards": "red cards", "sixes": "sixes", "spades": "spades",
    "cards": "any card",
}  # fmt: skip
_KIND: Final = "|".join(sorted(_KINDS, key=len, reverse=True))


def piles_in(words: str) -> list[str]:
    found: list[str] = []
    for part in re.findall(_PILE, words):
        place = re.fullmatch(r"the (\w+) pile of the (\w+)", part)
        if place:
            found.append(f"{place[2]}.{_PLACES.index(place[1]) + 1}")
        else:
            name = part.removeprefix("the ")
            found += ["stock"] if name == "stock" else names_of(name)
    return found


def pile_in(words: str) -> str:
    (name,) = piles_in(words)
    return name


def kind_of(words: str) -> Callable[[str], bool]:
    return lambda card: KINDS[_KINDS[words]](card.upper())


def told(words: str, n: int) -> Act:
    """What a clause says.

    Args:
        words: The clause, without its full stop.
        n: The value of the counter of rows laid.
    """
    words = words[:1].lower() + words[1:]
    for read in (_deal_by_counter, _deal, _take, _same_place, _gather, _route, _sorting):
        if (act := read(words, n)) is not None:
            return act
    raise AssertionError(f"{words!r} is not understood")


def _deal(words: str, _n: int) -> Act | None:
    first, *special = words.split("; ")
    match = re.fullmatch(
        rf"(?:(?P<count>{_NUMBER}) cards? (?:is|are)|cards are) dealt from (?P<source>{_PILE})"
        rf"(?: or, if there is none there, from (?P<then>{_PILE}))?(?: face (?P<face>up|down))? on "
        r"(?P<where>.+?)(?:, as far as the cards go)?",
        first,
    )
    if match is None:
        return None
    sources = [pile_in(match["source"])] + ([pile_in(match["then"])] if match["then"] else [])
    where = match["where"]
    made = Deal(sources, piles_in(where))
    made.face = match["face"] or "keep"
    made.only = "vacant" if re.search("each vacancy in|if it is empty|when empty", where) else ""
    made.only = "occupied" if "that is not empty" in where or "if it is not" in where else made.only
    if left := re.search(r"except the first of each (row|column)", where):
        made.leaves = left[1]
    if up_to := re.search(rf"until it holds ({_NUMBER}) cards?", where):
        made.up_to = NUMBERS.index(up_to[1])
        made.emptiest = "always on the pile with the fewest cards" in where
    else:
        assert match["count"], words
        made.each = NUMBERS.index(match["count"])
        a_time = re.search(
            rf", (?:in rounds, )?({_NUMBER})(?: cards?)?(?: to a pile)? at a time", where
        )
        if a_time:
            made.rounds, made.each = made.each // NUMBERS.index(a_time[1]), NUMBERS.index(a_time[1])
    while special:
        part = special.pop(0)
        if up := re.fullmatch(
            rf"(?P<card>{_KIND}) that comes next on a foundation goes up at once, and "
            r"(?:(?P<next>the next card takes its place)|its place stays empty)",
            part,
        ):
            made.goes_up, made.replaced = _KINDS[up["card"]], bool(up["next"])
        elif over := re.fullmatch(
            r"a pile that (?P<how>ends in|is as a whole) a face-up sequence "
            rf"\((?P<run>.+), beginning with (?P<card>{_KIND})\) is passed over",
            part,
        ):
            made.passes = _RUNS[over["run"]], _KINDS[over["card"]]
            made.whole = over["how"] == "is as a whole"
        elif apart := re.fullmatch(
            rf"a card (?P<fits>.+) goes under (?P<pile>{_PILE}), and the next one is tried", part
        ):
            assert special.pop(0) == "if none will do, the first one is dealt"
            made.apart = _FITS[apart["fits"]]
            assert pile_in(apart["pile"]) == sources[0]
        else:
            raise AssertionError(f"{part!r} of {words!r} is not understood")
    return made


def _deal_by_counter(words: str, n: int) -> Act | None:
    """A deal whose piles or number of cards a counter decides."""
    row, each, rounds = names_of("row"), 1, 1
    if match := re.fullmatch(
        rf"(?P<count>{_NUMBER}) cards? (?:is|are) dealt from the stock face up on "
        rf"(?:each pile of the row, {_ENDS}, but on one pile fewer for each of the rows laid: the "
        r"(?P<but>last) ones are left out|the pile of the row whose turn has come "
        r"\((?P<turn>.+)\))",
        words,
    ):
        each = NUMBERS.index(match["count"])
        order = row[::-1] if "last" in (match["turn"] or "") else row
        some = row[: 4 - n] if match["but"] else order[n : n + 1]
    elif match := re.fullmatch(
        r"three cards, then two, then one \(one number further for each of the rows laid, and no "
        rf"cards after the last number\), are dealt from the stock face up on each pile of the "
        rf"row, {_ENDS}",
        words,
    ):
        some, each = row, (3, 2, 1, 0)[n]
    elif match := re.fullmatch(
        r"the cards of the stock are dealt face up one by one round the row, beginning with "
        r"(?P<after>the pile after )?the pile of the row whose turn has come \((?P<turn>.+)\), at "
        rf"most (?:once|(?P<times>{_NUMBER}) times) round",
        words,
    ):
        rounds = NUMBERS.index(match["times"] or "one")
        first = (3 - n if "last" in match["turn"] else n) + bool(match["after"])
        some = [row[(first + further) % 4] for further in range(4)]
    else:
        return None
    made = Deal(["stock"], some)
    made.each, made.rounds = each, rounds
    return made


_MANNERS: Final = {
    "": (False, "keep"),
    " as they lie": (False, "keep"),
    ", one by one, so that their order is turned round": (True, "keep"),
    ", face up": (False, "up"),
    ", face down": (False, "down"),
    ", turned over as one packet, face down": (True, "down"),
    ", their order being turned round, face up": (True, "up"),
    ", in their order, face up": (False, "up"),
    ", in their order, face down": (False, "down"),
}
_UNSHUFFLED: Final = r"( and unshuffled, so that the (?:upper|low)(?:most|est) of them .+)?"
_FEWER: Final = r"(?: \(all, if there are fewer\))?"


def _take(words: str, n: int) -> Act | None:
    match = re.fullmatch(
        rf"(?:all the cards of (?P<all>{_PILE}) are taken|"
        rf"(?P<count>{_NUMBER}) cards? (?:is|are) taken from the (?P<end>top|bottom) of "
        rf"(?P<some>{_PILE}){_FEWER}|"
        rf"cards are taken from the (?P<side>top|bottom) of (?P<lot>{_PILE})"
        rf"(?:, (?P<times>{_NUMBER}) for each of the "
        rf"(?:rows laid|(?P<kind>{_KIND}) in (?P<held>{_PILE}))|"
        rf" until (?P<until>{_NUMBER}) (?:card|cards) other than (?:an ace|aces) for each of the "
        rf"rows laid are among them){_FEWER},) "
        rf"and (?P<put>laid on|put under) (?P<to>{_PILE})(?P<manner>.*?){_UNSHUFFLED}",
        words,
    )
    if match is None:
        return None
    source = pile_in(match["all"] or match["some"] or match["lot"])
    end = match["end"] or match["side"] or "top"
    at = "top" if match["put"] == "laid on" else "bottom"
    turned, face = _MANNERS[match["manner"]]

    def take(piles: Piles) -> None:
        have = piles[source]
        many = len(have)
        if match["count"]:
            many = NUMBERS.index(match["count"])
        elif match["held"]:
            many = sum(map(kind_of(match["kind"]), piles[pile_in(match["held"])]))
            many *= NUMBERS.index(match["times"])
        elif match["times"]:
            many = NUMBERS.index(match["times"]) * n
        elif match["until"]:
            cards = have[::-1] if end == "top" else have
            wanted, many = NUMBERS.index(match["until"]) * n, 0
            while many < len(cards) and sum(c.upper()[0] != "A" for c in cards[:many]) < wanted:
                many += 1
        move(piles, source, pile_in(match["to"]), many, end, at, face, turned=turned)

    return take


def _same_place(words: str, _n: int) -> Act | None:
    match = re.fullmatch(
        r"(?:(?P<all>all the cards) of each pile of the side are|"
        r"one card is taken from the top of each pile of the side)(?: taken)? and laid on "
        r"the second pile of the row or the third pile of the row of the same place(?P<manner>.*)",
        words,
    )
    if match is None:
        return None
    turned, face = _MANNERS[match["manner"]]

    def take(piles: Piles) -> None:
        for source, target in (("side.1", "row.2"), ("side.2", "row.3")):
            many = len(piles[source]) if match["all"] else 1
            move(piles, source, target, many, "top", "top", face, turned=turned)

    return take


def _gather(words: str, n: int) -> Act | None:
    put = (
        r"(?P<turned>turned over and )?(?P<put>laid|put)(?P<card> card by card| in reverse order)? "
        rf"(?:on|under) (?P<to>{_PILE})(?:, face (?P<face>up|down))?"
    )
    match = re.fullmatch(
        r"the piles(?:, except those that lie in order at the beginning of their "
        rf"(?P<line>row|column) \((?:first (?P<kind>{_KIND}), then )?(?P<run>.+?)\),)? are taken "
        r"up one after another, the (?P<group>row|side) from the "
        r"(?P<from>first|last) to the (?:first|last); each is "
        rf"{put}, without shuffling(?:, so that of all these cards .+)?",
        words,
    )
    if match is not None:
        names = names_of(match["group"])
        names = names[::-1] if match["from"] == "last" else names
    else:
        match = re.fullmatch(
            r"the pile of the row whose turn has come \((?P<how>.+)\) is taken up and "
            r"(?P<turned>turned over and )?(?P<card>card by card |in reverse order )?"
            rf"(?P<put>laid|put) (?:on|under) (?P<to>{_PILE})(?:, face (?P<face>up|down))?"
            r"(?P<line>)(?P<kind>)(?P<run>)",
            words,
        )
        if match is None:
            return None
        chosen = names_of("row")[::-1] if "last" in match["how"] else names_of("row")
        names = chosen[n : n + 1]
    found = match
    at, face = "top" if match["put"] == "laid" else "bottom", match["face"] or "keep"
    turned = bool(match["turned"] or match["card"])

    def gather(piles: Piles) -> None:
        kept = []
        for line in LINES[found["line"]] if found["line"] else ():
            run: list[str] = []
            for name in line:
                run += piles[name]
                fine = bool(piles[name]) and not any(map(is_down, run))
                if found["kind"]:
                    fine = fine and kind_of(found["kind"])(run[0])
                if not fine or not in_turn(run, _RUNS[found["run"]]):
                    break
                kept.append(name)
        for name in names:
            if name not in kept:
                move(piles, name, pile_in(found["to"]), 99, "top", at, face, turned=turned)

    return gather


def _route(words: str, _n: int) -> Act | None:
    match = re.fullmatch(
        rf"(?:the top card of (?P<one>{_PILE}) is turned|"
        rf"cards are turned from (?P<all>{_PILE}) one by one): (?P<ways>.+?)"
        rf"(?:; until (?P<until>{_PILE}) (?:is no longer empty|has no vacancy left))?",
        words,
    )
    if match is None:
        return None
    source = pile_in(match["one"] or match["all"])
    ways: list[tuple[str, list[str], str]] = []
    stays = False
    for part in match["ways"].split("; "):
        if part.startswith("any other card stays where it is"):
            stays = True
            assert part.endswith(", and no more are turned") == bool(match["until"])
            continue
        way = re.fullmatch(
            rf"(?P<kind>{_KIND}) goes (?:to the first vacancy in (?P<to>{_PILE}), or, when there "
            rf"is none, )?on (?:(?P<first>{_PILE}), if that is empty, else on )?(?P<over>{_PILE})",
            part,
        )
        assert way is not None, part
        to = piles_in(way["to"] or way["first"] or "")
        ways.append((way["kind"], to, pile_in(way["over"])))
    until = piles_in(match["until"]) if match["until"] else None

    def send(piles: Piles) -> bool:
        if not piles[source]:
            return False
        card = piles[source][-1].upper()
        for kind, to, over in ways:
            if kind_of(kind)(card):
                piles[next((name for name in to if not piles[name]), over)].append(card)
                piles[source].pop()
                return True
        assert stays, f"{card}: {words}"
        return False

    def route(piles: Piles) -> None:
        if until is None:
            send(piles)
            return
        while not all(piles[name] for name in until) and send(piles):
            pass

    return route


def _sorting(words: str, _n: int) -> Act | None:
    """Turning, picking, slipping, sinking, closing up, and turning piles round."""
    where = rf"(?:each pile of )?(?P<piles>{_PILE})"
    if match := re.fullmatch(
        rf"{where} is turned over as a whole, face (up|down), so that .+", words
    ):
        some, face = piles_in(match["piles"]), match[2]
        return lambda piles: piles.update(
            {name: [laid(card, face) for card in piles[name][::-1]] for name in some}
        )
    if match := re.fullmatch(
        rf"the order of the cards of {where} is turned round, but none is turned over", words
    ):
        some = piles_in(match["piles"])
        return lambda piles: piles.update({name: piles[name][::-1] for name in some})
    if match := re.fullmatch(rf"all cards of {where} are turned (up|down), and keep .+", words):
        some, face = piles_in(match["piles"]), match[2]
        return lambda piles: piles.update(
            {name: [laid(card, face) for card in piles[name]] for name in some}
        )
    if match := re.fullmatch(
        rf"the first (?:{_NUMBER})? ?(?P<kind>{_KIND}) of (?P<from>{_PILE}) (?:is|are) taken out "
        rf"and put(?: face (?P<face>down))? on (?P<piles>{_PILE})"
        "(?P<keep> as (?:they lie|it lies))?",
        words,
    ):
        return _pick(match)
    if match := re.fullmatch(
        rf"as long as (?P<kind>{_KIND}) lies on top of a pile of (?P<piles>{_PILE}), it is put "
        "under that pile",
        words,
    ):
        some, test = piles_in(match["piles"]), kind_of(match["kind"])

        def slip(piles: Piles) -> None:
            for name in some:
                for _ in piles[name][:]:
                    if test(piles[name][-1]):
                        piles[name].insert(0, piles[name].pop())

        return slip
    if match := re.fullmatch(
        rf"the (?P<kind>{_KIND}) in (?P<piles>{_PILE}) go to the bottom of their piles and keep .+",
        words,
    ):
        some, test = piles_in(match["piles"]), kind_of(match["kind"])
        return lambda piles: piles.update(
            {name: sorted(piles[name], key=lambda card: not test(card)) for name in some}
        )
    if match := re.fullmatch(
        r"each (?P<line>row|column) of the row closes up: each (?:pile|card) moves "
        "(?:to the left|upwards) over the vacancies before it, and the order stays the same",
        words,
    ):
        lines = LINES[match["line"]]

        def close_up(piles: Piles) -> None:
            for names in lines:
                held = [piles[name] for name in names if piles[name]]
                piles.update(zip(names, [*held, [], []], strict=False))

        return close_up
    if match := re.fullmatch(
        rf"(?:in each pile of the row, (?P<many>{_NUMBER}) cards go from|"
        r"the (?P<end>top|bottom) card of each pile of the row goes) "
        r"(?:the (?P<from>top|bottom) )?to the (?P<at>top|bottom)"
        r"(?:, in their order)?",
        words,
    ):
        return _turn_round(match)
    return None


def _pick(match: re.Match[str]) -> Act:
    source, some = pile_in(match["from"]), piles_in(match["piles"])
    face, test = match["face"] or ("keep" if match["keep"] else "up"), kind_of(match["kind"])

    def pick(piles: Piles) -> None:
        for name in some:
            found = [number for number, card in enumerate(piles[source]) if test(card)]
            if found:
                piles[name].append(laid(piles[source].pop(found[-1]), face))

    return pick


def _turn_round(match: re.Match[str]) -> Act:
    end, many = match["end"] or match["from"], NUMBERS.index(match["many"] or "one")

    def turn(piles: Piles) -> None:
        for name in names_of("row"):
            move(piles, name, name, many, end, match["at"], "keep", turned=False)

    return turn
