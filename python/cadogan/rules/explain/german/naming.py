"""The piles of a game in German."""

from collections.abc import Sequence
from dataclasses import dataclass

from cadogan.i18n.german import (
    DAT,
    FOUNDATION,
    GEN,
    NOM,
    PILE,
    PILES,
    PLACE,
    Case,
    Determiner,
    Noun,
    after,
    join,
    number,
    ordinal,
    read_noun,
)
from cadogan.i18n.text import declension
from cadogan.rules.explain.english.naming import Naming, stretches
from cadogan.rules.explain.german.cards import MANY, RANKS, GermanCards
from cadogan.rules.rulebook.group import Group
from cadogan.rules.rulebook.rulebook import Rulebook
from cadogan.rules.rulebook.words import rank_of


@dataclass(frozen=True, slots=True)
class Name:
    """How a group is spoken of.

    Attributes:
        whole: All of it: ``die Spalten``, ``der Garten``.
        one: One pile of it, ``die Spalte``; ``None`` if that is said as ``Stapel des Gartens``.
    """

    whole: Noun
    one: Noun | None


class GermanNaming(Naming):
    """Names the piles of one rulebook."""

    def __init__(self, book: Rulebook) -> None:
        super().__init__(book)
        self.german = GermanCards(book.ranks, book.suits, self.withdrawn, jokers=book.jokers > 0)

    def called(self, group: Group) -> Name:
        """How a group is spoken of; what the catalogue does not know is quoted."""
        if found := declension(group.name, "de"):
            whole, _, one = found.partition(";")
            name = Name(read_noun(whole), read_noun(one) if one else None)
        else:
            name = self._unknown(group)
        if group.count == 1 and name.one is not None:
            return Name(name.one, name.one)
        return name

    @staticmethod
    def _unknown(group: Group) -> Name:
        kind, oblique = (
            ("Grundstapel", "Grundstapeln") if group.role == "foundation" else ("Stapel", "Stapeln")
        )
        rank = rank_of(group.name)
        if rank is None:
            of = f"„{group.name}“"
        elif group.count == 1 and not group.name.endswith("s"):
            of = RANKS[rank]("the", GEN)
        else:
            of = f"der {MANY[rank].forms[GEN]}"
        one = (f"{kind} {of}", f"{kind}s {of}", f"{kind} {of}", f"{kind} {of}")
        many = (f"{kind} {of}", f"{kind} {of}", f"{oblique} {of}", f"{kind} {of}")
        return Name(Noun("p", many), Noun("m", one))

    def one_pile(self, pile: int, case: Case) -> str:
        """A pile by its place: ``"die dritte Spalte"``, ``"der Talon"``."""
        if self.is_pack(pile):
            return read_noun("das Spiel, des Spiels, dem Spiel, das Spiel")("the", case)
        group = self.book.group_of(pile)
        name = self.called(group)
        if group.count == 1:
            return name.whole("the", case)
        place = ordinal(pile - group.first + 1)
        if name.one is not None:
            return name.one("the", case, place)
        return f"{PILE('the', case, place)} {name.whole('the', GEN)}"

    def whole(self, piles: Sequence[int], case: Case, last: str = "und") -> str:
        """Piles as a whole: ``"der Talon, die Hand und der Abwurf"``."""
        parts: list[str] = []
        for group in self.groups(piles):
            own = [pile for pile in piles if pile in group.piles]
            if set(own) == set(group.piles):
                parts.append(self.called(group).whole("the", case))
            else:
                parts += [self._stretch(run, case) for run in stretches(own)]
        if any(self.is_pack(pile) for pile in piles):
            parts.append(self.one_pile(next(p for p in piles if self.is_pack(p)), case))
        return join(parts, last)

    def _stretch(self, run: Sequence[int], case: Case) -> str:
        """Piles that follow one another: ``"die Spalten zwei bis sieben"``."""
        if len(run) == 1:
            return self.one_pile(run[0], case)
        group = self.book.group_of(run[0])
        name = self.called(group)
        places = " bis ".join(number(run[at] - group.first + 1) for at in (0, -1))
        if name.one is None:
            return f"{PILES('the', case)} {places} {name.whole('the', GEN)}"
        return f"{name.whole('the', case)} {places}"

    def _one_of_stretch(self, run: Sequence[int], case: Case) -> str:
        """One of piles that follow one another: ``"eine der Spalten zwei bis sieben"``."""
        if len(run) == 1:
            return self.one_pile(run[0], case)
        noun = self.called(self.book.group_of(run[0])).one or PILE
        end = noun("a", case).split()[0]
        one = {"ein": "einer" if noun.gender == "m" else "eines"}.get(end, end)
        return f"{one} {self._stretch(run, GEN)}"

    def are_plural(self, piles: Sequence[int]) -> bool:
        """Whether :meth:`whole` takes a plural verb."""
        groups = self.groups(piles)
        if len(groups) > 1 or not self.is_whole(piles):
            return len(set(piles)) > 1
        return bool(groups) and self.called(groups[0]).whole.is_plural

    def some(
        self,
        piles: Sequence[int],
        determiner: Determiner,
        case: Case,
        *adjectives: str,
        unit: Noun = PILE,
        last: str = "oder",
    ) -> str:
        """One of several piles: ``"jede Spalte"``, ``"ein Stapel der oberen oder unteren Reihe"``.

        Args:
            piles: The piles.
            determiner: The word before.
            case: The case.
            adjectives: Stems of adjectives.
            unit: What one pile of a group is called that has no word for it.
            last: The word before the last of several.
        """
        parts: list[str] = []
        of: list[str] = []
        for group in self.groups(piles):
            own = [pile for pile in piles if pile in group.piles]
            name = self.called(group)
            if group.count == 1:
                parts.append(name.whole("the", case, *adjectives))
            elif set(own) != set(group.piles):
                runs = stretches(own) if determiner in ("any", "a") else [[pile] for pile in own]
                parts += [self._one_of_stretch(run, case) for run in runs]
            elif name.one is not None:
                parts.append(name.one(determiner, case, *adjectives))
            else:
                of.append(name.whole("the", GEN))
        if of:
            parts.append(f"{unit(determiner, case, *adjectives)} {join(of, last)}")
        return join(parts, last)

    def empty(self, piles: Sequence[int], determiner: Determiner, case: Case) -> str:
        """A vacant one of several piles: ``"ein leerer Platz des Gartens"``."""
        return self.some(piles, determiner, case, "leer", unit=PLACE)

    def within(self, group: Group) -> str:
        """Where cards of a group lie: ``"in den Spalten"``, ``"im Garten"``."""
        return after("in", self.called(group).whole("the", DAT))

    def kind(self, group: Group) -> Noun:
        """What one pile of a group is called when there are some: place, pile or foundation."""
        if group.role == "foundation" and "Grundstapel" not in self.called(group).whole.forms[0]:
            return FOUNDATION
        return PILE

    def ordered(self, piles: Sequence[int], case: Case = NOM) -> str:
        """Piles in their order: ``"die Spalten von der letzten zur ersten"``."""
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
                whole = join(self.called(group).whole("the", case) for group in groups)
                way = self._way(strands[0], "m")
                return f"{whole} abwechselnd, jedes Mal ein Stapel von jeder, {way}"
        parts = [self._in_german(strand, case) for strand in runs]
        return parts[0] if len(parts) == 1 else "erst " + ", dann ".join(parts)

    def _way(self, strand: Sequence[int], gender: str) -> str:
        down = strand[0] > strand[-1]
        if gender == "f":
            return "von der letzten zur ersten" if down else "von der ersten zur letzten"
        return "vom letzten zum ersten" if down else "vom ersten zum letzten"

    def _in_german(self, strand: list[int], case: Case) -> str:
        group = self.book.group_of(strand[0])
        if len(strand) == 1:
            return self.one_pile(strand[0], case)
        name = self.called(group)
        gender = name.one.gender if name.one is not None else "m"
        if self._is_strand(strand):
            # Of a group without a word for one pile it is the piles that are first and last.
            whole = name.whole("the", case)
            if name.one is None:
                whole = f"{PILES('the', case)} {name.whole('the', GEN)}"
            return f"{whole} {self._way(strand, gender)}"
        first, last = (ordinal(pile - group.first + 1) for pile in (strand[0], strand[-1]))
        stems = tuple(stem if stem.endswith(".") else f"{stem}en" for stem in (first, last))
        whole = name.whole("the", case)
        ends = ("von der", "bis zur") if gender == "f" else ("vom", "bis zum")
        return f"{whole} {ends[0]} {stems[0]} {ends[1]} {stems[1]}"
