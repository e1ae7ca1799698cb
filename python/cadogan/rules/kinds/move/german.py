"""A rule that moves cards, in German."""

from typing import TYPE_CHECKING

from cadogan.i18n.german import ACC, DAT, NOM, Case, after, so_many

if TYPE_CHECKING:
    from cadogan.rules.explain.german.actions import GermanActions
    from cadogan.rules.explain.german.phrases import Words
    from cadogan.rules.kinds.move.move import Move


def forced_move(move: "Move", words: "GermanActions") -> str:
    """What a forced rule moves, and where, as a clause ``subject|verb rest``."""
    choice = {
        "none": "",
        "card": "; welche Karte, wählt der Spieler",
        "place": "; den Platz wählt der Spieler",
        "any": "; welche Karte, und wohin, wählt der Spieler",
    }[move.choose]
    link = words.german.link(move)
    foundations = all(g.role == "foundation" for g in words.german.groups(move.to.piles))
    if move.build_order:
        source = words.german.moving(move, determiner="a")
        place = _next_place(move, link, words)
        fits = "" if move.to_holds[1] == 0 else ", sobald sie dort die nächste ist"
        fits += _beside(move, words)
        verb = source.verb("kommt", "kommen")
        return f"{source.closed}|{verb} auf {place}{fits}{choice}"
    if foundations:
        source = words.german.moving(move, determiner="a")
        word = "the first" if move.choose not in ("place", "any") else "a"
        if move.to_holds[1] == 0:
            place = words.german.empty(move.to.piles, word, ACC)  # type: ignore[arg-type]
        else:
            place = words.german.some(move.to.piles, "a", ACC)
        whole = " als Ganzes" if move.cards.kind != "top" else ""
        place += _beside(move, words)
        return f"{source.closed}|{source.verb('kommt', 'kommen')}{whole} auf {place}{choice}"
    if move.to_holds == (0, 0):
        word = "the first" if move.first_vacant else "any"
        vacancy = words.german.empty(move.to.piles, word, NOM)  # type: ignore[arg-type]
        source = _in_turn(move, words, DAT)
        face = " offen" if move.face == "up" and move.is_from_stock(words.book) else ""
        face = " verdeckt" if move.face == "down" else face
        if move.cards.kind == "count" and move.turns_order and move.face == "up":
            face += " und einzeln" if face else " einzeln"
        space = ""
        if by_counter := words.german.one_space_in_german(move):
            space = f", sofern sie {by_counter} ist"
        elif not words.german.german.is_any(move.space.mask):
            them = "sie" if move.cards.kind == "top" else "die erste von ihnen"
            space = f", sofern {them} {words.german.german.being(move.space.mask)} ist"
        space = _beside(move, words) or space
        of_line = f" {link}" if link else ""
        with_it = f"{source.text}{of_line}" if of_line else source.closed
        return f"{vacancy}|wird{face} mit {with_it} gefüllt{space}{choice}"
    source = _in_turn(move, words, NOM)
    bounded = move.to_holds[0] > 1 or move.to_holds[1] < 65535
    first = bounded and not link and move.choose in ("none", "card") and not move.build
    word = "the" if move.asks.emptiest else "the first" if first else "a"
    target = words.german.some(move.to.piles, word, ACC)  # type: ignore[arg-type]
    fits = f", wenn {words.german.german.may_lie(move.build)}" if move.build else ""
    if (move.to_holds[0] > 1 or move.to_holds[1] < 65535) and not words.german.is_capped(move):
        if move.asks.emptiest:
            fits = f", solange das ein Stapel mit {so_many(*move.to_holds)} ist{fits}"
        else:
            target = f"{target} mit {so_many(*move.to_holds)}"
    if move.asks.never_on is not None:
        fits += ", aber nie auf eine Karte vom Grundwert"
    of_line = f" {link}" if link else ""
    return f"{source.closed}|{source.verb('kommt', 'kommen')} auf {target}{of_line}{fits}{choice}"


def _beside(move: "Move", words: "GermanActions") -> str:
    if move.beside is None:
        return ""
    return f", sofern {words.german.taken_beside(move.beside, 'die Karte')}"


def _in_turn(move: "Move", words: "GermanActions", case: Case) -> "Words":
    """What moves: of several groups of sources, the first that has a card."""
    turns = move.in_turn(words.book)
    if len(turns) < 2:
        return words.german.moving(move, case, determiner="a")
    found = [words.german.moving(move, case, mine=piles, determiner="a") for piles in turns]
    return type(found[0])(", sonst ".join(each.text for each in found), found[-1].plural)


def _next_place(move: "Move", link: str, words: "GermanActions") -> str:
    if move.to_holds == (0, 0):
        free = move.choose in ("place", "any") and not move.first_vacant
        place = words.german.empty(move.to.piles, "a" if free else "the first", ACC)
    elif move.to_holds[0] > 0 and move.along.text == "same place":
        place = words.german.some(move.to.piles, "the", ACC)
        return f"{place} {link}, wenn dieser schon begonnen ist"
    elif move.to_holds[0] > 0:
        place = words.begun(move.to.piles)
    else:
        place = words.german.some(move.to.piles, "a", ACC)
    return f"{place} {link}".rstrip()


def use(move: "Move", words: "GermanActions") -> str:
    """A use of the rule, to follow "sooft"."""
    to = words.german.whole(move.to.piles, ACC)
    card = "eine Karte unter anderen hervor" if move.cards.kind == "any" else "eine Karte"
    if move.build_order:
        return f"{card} auf {to} kommt"
    groups = words.german.groups(move.sources)
    if groups == words.german.groups(move.to.piles) and len(groups) == 1:
        return f"{card} {words.german.within(groups[0])} bewegt wird"
    source = after("von", words.german.whole(move.sources, DAT, "oder"))
    return f"{card} {source} auf {to} kommt"
