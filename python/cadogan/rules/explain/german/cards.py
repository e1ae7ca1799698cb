"""German for cards: classes of cards, and what may lie on what."""

from collections.abc import Sequence
from dataclasses import replace

from cadogan.i18n.german import (
    ACC,
    CARD,
    CARDS,
    DAT,
    NOM,
    Case,
    Determiner,
    Noun,
    join,
    number,
    read_noun,
)
from cadogan.rules.explain.english.prose import ACES, EVERY_CARD, Cards, sorted_terms
from cadogan.rules.rulebook.card_sets import CardSet
from cadogan.rules.rulebook.relations import Relation, Term, circle_of
from cadogan.rules.rulebook.words import JOKER

RANKS: tuple[Noun, ...] = (
    read_noun("das Ass, des Asses, dem Ass, das Ass"),
    *(
        read_noun(f"die {name}, der {name}, der {name}, die {name}")
        for name in ["Zwei", "Drei", "Vier", "Fünf", "Sechs", "Sieben", "Acht", "Neun", "Zehn"]
    ),
    read_noun("der Bube, des Buben, dem Buben, den Buben"),
    read_noun("die Dame, der Dame, der Dame, die Dame"),
    read_noun("der König, des Königs, dem König, den König"),
)
MANY: tuple[Noun, ...] = (
    read_noun("die Asse, der Asse, den Assen, die Asse"),
    *(
        read_noun(f"die {name}, der {name}, den {name}, die {name}")
        for name in [
            "Zweien",
            "Dreien",
            "Vieren",
            "Fünfen",
            "Sechsen",
            "Siebenen",
            "Achten",
            "Neunen",
            "Zehnen",
        ]
    ),
    read_noun("die Buben, der Buben, den Buben, die Buben"),
    read_noun("die Damen, der Damen, den Damen, die Damen"),
    read_noun("die Könige, der Könige, den Königen, die Könige"),
)
ONE_JOKER = read_noun("der Joker, des Jokers, dem Joker, den Joker")
JOKERS = read_noun("die Joker, der Joker, den Jokern, die Joker")
SUITS = ("Kreuz", "Karo", "Herz", "Pik")
_COLOURS = {frozenset({1, 2}): "rot", frozenset({0, 3}): "schwarz"}


def _alike(term: Term) -> list[str]:
    """What each two cards of a set have in common."""
    ranks = {"same rank": "vom selben Wert", "of different ranks": "von verschiedenem Wert"}
    suits = {
        "in suit": "von derselben Farbe",
        "in colour": "alle rot oder alle schwarz",
        "in another suit": "von verschiedenen Farben",
        "in alternate colours": "teils rot, teils schwarz",
    }
    words = term.text.lower()
    found = [text for way, text in ranks.items() if words.startswith(way)]
    if circle_of(term.suit):
        found.append(f"von Farben, die aufeinander folgen ({circle(term.suit)}),")
    return found + [text for suit, text in suits.items() if term.suit == suit]


class GermanCards(Cards):
    """Names classes of cards in German, among the cards that a game has."""

    def some(
        self, mask: int, case: Case = NOM, determiner: Determiner = "", last: str = "und"
    ) -> str:
        """A class in the plural; the last word joins its kinds.

        >>> cards = GermanCards(range(13), range(4))
        >>> cards.some(0b1111), cards.some(0b0110 << 40), cards.some(cards.all ^ 0b1111)
        ('Asse', 'rote Buben', 'Karten außer Assen')
        """
        mask &= self.all
        if mask == self.all:
            return CARDS(determiner, case)
        if not mask:
            return CARDS("no", case)
        if self._is_complement(mask):
            others = join(self._classes(self.all ^ mask, DAT, None, ""))
            return f"{CARDS(determiner, case)} außer {others}"
        return join(self._classes(mask, case, None, determiner), last)

    def single(self, mask: int, case: Case = NOM) -> str:
        """A class in the singular.

        >>> cards = GermanCards(range(13), range(4))
        >>> cards.single(0b1111), cards.single(0b1111 << 48 | 0b0110 << 36, ACC)
        ('ein Ass', 'eine rote Zehn oder einen König')
        """
        mask &= self.all
        if mask == self.all:
            return CARD("any", case)
        if not mask:
            return CARD("no", case)
        if self._is_complement(mask):
            others = join(self._classes(self.all ^ mask, DAT, "a", ""), "oder")
            return f"{CARD('any', case)} außer {others}"
        return join(self._classes(mask, case, "a", ""), "oder")

    def being(self, mask: int) -> str:
        """A class to be said before "ist": ``"ein König"``, ``"keine Zehn und keine Dame"``."""
        mask &= self.all
        if mask not in (0, self.all) and self._is_complement(mask):
            return join(self._classes(self.all ^ mask, NOM, "no", ""))
        return self.single(mask)

    def is_special(self, mask: int) -> bool:
        """Whether a class can stand for the card itself: an ace, but not "any card but kings"."""
        mask &= self.all
        return mask not in (0, self.all) and not self._is_complement(mask)

    def the(self, mask: int, count: int) -> str:
        """So many cards of a class: ``"die acht schwarzen Asse"``."""
        if count == 1:
            return join(self._classes(mask, NOM, "the", ""))
        found = self._classes(mask, NOM, None, "the")
        return join([f"die {number(count)} {found[0].removeprefix('die ')}", *found[1:]]).replace(
            " und die ", " und "
        )

    def _classes(
        self, mask: int, case: Case, one: Determiner | None, many: Determiner
    ) -> list[str]:
        """The kinds of cards in a class: in the singular if ``one`` is given."""
        whole = [s for s in self.suits if all(mask >> (r * 4 + s) & 1 for r in self.ranks)]
        kinds = []
        noun = CARDS if one is None else CARD
        determiner = many if one is None else one
        if colour := _COLOURS.get(frozenset(whole)):
            kinds.append(noun(determiner, case, colour))
        else:
            for suit in whole:
                forms = read_noun(
                    f"die {SUITS[suit]}karten, der {SUITS[suit]}karten, den {SUITS[suit]}karten, "
                    f"die {SUITS[suit]}karten"
                    if one is None
                    else f"die {SUITS[suit]}karte, der {SUITS[suit]}karte, der {SUITS[suit]}karte, "
                    f"die {SUITS[suit]}karte"
                )
                kinds.append(forms(determiner, case))
        for rank in self.ranks:
            suits = tuple(s for s in self.suits if mask >> (rank * 4 + s) & 1 and s not in whole)
            if not suits:
                continue
            noun = MANY[rank] if one is None else RANKS[rank]
            colour = _COLOURS.get(frozenset(suits))
            if suits == self.suits:
                kinds.append(noun(determiner, case))
            elif colour:
                kinds.append(noun(determiner, case, colour))
            else:
                named = join((f"{SUITS[suit]}-" for suit in suits), "oder")
                forms = Noun(noun.gender, tuple(named + form for form in noun.forms))  # type: ignore[arg-type]
                kinds.append(forms(determiner, case))
        if mask >> JOKER & 1:
            kinds.append((JOKERS if one is None else ONE_JOKER)(determiner, case))
        return kinds

    # Cards that belong together.

    def card_set(self, cards: CardSet, among: int = EVERY_CARD) -> tuple[str, str]:
        """Cards that belong together: which ones, and what else must hold of them, after "wenn".

        >>> from cadogan.rules.rulebook.card_sets import parse_cards, parse_relation
        >>> cards = GermanCards(range(13), range(4))
        >>> cards.card_set(parse_cards("a jack and two red aces, in suit", range(13)))
        ('ein Bube und zwei rote Asse', 'sie von derselben Farbe sind')
        >>> cards.card_set(parse_relation("same rank", (3, 4), range(13)))
        ('drei oder vier oberste Karten', 'sie vom selben Wert sind')
        """
        least, most = cards.size
        if cards.cards:
            masks = [each.mask for each in cards.cards]
            who = join(self._so_many(mask, masks.count(mask)) for mask in dict.fromkeys(masks))
        else:
            either = " oder " if most == least + 1 else " bis "
            counts = ("eine" if count == 1 else number(count) for count in (least, most))
            sizes = either.join(dict.fromkeys(counts))
            who = f"{sizes} oberste Karten"
        how = []
        if cards.total is not None:
            they = "die anderen" if cards.counted is not None else "sie"
            values = self.worths(cards.total, among if cards.counted is None else ACES)
            how.append(f"{they} zusammen {cards.total} ergeben{values}")
        if cards.each is not None:
            (term,) = cards.each.terms
            they = "sie " if not how else ""
            alike = not (term.steps or term.is_sum or term.pair) or term.is_likeness
            how.append(f"{they}{join(_alike(term))} sind" if alike else self.two(cards.each))
        if cards.chain is not None:
            fits = self.may_lie(cards.chain, "jede gegenüber der vorigen")
            fits = fits.replace(", gleich welcher Farbe,", "")
            how.append(f"sie sich so reihen lassen, dass {fits}")
        return who, join(how)

    def worths(self, total: int, among: int = EVERY_CARD) -> str:
        """What cards count whose names do not say it, to follow a sum."""
        parts = [
            f"{RANKS[rank]('the', NOM)} {'' if place else 'zählt '}{number(rank + 1)}"
            for place, rank in enumerate(self.valued(total, among))
        ]
        return f" ({join(parts)})" if parts else ""

    def _so_many(self, mask: int, count: int) -> str:
        if self.is_any(mask):
            return "eine beliebige Karte" if count == 1 else f"{number(count)} beliebige Karten"
        return self.single(mask) if count == 1 else f"{number(count)} {self.some(mask)}"

    # What may lie on what.

    def may_lie(self, relation: Relation, subject: str = "sie") -> str:
        """When a card may lie on another, to be said after "wenn".

        >>> from cadogan.rules.rulebook.relations import parse_term
        >>> cards = GermanCards(range(13), range(4))
        >>> cards.may_lie(Relation((parse_term("down in suit"),)))
        'sie um einen Wert niedriger und von derselben Farbe ist'
        >>> cards.may_lie(Relation((parse_term("up or down"),)))
        'sie, gleich welcher Farbe, um einen Wert höher oder niedriger ist'
        """
        terms = relation.terms
        if len({term.never_on and term.never_on.mask for term in terms}) > 1:
            return join((self._may_lie_but(term, relation, subject) for term in terms), "oder")
        if any(term.anything for term in terms):
            return f"{subject} eine beliebige Karte ist"
        suits = list(dict.fromkeys(term.suit for term in terms))
        pairs = [term.pair for term in terms if term.pair is not None]
        if len(terms) == 1 and pairs:
            ((over, under),) = pairs
            there = self.single(under.mask, ACC)
            return f"{subject} {self.single(over.mask)} ist und auf {there} kommt"
        wild, pairs = self.wild(pairs)
        if wild:
            terms = tuple(term for term in terms if term.pair is None or term.pair in pairs)
            others = self.may_lie(Relation(terms, relation.ranks), subject) if terms else ""
            return join([others, f"eine der beiden {self.single(wild)} ist"][not terms :], "oder")
        if len(suits) > 1 or pairs:
            parts = [self.may_lie(Relation((term,), relation.ranks), subject) for term in terms]
            bare = (part.removeprefix(subject).lstrip() for part in parts)
            return f"{subject} {join(bare, 'oder')}".replace(" ,", ",")
        values = [self._value(term) for term in terms]
        # Where any rank will do, no other way of building adds anything.
        ranks = join(values, "oder") if all(values) else ""
        match suits[0]:
            case "in suit":
                if len(terms) > 1 and ranks:
                    return f"{subject} von derselben Farbe und {ranks} ist"
                return f"{subject} {f'{ranks} und ' if ranks else ''}von derselben Farbe ist"
            case "in another suit":
                return f"{subject} {f'{ranks} und ' if ranks else ''}von einer anderen Farbe ist"
            case "in alternate colours":
                lies = "Rot auf Schwarz oder Schwarz auf Rot kommt"
                return f"{subject} {ranks} ist und {lies}" if ranks else lies
            case "in colour":
                lies = "Rot auf Rot oder Schwarz auf Schwarz kommt"
                return f"{subject} {ranks} ist und {lies}" if ranks else lies
        if circle_of(suits[0]):
            ranks = f"{ranks} und " if ranks else ""
            return f"{subject} {ranks}von der nächsten Farbe ist ({circle(suits[0])})"
        return f"{subject}, gleich welcher Farbe, {ranks} ist"

    def _may_lie_but(self, term: Term, relation: Relation, subject: str) -> str:
        """One way of building, and the cards on which nothing is laid in that way."""
        plain = Relation((replace(term, never_on=None),), relation.ranks)
        words = self.may_lie(plain, subject)
        if term.never_on is None:
            return words
        return f"{words} und nicht auf {self.single(term.never_on.mask, ACC)} kommt"

    def two(self, relation: Relation) -> str:
        """When two cards belong together, to be said after "wenn".

        >>> from cadogan.rules.rulebook.relations import parse_term
        >>> cards = GermanCards(range(13), range(4))
        >>> cards.two(Relation((parse_term("any rank in suit"), parse_term("aces on kings"))))
        'sie von derselben Farbe sind oder die eine ein Ass und die andere ein König ist'
        """
        wild, pairs = self.wild([term.pair for term in relation.terms if term.pair is not None])
        sums, alike, others = sorted_terms(relation)
        parts = []
        for term in sums:
            _, how = self.card_set(CardSet("", (2, 2), total=term.total))
            suit = "".join(f" und {words} sind" for words in _alike(term))
            parts.append(f"{how}{suit}")
        for term in alike:
            words = join(_alike(term)).replace("alle", "beide")
            suit = "" if len(_alike(term)) == 2 or not term.steps else ", gleich welcher Farbe,"
            parts.append(f"sie{suit} {words} sind")
        if others:
            one = "die eine gegenüber der anderen"
            parts.append(self.may_lie(Relation(others, relation.ranks), one))
        parts += [
            f"die eine {self.single(over.mask)} und die andere {self.single(under.mask)} ist"
            for over, under in pairs
        ]
        if wild:
            parts.append(f"eine der beiden {self.single(wild)} ist")
        return join(parts, "oder")

    def _value(self, term: Term) -> str:
        """How far a card may be from another, to be said before "ist"."""
        way = term.text.lower()
        if term.order is not None:
            return "in der Ablegefolge benachbart (davor oder danach)"
        if way.startswith("adding to"):
            total = next(word for word in way.split() if word.rstrip(",").isdigit()).rstrip(",")
            return f"im Wert die Ergänzung zu {total}{self.worths(int(total))}"
        if term.neighbours:
            return ""
        if term.steps == {0}:
            return "vom selben Wert"
        if way.startswith(("higher", "lower")):
            return f"von {'höherem' if way.startswith('higher') else 'niedrigerem'} Wert"
        far = abs(max(term.steps, key=abs))
        ways = join(
            ("höher" if step > 0 else "niedriger" for step in sorted(term.steps, reverse=True)),
            "oder",
        )
        words = f"um {'einen Wert' if far == 1 else f'{number(far)} Werte'} {ways}"
        if term.corner:
            low, high = RANKS[self.ranks[0]], RANKS[self.ranks[-1]]
            words += f" (über die Ecke: {low('the', NOM)} folgt auf {high('the', ACC)})"
        return words

    def instance(self, relation: Relation, which: int = -1) -> str:
        """An instance of a relation with a card of a class: ``"eine rote Neun auf eine Zehn"``.

        >>> from cadogan.rules.rulebook.relations import parse_term
        >>> cards = GermanCards(range(13), range(4))
        >>> cards.instance(Relation((parse_term("up or down in suit"),)))
        'die Herz-Neun oder der Herz-Bube auf die Herz-Zehn'
        """
        terms = relation.terms
        suits = {term.suit for term in terms}
        # Whether there is one, and of which cards, is the same in every language.
        if not self.example(relation, which):
            return ""
        (suit,) = suits
        for low in sorted(self.ranks, key=lambda rank: (abs(rank - 9), rank)):
            ups = self.upper_ranks(relation, low, which)
            if not ups:
                continue
            following = [SUITS[each] for each in circle_of(suit)]
            if following or suit in ("in suit", "in another suit"):
                over = "Herz" if suit == "in suit" else following[1] if following else "Pik"
                uppers = [_of_suit(rank, over)("the", NOM) for rank in ups]
                lower = _of_suit(low, following[0] if following else "Herz")("the", ACC)
            elif suit in ("in alternate colours", "in colour"):
                uppers = [RANKS[rank]("a", NOM, "rot") for rank in ups]
                lower = RANKS[low]("a", ACC, "rot" if suit == "in colour" else "schwarz")
            else:
                uppers = [RANKS[rank]("any", NOM) for rank in ups]
                lower = RANKS[low]("any", ACC)
            return f"{join(uppers, 'oder')} auf {lower}"
        return ""

    def limits(self, relation: Relation) -> str:
        """Which cards take nothing, and which lie on nothing.

        >>> from cadogan.rules.rulebook.relations import parse_term
        >>> GermanCards(range(13), range(4)).limits(Relation((parse_term("down in suit"),)))
        'auf ein Ass kann nichts gelegt werden, und ein König kann auf keine Karte gelegt werden'
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
            parts.append(f"auf {self.single(under, ACC)} kann nichts gelegt werden")
        if over and over != self.played:
            parts.append(f"{self.single(over)} kann auf keine Karte gelegt werden")
        return ", und ".join(parts)


def _of_suit(rank: int, suit: str) -> Noun:
    noun = RANKS[rank]
    one, two, three, four = (f"{suit}-{form}" for form in noun.forms)
    return Noun(noun.gender, (one, two, three, four))


_SUIT_PHRASES = {
    "in suit": "in der Farbe",
    "in any suit": "",
    "in alternate colours": "in wechselnder Farbe (rot und schwarz)",
    "in colour": "ganz in Rot oder ganz in Schwarz",
    "in another suit": "mit jedes Mal anderer Farbe",
}


def circle(suit: str) -> str:
    """The suits of a circle: ``"Kreuz, dann Herz und dann wieder Kreuz"``."""
    names = [SUITS[each] for each in circle_of(suit)]
    return f"{', dann '.join(names)} und dann wieder {names[0]}"


_STEPS = {2: "in Zweierschritten", 3: "in Dreierschritten", 4: "in Viererschritten"}


def building(term: Term) -> str:
    """A way of building, as the card books say it.

    >>> from cadogan.rules.rulebook.relations import parse_term
    >>> building(parse_term("down by twos in suit"))
    'abwärts in Zweierschritten in der Farbe'
    >>> building(parse_term("up or down, round the corner"))
    'auf- oder abwärts ohne Rücksicht auf die Farbe über die Ecke'
    """
    names = GermanCards(range(13), range(4))
    never = "" if term.never_on is None else f", nie auf {names.some(term.never_on.mask, ACC)}"
    if term.anything:
        return f"mit beliebigen Karten{never}"
    if term.pair is not None:
        over, under = term.pair
        return f"mit {names.some(over.mask, DAT)} auf {names.some(under.mask, DAT)}"
    suit = _SUIT_PHRASES.get(term.suit, "")
    if circle_of(term.suit):
        suit = f"jedes Mal in der nächsten Farbe ({circle(term.suit)})"
    if term.text.lower().startswith("adding to"):
        total = next(word for word in term.text.split() if word.rstrip(",").isdigit()).rstrip(",")
        words = [f"zusammen {total}", suit]
    elif term.order is not None:
        words = ["benachbart in der Ablegefolge", suit]
    elif term.steps == {0}:
        words = ["vom selben Wert", suit]
    elif len(term.steps) > 2:
        words = ["höher" if max(term.steps) > 0 else "niedriger", suit]
    elif term.steps:
        up, down = any(s > 0 for s in term.steps), any(s < 0 for s in term.steps)
        way = "auf- oder abwärts" if up and down else "aufwärts" if up else "abwärts"
        far = abs(max(term.steps, key=abs))
        by = _STEPS.get(far, f"in Schritten von {number(far)}") if far > 1 else ""
        words = [way, by, suit or "ohne Rücksicht auf die Farbe"]
    else:
        words = ["gleich welchen Wertes", suit]
    text = " ".join(word for word in words if word)
    if term.corner:
        text += " über die Ecke"
    return f"{text}{never}"


def sequence(relation: Relation) -> str:
    """A sequence, without its article.

    >>> from cadogan.rules.rulebook.relations import parse_term
    >>> sequence(Relation((parse_term("down in suit"),)))
    'Folge abwärts in der Farbe'
    """
    return f"Folge {join((building(term) for term in relation.terms), 'oder')}"


def ranks_in_words(ranks: Sequence[int]) -> str:
    """Ranks one after another: ``"Ass, Zwei, Drei"``."""
    return ", ".join(RANKS[rank].forms[0] for rank in ranks)
