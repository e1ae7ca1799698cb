"""What a rule does, in words: the steps of scripts, and what happens automatically."""

from collections.abc import Sequence
from typing import assert_never

from cadogan.rules.explain.english.phrases import Phrases, label
from cadogan.rules.explain.english.prose import counted, join, number, sentence
from cadogan.rules.rulebook.rulebook import (
    Joint,
    Move,
    Quantity,
    Rule,
    Script,
    Step,
    Swap,
    TurnUp,
    Way,
)

_GO = "as far as the cards go"


class Actions:
    """Tells the actions of one rulebook.

    Args:
        wording: The names of its piles and conditions.
    """

    def __init__(self, wording: Phrases) -> None:
        self.words = wording
        self.book = wording.book

    # -- scripts -----------------------------------------------------------------------------------

    def script(self, script: Script) -> list[str]:
        """The steps of a script, a clause each."""
        clauses: list[str] = []
        before: Step | None = None
        for step in script.steps:
            if before is not None and (more := self._deal_too(before, step)):
                clauses[-1] += more
            elif clause := self.step(step):
                clauses.append(clause)
            before = step
        return clauses

    def _deal_too(self, before: Step, step: Step) -> str:
        """The words for a deal that is like the one before it, on other piles."""
        if before.kind != "deal" or step.kind != "deal":
            return ""
        piles, rounds = visits(step)
        like = (before.source, before.each, before.face) == (step.source, step.each, step.face)
        if not like or visits(before)[1] != rounds or len(piles) == 1:
            return ""
        return f", and then in the same way on {self._each(piles)}"

    def _each(self, piles: Sequence[int]) -> str:
        """Piles that are dealt to in turn."""
        groups = self.words.groups(piles)
        if len(groups) == 1 and list(piles) == list(groups[0].piles):
            noun = self.words.noun(groups[0])
            return f"each of {noun.the}" if noun.is_plural else f"each {noun.one}"
        if len(piles) <= 4:
            return f"each of these piles: {join(self.words.pile(pile) for pile in piles)}"
        return f"each of these piles in turn: {self.words.in_order(piles)}"

    def step(self, step: Step) -> str:
        """A step as a clause; empty if there is nothing to say."""
        match step.kind:
            case "deal":
                return self._deal(step)
            case "take":
                return self._take(step)
            case "gather":
                return self._gather(step)
            case "route":
                return self._route(step)
            case "close":
                return self._close(step)
            case "base":
                assert step.piles is not None
                return (
                    f"the rank of the top card of {self.words.pile(step.piles.piles[0])} "
                    "becomes the base rank"
                )
            case "settle":
                return ""
            case _:
                assert_never(step.kind)

    def _deal(self, step: Step) -> str:
        assert step.source is not None
        piles, rounds = visits(step)
        face = {"up": " face up", "down": " face down", "keep": ""}[step.face]
        source = self.words.the(step.source.piles)
        if len(piles) == 1:
            count = step.each * rounds
            fewer = " (or as many as are left, if fewer)" if count > 1 else ""
            verb = "is" if count == 1 else "are"
            to = self.words.pile(piles[0])
            return f"{counted(count)} {verb} dealt from {source}{face} on {to}{fewer}"
        count = step.each * rounds
        verb = "is" if count == 1 else "are"
        each = self._each(piles)
        order = ", from the first to the last" if ":" not in each else ""
        how = "" if count == 1 else ", pile by pile"
        if rounds > 1:
            a_time = "one card" if step.each == 1 else counted(step.each)
            how = f", in rounds, {a_time} to a pile at a time"
        return f"{counted(count)} {verb} dealt from {source}{face} on {each}{order}{how}, {_GO}"

    def _take(self, step: Step) -> str:
        assert step.source is not None
        assert step.to is not None
        assert step.number is not None
        quantity = step.number
        source, to = self.words.pile(step.source.piles[0]), self.words.pile(step.to.piles[0])
        below = "put under" if step.to_end == "bottom" else "laid on"
        end = f"the {step.from_end} of {source}"
        fewer = " (all, if there are fewer)"
        if quantity.kind == "all":
            text = f"all the cards of {source} are taken and"
        elif quantity.kind == "fixed":
            are = "is" if quantity.number == 1 else "are"
            fewer = "" if quantity.number == 1 else fewer
            text = f"{counted(quantity.number)} {are} taken from {end}{fewer} and"
        elif quantity.kind == "until":
            reckoned = self._quantity(quantity)
            text = f"cards are taken from {end} until {reckoned} are among them{fewer}, and"
        else:
            text = f"cards are taken from {end}, {self._quantity(quantity)}{fewer}, and"
        return f"{text} {below} {to}{self._manner(step)}"

    def _quantity(self, quantity: Quantity) -> str:
        """A number of cards that is reckoned."""
        many = number(quantity.number)
        if quantity.kind == "held":
            assert quantity.cards is not None
            kind = self.words.cards.many(quantity.cards.mask)
            return f"{many} for each of the {kind} in {self.words.pile(quantity.pile)}"
        thing = self.words.thing(self.book.counters[quantity.counter])
        if quantity.cards is None:
            return f"{many} for each of the {thing}"
        return f"{many} {self.words.cards.many(quantity.cards.mask)} for each of the {thing}"

    def _manner(self, step: Step) -> str:
        """How cards are put down, and which of them comes first when they are dealt again."""
        assert step.to is not None
        quantity = step.number
        face = {"up": "face up", "down": "face down", "keep": ""}[step.face]
        if quantity is not None and quantity.kind == "fixed" and quantity.number == 1:
            return f", {face}" if face else ""
        if step.face == "keep":
            return (
                ", one by one, so that their order is turned round"
                if step.reverse
                else " as they lie"
            )
        turned = step.reverse == (step.face == "down")
        how = "turned over as one packet" if turned else "their order being turned round"
        if self.book.group_of(step.to.piles[0]).role != "stock":
            return f", {how}, {face}"
        first = "lowest" if step.reverse else "uppermost"
        return f", {how}, {face} and unshuffled, so that the {first} of them will be dealt first"

    def _gather(self, step: Step) -> str:
        assert step.piles is not None
        assert step.to is not None
        to = self.words.pile(step.to.piles[0])
        face = {"up": ", face up", "down": ", face down", "keep": ""}[step.face]
        put = "put" if step.to_end == "bottom" else "laid"
        turned = "turned over and " if step.reverse and step.face == "down" else ""
        where = "under" if step.to_end == "bottom" else "on"
        if step.reverse and step.face != "down":
            put += " card by card"
        order = self.words.in_order(step.piles.piles)
        first = ""
        if self.book.group_of(step.to.piles[0]).role == "stock":
            card = "lowest" if step.reverse else "uppermost"
            pile = "first" if step.to_end == "bottom" else "last"
            first = (
                f", so that of all these cards the {card} of the {pile} pile will be dealt first"
            )
        return (
            f"the piles are taken up one after another, {order}; each is {turned}{put} {where} "
            f"{to}{face}, without shuffling{first}"
        )

    def _route(self, step: Step) -> str:
        assert step.source is not None
        source = self.words.the(step.source.piles)
        ways = "; ".join(self.way(way) for way in step.ways)
        if step.until is None:
            return f"the top card of {source} is turned: {ways}"
        until = self.words.the(step.until.piles)
        return (
            f"cards are turned from {source} one by one: {ways}; until {until} have no vacancy left"
        )

    def way(self, way: Way) -> str:
        """Where a class of dealt cards goes."""
        card = self.words.cards.one(way.cards.mask)
        rest = self.words.the(way.overflow.piles)
        if not way.vacant.piles:
            return f"{card} goes on {rest}"
        vacancy = self.words.vacancy(way.vacant.piles, "the first")
        return f"{card} goes to {vacancy}, or, when there is none, on {rest}"

    def _close(self, step: Step) -> str:
        assert step.piles is not None
        assert step.partners is not None
        group = self.words.groups(step.piles.piles)[0]
        partner = self.words.groups(step.partners.piles)[0]
        one, other = self.words.noun(group).one, self.words.noun(partner).one
        return (
            f"every {one} is passed over in dealing from now on if the {other} of the same place "
            f"is complete (the first {one} belongs to the first {other}, and so on)"
        )

    # -- rules that are carried out automatically ---------------------------------------------

    def forced(self, rule: Rule) -> str:
        """A forced rule as sentences."""
        action = rule.action
        when = self.words.when(rule.when, of=rule)
        lead = f"{when}, " if when else ""
        match action:
            case Move():
                text = lead + self._forced_move(action)
            case Joint():
                text = lead + self.joint(action, "go")
            case TurnUp():
                one = self.words.one_of(action.piles.piles)
                text = f"{lead}a face-down card that comes to lie on top of {one} is turned up"
            case Swap():
                text = f"{lead}{self.swap(action)}"
            case Script():
                text = lead + ". Then ".join(self.script(action))
            case _:
                assert_never(action)
        told = [f"**{sentence(label(rule))}**"] if isinstance(action, Script) else []
        told.append(sentence(text))
        if limits := self.words.limits(rule):
            told.append(limits)
        if rule.why:
            told.append(sentence(rule.why))
        return " ".join(told)

    def _forced_move(self, move: Move) -> str:
        choice = {
            "none": "",
            "card": "; the player chooses which",
            "place": "; the player chooses the place",
            "any": "; the player chooses which, and where",
        }[move.choose]
        source = self.words.source(move)
        linked = self.words.linked(move)
        if move.ladder:
            place = self._ladder_target(move, linked)
            fits = "" if move.to_holds[1] == 0 else ", as soon as it comes next there"
            source = f"{source}," if "," in source else source
            return f"{source} goes to {place}{fits}{choice}"
        if all(group.role == "foundation" for group in self.words.groups(move.to.piles)):
            word = "the first" if move.choose not in ("place", "any") else "a"
            place = self.words.vacancy(move.to.piles, word)
            place = place if move.to_holds[1] == 0 else self.words.one_of(move.to.piles, "a")
            together = move.unit.kind != "top"
            source = f"{source}," if "," in source else source
            return f"{source} goes{' as a whole' if together else ''} to {place}{choice}"
        if move.to_holds == (0, 0):
            vacancy = self.words.vacancy(move.to.piles)
            of_line = f" {linked}" if linked else ""
            face = ", face up" if move.face == "up" and self._from_stock(move) else ""
            face = ", face down" if move.face == "down" else face
            if move.unit.kind == "count" and move.reverse and move.unit.most > 1:
                face += ", one by one"
            space = ""
            if not self.words.cards.is_any(move.space.mask):
                space = f", if the first of them is {self.words.cards.one(move.space.mask)}"
                if move.unit.kind == "top":
                    space = f", if it is {self.words.cards.one(move.space.mask)}"
            return f"{vacancy} is filled with {source}{of_line}{face}{space}{choice}"
        target = self.words.one_of(move.to.piles, "a")
        fits = f", if it is {self.words.cards.fits(move.build)}" if move.build else ""
        return f"{source} goes on {target}{' ' + linked if linked else ''}{fits}{choice}"

    def _from_stock(self, move: Move) -> bool:
        return any(self.book.group_of(pile).role == "stock" for pile in move.sources)

    def _ladder_target(self, move: Move, linked: str) -> str:
        if move.to_holds == (0, 0):
            free = move.choose in ("place", "any") and not move.first_vacant
            word = "a" if free else "the first"
            place = self.words.vacancy(move.to.piles, word)
        elif move.to_holds[0] > 0 and move.along == "same place":
            return f"{self.words.one_of(move.to.piles, 'the')} {linked}, if that has been begun"
        elif move.to_holds[0] > 0:
            place = self._begun(move)
        else:
            place = self.words.the(move.to.piles)
        return f"{place} {linked}".rstrip()

    def _begun(self, move: Move) -> str:
        one = self.words.one_of(move.to.piles, "a")
        return f"{one}{',' if ' or ' in one else ''} that has been begun"

    # -- what players do ---------------------------------------------------------------------------

    def joint(self, joint: Joint, may: str = "may go") -> str:
        """Cards that go up together."""
        to = self.words.the(joint.to.piles)
        parts = []
        cards = 0
        for part in joint.parts:
            where = self.words.one_of(part.source.piles, "a")
            cards += part.size
            if part.size == 1:
                parts.append(f"a card that lies alone in {where}")
            else:
                parts.append(f"the two cards of {where} that holds exactly two")
        if len(parts) == 2 and parts[0] == parts[1]:
            parts[1] = (
                parts[1]
                .replace("a card", "another card", 1)
                .replace("the two cards of a ", "the two cards of another ", 1)
            )
        none = "neither without the other" if cards == 2 else "none without the others"
        blocked = ""
        if joint.only_if_blocked:
            alone = "neither pile" if len(parts) > 1 else "no card"
            blocked = f", and only if {alone} could go up alone"
        return (
            f"{join(parts)} {may} to {to} at the same time, {none}, "
            f"each card to a foundation where it comes next{blocked}"
        )

    def swap(self, swap: Swap) -> str:
        """Top cards that change places."""
        groups = self.words.groups(swap.piles.piles)
        where = self.words.the(swap.piles.piles)
        if groups and all(self.words.is_single(group) for group in groups):
            return f"any two cards of {where} may change places"
        return f"the top cards of any two piles of {where} may change places"

    def event(self, rule: Rule) -> str:
        """A use of a rule: ``"whenever a card goes to the foundations"``, ``"with each deal"``."""
        action = rule.action
        match action:
            case Script():
                return f"with each {label(rule)}" if rule.verb else f"at every “{label(rule)}”"
            case Move():
                return f"whenever {self._move_event(action)}"
            case Joint():
                return f"whenever cards go to {self.words.the(action.to.piles)} together"
            case Swap():
                return "whenever two cards change places"
            case TurnUp():
                return "whenever a card is turned up"
            case _:
                assert_never(action)

    def _move_event(self, action: Move) -> str:
        to = self.words.the(action.to.piles)
        if action.ladder:
            return f"a card goes to {to}"
        groups = self.words.groups(action.sources)
        if groups == self.words.groups(action.to.piles) and len(groups) == 1:
            return f"a card is moved {self.words.noun(groups[0]).within}"
        return f"a card goes from {self.words.the(action.sources, 'or')} to {to}"

    def only_together(self, piles: Sequence[int]) -> bool:
        """Whether two cards that lie on one another in these piles can leave them only together."""
        pairs = False
        taken = set(piles)
        for rule in self.book.rules:
            action = rule.action
            match action:
                case Move():
                    if taken.intersection(action.sources) and action.from_holds[1] > 1:
                        return False
                    if taken.intersection(action.to.piles) and action.to_holds[1] > 1:
                        return False
                case Joint():
                    for part in action.parts:
                        pairs = pairs or (part.size == 2 and taken.issubset(part.source.piles))
                case Swap():
                    if taken.intersection(action.piles.piles):
                        return False
                case Script():
                    for step in action.steps:
                        named = (step.source, step.to, step.piles)
                        if any(s is not None and taken.intersection(s.piles) for s in named):
                            return False
                case TurnUp():
                    pass
                case _:
                    assert_never(action)
        return pairs


def visits(step: Step) -> tuple[tuple[int, ...], int]:
    """The piles that a deal visits in one round, and how many rounds there are."""
    assert step.to is not None
    piles = step.to.piles
    size = len(piles)
    for length in range(1, size + 1):
        if size % length == 0 and piles[:length] * (size // length) == piles:
            return piles[:length], size // length
    return piles, 1
