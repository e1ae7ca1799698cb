"""A rule that moves cards, in English."""

from typing import TYPE_CHECKING

from cadogan.i18n.english import held

if TYPE_CHECKING:
    from cadogan.rules.explain.english.phrases import Phrases
    from cadogan.rules.kinds.move.move import Move


def forced_move(move: "Move", words: "Phrases") -> str:
    """What a forced rule moves, and where."""
    choice = {
        "none": "",
        "card": "; the player chooses which",
        "place": "; the player chooses the place",
        "any": "; the player chooses which, and where",
    }[move.choose]
    source = words.source(move)
    if not move.build_order and len(turns := move.in_turn(words.book)) > 1:
        source = ", or else ".join(words.source(move, mine=piles) for piles in turns)
    linked = words.linked(move)
    if move.build_order:
        place = _foundation(move, linked, words)
        fits = "" if move.to_holds[1] == 0 else ", as soon as it comes next there"
        fits += _beside(move, words)
        source = f"{source}," if "," in source else source
        return f"{source} goes to {place}{fits}{choice}"
    if all(group.role == "foundation" for group in words.groups(move.to.piles)):
        word = "the first" if move.choose not in ("place", "any") else "a"
        place = words.vacancy(move.to.piles, word)
        place = place if move.to_holds[1] == 0 else words.one_of(move.to.piles, "a")
        goes = "goes" if move.cards.kind == "top" else "goes as a whole"
        source = f"{source}," if "," in source else source
        return f"{source} {goes} to {place}{_beside(move, words)}{choice}"
    if move.to_holds == (0, 0):
        vacancy = words.vacancy(move.to.piles, "the first" if move.first_vacant else "a")
        of_line = f" {linked}" if linked else ""
        face = ", face up" if move.face == "up" and move.is_from_stock(words.book) else ""
        face = ", face down" if move.face == "down" else face
        if move.cards.kind == "count" and move.turns_order and move.face == "up":
            face += ", one by one"
        space = ""
        if by_counter := words.one_space(move):
            space = f", if it is {by_counter}"
        elif not words.cards.is_any(move.space.mask):
            space = f", if the first of them is {words.cards.one(move.space.mask)}"
            if move.cards.kind == "top":
                space = f", if it is {words.cards.one(move.space.mask)}"
        space = _beside(move, words) or space
        return f"{vacancy} is filled with {source}{of_line}{face}{space}{choice}"
    bounded = move.to_holds[0] > 1 or move.to_holds[1] < 65535
    first = bounded and not linked and move.choose in ("none", "card") and not move.build
    word = "the" if move.asks.emptiest else "the first" if first else "a"
    target = words.one_of(move.to.piles, word)
    fits = f", if it is {words.cards.fits(move.build)}" if move.build else ""
    if move.asks.never_on is not None:
        fits += ", but never on a card of the base rank"
    if (move.to_holds[0] > 1 or move.to_holds[1] < 65535) and not words.is_capped(move):
        sizes = held(*move.to_holds)
        if move.asks.emptiest:
            fits = f", as long as that holds {sizes}{fits}"
        else:
            target = f"{target} that holds {sizes}"
    source = f"{source}," if "," in source else source
    return f"{source} goes on {target}{' ' + linked if linked else ''}{fits}{choice}"


def _beside(move: "Move", words: "Phrases") -> str:
    if move.beside is None:
        return ""
    if all(move.beside.of(pile) for pile in move.to.piles):
        return f", if it {words.fits_beside(move.beside)}"
    return f", if it {words.taken_beside(move.beside)}"


def _foundation(move: "Move", linked: str, words: "Phrases") -> str:
    if move.to_holds == (0, 0):
        free = move.choose in ("place", "any") and not move.first_vacant
        word = "a" if free else "the first"
        place = words.vacancy(move.to.piles, word)
    elif move.to_holds[0] > 0 and move.along.text == "same place":
        return f"{words.one_of(move.to.piles, 'the')} {linked}, if that has been begun"
    elif move.to_holds[0] > 0:
        place = _begun(move, words)
    elif move.asks.to_turn:
        place = words.one_of(move.to.piles, "the")
    else:
        place = words.the(move.to.piles, "or")
    return f"{place} {linked}".rstrip()


def _begun(move: "Move", words: "Phrases") -> str:
    one = words.one_of(move.to.piles, "a")
    return f"{one}{',' if ' or ' in one else ''} that has been begun"


def use(move: "Move", words: "Phrases") -> str:
    """A use of the rule."""
    to = words.the(move.to.piles)
    card = "a card from under others" if move.cards.kind == "any" else "a card"
    if move.build_order:
        return f"{card} goes to {to}"
    groups = words.groups(move.sources)
    if groups == words.groups(move.to.piles) and len(groups) == 1:
        return f"{card} is moved {words.noun(groups[0]).within}"
    return f"{card} goes from {words.the(move.sources, 'or')} to {to}"
