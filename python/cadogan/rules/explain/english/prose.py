"""English for the rules in words: the names of cards and what lies on what.

Nothing here knows a game: :mod:`cadogan.rules.explain.english.phrases` names the piles of one and
:mod:`cadogan.rules.explain` makes the sections of its rules.
"""

from collections.abc import Sequence
from dataclasses import replace

from cadogan.i18n.english import an, join, number
from cadogan.rules.rulebook.card_sets import CardSet
from cadogan.rules.rulebook.relations import Relation, Term, circle_of
from cadogan.rules.rulebook.words import (
    ALL_CARDS,
    JOKER,
    RANK_NAMES,
    SUIT_NAMES,
    CardClass,
    plural,
)

EVERY_CARD = ALL_CARDS
ACES = 0b1111

_COLOURS = {frozenset({1, 2}): "red", frozenset({0, 3}): "black"}
_SUITS_IN_WORDS = {
    "in suit": "of the same suit",
    "in alternate colours": "of the other colour",
    "in colour": "of the same colour",
    "in another suit": "of another suit",
}


def _alike(term: Term) -> list[str]:
    """What each two cards of a set have in common."""
    ranks = {"same rank": "of the same rank", "of different ranks": "of different ranks"}
    suits = {
        "in suit": "of the same suit",
        "in colour": "of the same colour",
        "in another suit": "of different suits",
        "in alternate colours": "of different colours",
    }
    words = term.text.lower()
    found = [text for way, text in ranks.items() if words.startswith(way)]
    if circle_of(term.suit):
        found.append(f"of suits that follow one another ({circle(term.suit)})")
    return found + [text for suit, text in suits.items() if term.suit == suit]


class Cards:
    """Names classes of cards, among the cards that a game has.

    Args:
        ranks: The game's ranks, in order.
        suits: The game's suits.
        withdrawn: The cards of these that do not take part, as a mask.
        jokers: Whether there are jokers.
    """

    def __init__(
        self,
        ranks: Sequence[int],
        suits: Sequence[int],
        withdrawn: int = 0,
        *,
        jokers: bool = False,
    ) -> None:
        self.ranks = tuple(ranks)
        self.suits = tuple(sorted(suits))
        self.all = sum(1 << (rank * 4 + suit) for rank in ranks for suit in suits)
        self.all |= jokers << JOKER
        self.played = self.all & ~withdrawn

    def many(self, mask: int, last: str = "and") -> str:
        """A class in the plural; the last word joins its kinds.

        >>> cards = Cards(range(13), range(4))
        >>> cards.many(0b1111), cards.many(0b0110 << 40), cards.many(cards.all ^ 0b1111)
        ('aces', 'red knaves', 'cards other than aces')
        """
        mask &= self.all
        if mask == self.all:
            return "cards"
        if not mask:
            return "no cards"
        if self._is_complement(mask):
            return f"cards other than {join(self._kinds(self.all ^ mask, True))}"
        return join(self._kinds(mask, True), last)

    def one(self, mask: int) -> str:
        """A class in the singular.

        >>> cards = Cards(range(13), range(4))
        >>> cards.one(0b1111), cards.one(0b1111 << 48 | 0b0110 << 36)
        ('an ace', 'a red ten or a king')
        """
        mask &= self.all
        if mask == self.all:
            return "any card"
        if not mask:
            return "no card"
        if self._is_complement(mask):
            others = join(self._kinds(self.all ^ mask, False), "or")
            return f"any card but {others}"
        return join(self._kinds(mask, False), "or")

    def is_any(self, mask: int) -> bool:
        """Whether a class has all the cards of the game."""
        return self.all & ~mask == 0

    def _is_complement(self, mask: int) -> bool:
        rest = (self.all ^ mask).bit_count()
        return rest * 2 < self.all.bit_count() and len(self._kinds(self.all ^ mask, True)) <= len(
            self._kinds(mask, True)
        )

    def _kinds(self, mask: int, many: bool) -> list[str]:
        whole = [s for s in self.suits if all(mask >> (r * 4 + s) & 1 for r in self.ranks)]
        kinds = self._whole_suits(whole, many)
        suits_of: dict[int, tuple[int, ...]] = {}
        for rank in self.ranks:
            suits = tuple(s for s in self.suits if mask >> (rank * 4 + s) & 1 and s not in whole)
            if suits:
                suits_of[rank] = suits
        for rank, suits in suits_of.items():
            name = plural(rank) if many else RANK_NAMES[rank]
            colour = _COLOURS.get(frozenset(suits))
            if suits == self.suits:
                words = name
            elif colour:
                words = f"{colour} {name}"
            else:
                words = f"{name} of {join((SUIT_NAMES[suit] for suit in suits), 'or')}"
            kinds.append(words if many else an(words))
        if mask >> JOKER & 1:
            kinds.append("jokers" if many else "a joker")
        return kinds

    def _whole_suits(self, suits: list[int], many: bool) -> list[str]:
        colour = _COLOURS.get(frozenset(suits))
        if colour:
            return [f"{colour} cards" if many else an(f"{colour} card")]
        names = [SUIT_NAMES[suit] for suit in suits]
        return names if many else [an(name[:-1]) for name in names]

    # -- cards that belong together ----------------------------------------------------------------

    def card_set(self, cards: CardSet, among: int = EVERY_CARD) -> tuple[str, str]:
        """Cards that belong together, among some: which ones, and what else must hold of them.

        >>> from cadogan.rules.rulebook.card_sets import parse_cards, parse_relation
        >>> cards = Cards(range(13), range(4))
        >>> cards.card_set(parse_cards("a jack and two red aces, in suit", range(13)))
        ('a knave and two red aces', 'they are of the same suit')
        >>> cards.card_set(parse_relation("same rank", (3, 4), range(13)))
        ('three or four top cards', 'they are of the same rank')
        """
        least, most = cards.size
        if cards.cards:
            masks = [each.mask for each in cards.cards]
            who = join(self._so_many(mask, masks.count(mask)) for mask in dict.fromkeys(masks))
        else:
            either = " or " if most == least + 1 else " to "
            sizes = dict.fromkeys([number(least), number(most)])
            who = f"{either.join(sizes)} top cards"
        how = []
        if cards.total is not None:
            they = "the others" if cards.counted is not None else "they"
            values = self.values(cards.total, among if cards.counted is None else ACES)
            how.append(f"{they} add up to {cards.total}{values}")
        if cards.each is not None:
            (term,) = cards.each.terms
            they = "they " if not how else ""
            alike = not (term.steps or term.is_sum or term.pair) or term.is_likeness
            how.append(f"{they}are {join(_alike(term))}" if alike else self.two(cards.each))
        if cards.chain is not None:
            fits = self.fits(cards.chain).removesuffix(", whatever its suit")
            how.append(f"they can be put in an order in which each is {fits} than the one before")
        return who, join(how)

    def extremes(self) -> tuple[int, int]:
        """The lowest and the highest rank of the cards that take part."""
        ranks = [rank for rank in range(13) if self.played >> 4 * rank & 0b1111]
        return ranks[0], ranks[-1]

    def valued(self, total: int, among: int = EVERY_CARD) -> list[int]:
        """The ranks whose names do not tell their value, of those that fit into a sum."""
        ranks, cards = (0, 10, 11, 12), self.played & among
        return [rank for rank in ranks if rank + 1 < total and cards >> 4 * rank & 0b1111]

    def values(self, total: int, among: int = EVERY_CARD) -> str:
        """What cards count whose names do not say it, to follow a sum."""
        ranks = self.valued(total, among)
        parts = [
            f"the {RANK_NAMES[rank]} {'' if place else 'counting '}{number(rank + 1)}"
            for place, rank in enumerate(ranks)
        ]
        return f" ({join(parts)})" if parts else ""

    def _so_many(self, mask: int, count: int) -> str:
        if self.is_any(mask):
            return "any card" if count == 1 else f"any {number(count)} cards"
        return self.one(mask) if count == 1 else f"{number(count)} {self.many(mask)}"

    # -- what may lie on what ----------------------------------------------------------------------

    def fits(self, relation: Relation) -> str:
        """When a card may lie on another, to be said after "if it is".

        >>> from cadogan.rules.rulebook.relations import parse_term
        >>> cards = Cards(range(13), range(4))
        >>> cards.fits(Relation((parse_term("down in alternate colours"),)))
        'one rank lower and of the other colour'
        >>> cards.fits(Relation((parse_term("up or down"),)))
        'one rank higher or lower, whatever its suit'
        """
        terms = relation.terms
        if len({term.never_on and term.never_on.mask for term in terms}) > 1:
            return join((self._fits_but(term, relation) for term in terms), "or")
        if any(term.anything for term in terms):
            return "any card"
        if pairs := [term.pair for term in terms if term.pair is not None]:
            plain = tuple(term for term in terms if term.pair is None)
            ways = [self.fits(Relation(plain, relation.ranks))] if plain else []
            wild, pairs = self.wild(pairs)
            ways += [f"{self.one(over.mask)} on {self.one(under.mask)}" for over, under in pairs]
            if wild:
                ways.append(f"if one of the two is {self.one(wild)}")
            return join(ways, "or")
        suits = {term.suit for term in terms}
        ranks = [self._rank_words(term) for term in terms]
        if len(suits) > 1:
            return join(
                (_with_suit(words, term.suit) for words, term in zip(ranks, terms, strict=True)),
                "or",
            )
        suit = suits.pop()
        if len(terms) == 1:
            return _with_suit(ranks[0], suit)
        if words := _suit_in_words(suit):
            # Where any rank will do, no other way of building adds anything.
            return f"{words} and {join(ranks, 'or')}" if all(ranks) else words
        return f"{join(ranks, 'or')}, whatever its suit"

    def _fits_but(self, term: Term, relation: Relation) -> str:
        """One way of building, and the cards on which nothing is laid in that way."""
        plain = self.fits(Relation((replace(term, never_on=None),), relation.ranks))
        return (
            plain
            if term.never_on is None
            else f"{plain}, but not on {self.one(term.never_on.mask)}"
        )

    def two(self, relation: Relation) -> str:
        """When two cards belong together, to be said after "if".

        >>> from cadogan.rules.rulebook.relations import parse_term
        >>> cards = Cards(range(13), range(4))
        >>> cards.two(Relation((parse_term("same rank in colour"), parse_term("aces on kings"))))
        'they are of the same rank and of the same colour or one is an ace and the other is a king'
        """
        wild, pairs = self.wild([term.pair for term in relation.terms if term.pair is not None])
        sums, alike, others = sorted_terms(relation)
        parts = []
        for term in sums:
            fits = self.fits(Relation((term,), relation.ranks))
            fits = fits.removeprefix("of such a rank that ")
            fits = fits.removesuffix(", whatever its suit")
            parts.append(f"{' and are of'.join(fits.rsplit(' and of', 1))}")
        if alike:
            fits = self.fits(Relation(alike, relation.ranks))
            fits = fits.replace("its suit", "their suits").replace("of another", "of different")
            fits = fits.replace("of the other colour", "of different colours")
            parts.append(f"they are {fits.replace('different suit', 'different suits')}")
        if others:
            parts.append(
                f"one, compared with the other, is {self.fits(Relation(others, relation.ranks))}"
            )
        parts += [
            f"one is {self.one(over.mask)} and the other is {self.one(under.mask)}"
            for over, under in pairs
        ]
        if wild:
            parts.append(f"one of the two is {self.one(wild)}")
        return join(parts, "or")

    def wild(
        self, pairs: Sequence[tuple[CardClass, CardClass]]
    ) -> tuple[int, list[tuple[CardClass, CardClass]]]:
        """The cards that both lie on any card and take any card, and the other pairs."""
        over = {one.mask & self.all for one, other in pairs if self.is_any(other.mask)}
        under = {one.mask & self.all for other, one in pairs if self.is_any(other.mask)}
        wild = min(over & under, default=0)
        if not wild or self.is_any(wild):
            return 0, list(pairs)
        others = [
            (one, other)
            for one, other in pairs
            if wild not in (one.mask & self.all, other.mask & self.all)
        ]
        return wild, others

    def _rank_words(self, term: Term) -> str:
        way = term.text.lower()
        if term.order is not None:
            return (
                f"next to it, before or after, in the order of the {term.order.replace('-', ' ')}"
            )
        if way.startswith("adding to"):
            total = next(word for word in way.split() if word.rstrip(",").isdigit()).rstrip(",")
            return f"of such a rank that the two add up to {total}{self.values(int(total))}"
        if term.neighbours:
            return ""
        if term.steps == {0}:
            return "of the same rank"
        if way.startswith(("higher", "lower")):
            return f"of any {way.split()[0]} rank"
        step = max(term.steps, key=abs)
        far = f"{number(abs(step))} rank{'' if abs(step) == 1 else 's'}"
        both = {1: "higher", -1: "lower"}
        ways = join((both[1 if s > 0 else -1] for s in sorted(term.steps, reverse=True)), "or")
        words = f"{far} {ways}"
        if term.corner:
            low, high = RANK_NAMES[self.ranks[0]], RANK_NAMES[self.ranks[-1]]
            words += f" (round the corner: the {low} is next above the {high})"
        return words

    def example(self, relation: Relation, which: int = -1) -> str:
        """An instance of a relation, with a card of a class: ``"a red nine on a black ten"``.

        >>> from cadogan.rules.rulebook.relations import parse_term
        >>> cards = Cards(range(13), range(4))
        >>> cards.example(Relation((parse_term("up or down in suit"),)))
        'the nine or the knave of hearts on the ten of hearts'
        """
        terms = relation.terms
        if any(term.anything or not (term.steps or term.neighbours) for term in terms):
            return ""
        if any(term.neighbours and term.order is None and "rank" in term.text for term in terms):
            return ""
        suits = {term.suit for term in terms}
        suit = suits.pop()
        if suits or (suit != "in any suit" and len(self.suits) < 4):
            return ""
        for low in sorted(self.ranks, key=lambda rank: (abs(rank - 9), rank)):
            if ups := self.upper_ranks(relation, low, which):
                return _instance(ups, low, suit)
        return ""

    def upper_ranks(self, relation: Relation, lower: int, which: int) -> list[int]:
        """The ranks all of whose cards are of a class and that may lie on a rank."""
        ranks = [rank for rank in self.ranks if self._meets(relation, rank, lower)]
        return [rank for rank in ranks if not (0b1111 << rank * 4) & self.all & ~which]

    def _meets(self, relation: Relation, upper: int, lower: int) -> bool:
        return any(
            term.allows(upper * 4 + a, lower * 4 + 2, relation.ranks)
            for term in relation.terms
            for a in self.suits
        )

    def ends(self, relation: Relation) -> str:
        """Which cards take nothing, and which lie on nothing.

        >>> from cadogan.rules.rulebook.relations import parse_term
        >>> Cards(range(13), range(4)).ends(Relation((parse_term("down in suit"),)))
        'nothing can be laid on an ace, and a king can be laid on no card'
        """
        table = relation.table()
        here = [card for card in range(JOKER + 1) if self.played >> card & 1]
        under = sum(1 << card for card in here if not table[card] & self.played)
        placed = 0
        for card in here:
            placed |= table[card]
        over = self.played & ~placed
        parts = []
        if under and under != self.played:
            parts.append(f"nothing can be laid on {self.one(under)}")
        if over and over != self.played:
            parts.append(f"{self.one(over)} can be laid on no card")
        return ", and ".join(parts)


def sorted_terms(
    relation: Relation,
) -> tuple[tuple[Term, ...], tuple[Term, ...], tuple[Term, ...]]:
    """The terms of two cards that belong together: sums, what they have in common, and others."""
    plain = [term for term in relation.terms if term.pair is None]
    sums = tuple(term for term in plain if term.is_sum)
    alike = tuple(term for term in plain if term.is_likeness)
    return sums, alike, tuple(term for term in plain if term not in (*sums, *alike))


def _with_suit(ranks: str, suit: str) -> str:
    words = _suit_in_words(suit)
    if not words:
        return f"{ranks}, whatever its suit" if ranks else "any card"
    return f"{ranks} and {words}" if ranks else words


def _suit_in_words(suit: str) -> str:
    """What a suit must be, to follow "if it is"; empty if it does not matter."""
    return (
        f"of the next suit ({circle(suit)})" if circle_of(suit) else _SUITS_IN_WORDS.get(suit, "")
    )


def circle(suit: str) -> str:
    """The suits of a circle: ``"clubs, then hearts, and then clubs again"``."""
    names = [SUIT_NAMES[each] for each in circle_of(suit)]
    return f"{', then '.join(names)}, and then {names[0]} again"


def _instance(ups: list[int], low: int, suit: str) -> str:
    uppers = [RANK_NAMES[rank] for rank in ups]
    lower = RANK_NAMES[low]
    if suit == "in suit":
        return f"{join((f'the {u}' for u in uppers), 'or')} of hearts on the {lower} of hearts"
    if following := circle_of(suit):
        over, under = SUIT_NAMES[following[1]], SUIT_NAMES[following[0]]
        return f"{join((f'the {u}' for u in uppers), 'or')} of {over} on the {lower} of {under}"
    if suit == "in another suit":
        return f"{join((f'the {u}' for u in uppers), 'or')} of spades on the {lower} of hearts"
    if suit == "in alternate colours":
        return f"{join((f'a red {u}' for u in uppers), 'or')} on a black {lower}"
    if suit == "in colour":
        return f"{join((f'a red {u}' for u in uppers), 'or')} on a red {lower}"
    return f"{join((f'any {u}' for u in uppers), 'or')} on any {lower}"


def run(relation: Relation) -> str:
    """How a sequence runs: ``"running down in suit"``.

    >>> from cadogan.rules.rulebook.relations import parse_term
    >>> run(Relation((parse_term("down in suit"),)))
    'running down in suit'
    """
    parts = []
    for term in relation.terms:
        text = term.text.lower().replace("-", " ")
        if term.anything:
            never = f", never on {term.never_on.text}" if term.never_on is not None else ""
            parts.append(f"of any cards{never}")
        elif text.startswith(("higher", "lower")):
            way, _, rest = text.partition(" ")
            parts.append(f"of cards each {way} than the one below it{rest and f', {rest}'}")
        elif term.pair is not None:
            parts.append(f"with {text}")
        elif term.steps - {0}:
            other = ", no two neighbours of the same suit"
            parts.append(f"running {text.replace(' in another suit', other)}")
        elif text.startswith("beside"):
            parts.append(f"of cards that stand {text}")
        elif text.startswith("adding"):
            parts.append(f"of cards of which any two neighbours are {text}")
        else:
            ranks = text.replace("same rank", "the same rank").replace("any card", "any rank")
            parts.append(f"of cards of {ranks}")
    return join(parts, "or")
