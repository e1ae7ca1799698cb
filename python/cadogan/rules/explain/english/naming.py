"""The piles of a game in words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cadogan.i18n.english import an, join, ordinal, singular
from cadogan.rules.explain.english.prose import Cards
from cadogan.rules.rulebook.group import Group
from cadogan.rules.rulebook.rulebook import Rulebook
from cadogan.rules.rulebook.words import rank_of

_PLACES = {
    "upper", "lower", "left", "right", "top", "bottom", "middle", "inner", "outer", "front",
    "back", "north", "south", "east", "west", "central", "first", "second", "third", "last",
}  # fmt: skip
_PROPER = {"european", "asiatic", "asian", "australian", "african", "american"}
_OF_THEM = {"any": "any of", "a": "one of", "each": "each of", "no": "none of"}


@dataclass(frozen=True, slots=True)
class Noun:
    """How a group is spoken of.

    Attributes:
        the: The whole of it: ``"the columns"``, ``"the garden"``.
        one: One pile, without an article: ``"column"``, ``"pile of the garden"``.
        is_plural: Whether ``the`` takes a plural verb.
        of_place: ``"upper"`` for a name that only says where.
    """

    the: str
    one: str
    is_plural: bool
    of_place: str = ""

    @property
    def within(self) -> str:
        """Where a vacancy is: ``"among the columns"``, ``"in the garden"``."""
        return f"{'among' if self.is_plural else 'in'} {self.the}"


def _withdrawn(book: Rulebook) -> int:
    """The cards of which no copy takes part, as a mask."""
    played = {*book.deck, *(card for card, _ in book.preset)}
    return sum(1 << card for card in range(52) if card not in played)


def stretches(piles: Iterable[int]) -> list[list[int]]:
    """Splits piles into stretches of three and more that follow one another, and single piles.

    >>> stretches([1, 2, 3, 5, 6])
    [[1, 2, 3], [5], [6]]
    """
    found: list[list[int]] = []
    for pile in sorted(set(piles)):
        if found and pile == found[-1][-1] + 1:
            found[-1].append(pile)
        else:
            found.append([pile])
    return [part for run in found for part in ([run] if len(run) > 2 else [[pile] for pile in run])]


class Naming:
    """Names the piles of one rulebook.

    Attributes:
        book: The rulebook.
        cards: Names its classes of cards.
    """

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.withdrawn = _withdrawn(book)
        self.cards = Cards(book.ranks, book.suits, self.withdrawn, jokers=book.jokers > 0)

    def noun(self, group: Group) -> Noun:
        """How a group is spoken of."""
        words = group.name.replace("-", " ").split()
        name = " ".join(word.capitalize() if word in _PROPER else word for word in words)
        is_plural = name.endswith("s") and not name.endswith("ss")
        if group.count == 1:
            if group.role == "foundation" and rank_of(name) is not None:
                own = f"{name}'" if is_plural else f"{name}'s"
                return Noun(f"the {own} foundation", f"{own} foundation", False)
            one = singular(name) if is_plural and group.role in ("cell", "foundation") else name
            return Noun(f"the {one}", one, is_plural and one == name)
        pile = "foundation" if group.role == "foundation" else "pile"
        if name in _PLACES:
            return Noun(f"the {name} {pile}s", f"{name} {pile}", True, name)
        if rank_of(name) is not None:
            return Noun(f"the {name}' {pile}s", f"{name}' {pile}", True)
        if is_plural:
            return Noun(f"the {name}", singular(name), True)
        return Noun(f"the {name}", f"{pile} of the {name}", name == "people")

    def is_pack(self, pile: int) -> bool:
        """Whether a pile is the hidden one that holds the pack while it is dealt."""
        return pile >= len(self.book.pile_names)

    def groups(self, piles: Iterable[int]) -> list[Group]:
        """The groups that piles belong to, in the order in which the piles name them."""
        found = dict.fromkeys(self.book.group_of(p).name for p in piles if not self.is_pack(p))
        by_name = {group.name: group for group in self.book.groups}
        return [by_name[name] for name in found]

    def pile(self, pile: int) -> str:
        """A pile by its place: ``"the third column"``, ``"the stock"``."""
        if self.is_pack(pile):
            return "the pack"
        group = self.book.group_of(pile)
        noun = self.noun(group)
        if group.count == 1:
            return noun.the
        return f"the {ordinal(pile - group.first + 1)} {noun.one}"

    def the(self, piles: Sequence[int], last: str = "and") -> str:
        """Piles as a whole: ``"the stock, the hand and the waste"``."""
        nouns = [self.noun(group) for group in self.groups(piles)]
        if len(nouns) > 1 and all(noun.of_place for noun in nouns) and self.is_whole(piles):
            return f"the {join((noun.of_place for noun in nouns), last)} piles"
        parts: list[str] = []
        for group in self.groups(piles):
            parts += self._of_group(group, [p for p in piles if p in group.piles])
        if any(self.is_pack(pile) for pile in piles):
            parts.append("the pack")
        return join(parts, last)

    def _of_group(self, group: Group, piles: Sequence[int]) -> list[str]:
        noun = self.noun(group)
        if set(piles) == set(group.piles):
            return [noun.the]
        return [
            self.pile(run[0])
            if len(run) == 1
            else f"the {ordinal(run[0] - group.first + 1)} to the "
            f"{ordinal(run[-1] - group.first + 1)} {noun.one}"
            for run in stretches(piles)
        ]

    def is_whole(self, piles: Sequence[int]) -> bool:
        """Whether piles are all the piles of their groups."""
        return all(set(group.piles) <= set(piles) for group in self.groups(piles))

    def are_many(self, piles: Sequence[int]) -> bool:
        """Whether :meth:`the` gives a plural."""
        groups = self.groups(piles)
        if len(groups) > 1 or not self.is_whole(piles):
            return len(set(piles)) > 1
        return bool(groups) and self.noun(groups[0]).is_plural

    def one_of(self, piles: Sequence[int], word: str = "any", last: str = "or") -> str:
        """One of several piles: ``"any column"``, ``"any upper or lower pile"``."""
        groups = self.groups(piles)
        nouns = [self.noun(group) for group in groups]
        if len(nouns) > 1 and all(noun.of_place for noun in nouns) and self.is_whole(piles):
            ones = f"{join((noun.of_place for noun in nouns), last)} pile"
            return an(ones) if word == "a" else f"{word} {ones}"
        if len(nouns) > 1 and self.is_whole(piles) and all(" of " in noun.one for noun in nouns):
            kinds = {noun.one.partition(" of ")[0] for noun in nouns}
            if len(kinds) == 1:
                ones = f"{kinds.pop()} of {join((noun.the for noun in nouns), last)}"
                return an(ones) if word == "a" else f"{word} {ones}"
        parts: list[str] = []
        for group, noun in zip(groups, nouns, strict=True):
            own = [pile for pile in piles if pile in group.piles]
            if group.count == 1:
                parts.append(noun.the)
            elif set(own) != set(group.piles):
                of_them = _OF_THEM.get(word, "")
                runs = stretches(own) if of_them else [[pile] for pile in own]
                parts += [
                    self.pile(run[0]) if len(run) == 1 else f"{of_them} {self.the(run)}"
                    for run in runs
                ]
            else:
                parts.append(an(noun.one) if word == "a" else f"{word} {noun.one}")
        return join(parts, last)

    def vacancy(self, piles: Sequence[int], word: str = "a") -> str:
        """A vacant one of several piles."""
        groups = self.groups(piles)
        if len(groups) == 1 and groups[0].role in ("foundation", "cell") and self.is_whole(piles):
            if groups[0].count > 1:
                one = f"empty {self.noun(groups[0]).one}"
                return an(one) if word == "a" else f"{word} {one}"
            return f"{self.noun(groups[0]).the}, when empty,"
        if len(set(piles)) == 1:
            return f"{self.pile(piles[0])}, when empty,"
        nouns = [self.noun(group) for group in groups]
        if len(nouns) > 1 and all(noun.of_place for noun in nouns) and self.is_whole(piles):
            where = f"among {self.the(piles, 'or')}"
        elif self.is_whole(piles):
            where = join((noun.within for noun in nouns), "or")
        else:
            where = f"among {self.the(piles)}"
        return f"{word} vacancy {where}"

    def in_order(self, piles: Sequence[int]) -> str:
        """Piles in their order: ``"the columns from the last to the first"``."""
        runs: list[list[int]] = []
        for pile in piles:
            if runs and self._continues(runs[-1], pile):
                runs[-1].append(pile)
            else:
                runs.append([pile])
        groups = self.groups(piles)
        if len(runs) > 4 and len(piles) % max(1, len(groups)) == 0:
            strands = [list(piles[i :: len(groups)]) for i in range(len(groups))]
            if len(strands) > 1 and all(self._is_strand(strand) for strand in strands):
                down = strands[0][0] > strands[0][-1]
                whole = join(self.noun(group).the for group in groups)
                way = "the last to the first" if down else "the first to the last"
                return f"{whole} in turn, one pile of each at a time, from {way}"
        parts = [self._strand(strand) for strand in runs]
        return parts[0] if len(parts) == 1 else "first " + ", then ".join(parts)

    def _continues(self, so_far: list[int], pile: int) -> bool:
        if self.is_pack(pile) or self.book.group_of(pile) != self.book.group_of(so_far[-1]):
            return False
        step = pile - so_far[-1]
        return step in (1, -1) and (len(so_far) < 2 or so_far[-1] - so_far[-2] == step)

    def _is_strand(self, strand: list[int]) -> bool:
        group = self.book.group_of(strand[0])
        return strand in (list(group.piles), list(group.piles)[::-1])

    def _strand(self, strand: list[int]) -> str:
        group = self.book.group_of(strand[0])
        if len(strand) == 1:
            return self.pile(strand[0])
        down = strand[0] > strand[-1]
        if self._is_strand(strand):
            way = "the last to the first" if down else "the first to the last"
            return f"{self.noun(group).the} from {way}"
        places = [ordinal(pile - group.first + 1) for pile in (strand[0], strand[-1])]
        return f"{self.noun(group).the} from the {places[0]} pile to the {places[1]}"

    # -- what piles can hold -----------------------------------------------------------------------

    def is_single(self, group: Group) -> bool:
        """Whether the piles of a group never hold more than one card."""
        piles = set(group.piles)
        dealt: dict[int, int] = dict.fromkeys(piles, 0)
        for _, pile in self.book.preset:
            if pile in piles:
                dealt[pile] += 1
        for step in self.book.layout:
            for pile in step.to.piles if step.to is not None else ():
                if pile in piles:
                    dealt[pile] += step.each if step.kind in ("deal", "pick") else 2
        for step in self.book.layout:
            if any(not piles.isdisjoint(way.overflow.piles[:1]) for way in step.ways):
                return False
        if any(rule.action.can_stack(piles) for rule in self.book.rules):
            return False
        return group.role != "stock" and max(dealt.values()) <= 1
