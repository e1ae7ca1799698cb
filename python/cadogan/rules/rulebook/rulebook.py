"""The rulebook: a checked game, with every name resolved and every phrase parsed.

It contains only core rules: roles and phrases have been expanded (see :mod:`cadogan.rules.expand`).
Piles are numbered through the whole table in the order of the file. Every object has the words it
was written in, so that :mod:`cadogan.rules.explain` can describe the game from the rulebook alone.
:mod:`cadogan.rules.compile` turns a rulebook into a program.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from cadogan.rules.rulebook.condition import Condition
from cadogan.rules.rulebook.counter import Counter, Effect
from cadogan.rules.rulebook.group import Covering, Group, Role
from cadogan.rules.rulebook.step import Step
from cadogan.rules.rulebook.words import CardClass

if TYPE_CHECKING:
    from cadogan.rules.kinds import Action
    from cadogan.rules.rulebook.score import Score


@dataclass(frozen=True, slots=True)
class Rule:
    """One core rule.

    Attributes:
        name: Its name, unique in the game.
        action: What it does.
        verb: The word that denotes its moves if they leave no choice: ``"deal"``.
        forced: Whether it is carried out automatically.
        during: When it applies: in the layout, in play, or always.
        when: Conditions, all of which must hold.
        effects: Its changes of counters.
        why: A sentence by the author.
    """

    name: str
    action: "Action"
    verb: str | None = None
    forced: bool = False
    during: Literal["layout", "play", "always"] = "play"
    when: tuple[Condition, ...] = ()
    effects: tuple[Effect, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Variant:
    """A named change of the rules.

    Attributes:
        name: The name by which it is chosen, ``"left-to-right"``.
        why: Its source, or what it changes, in words.
    """

    name: str
    why: str


@dataclass(frozen=True)
class Rulebook:
    """A whole game.

    Attributes:
        slug: The name of the file, ``"flower-garden"``.
        name: The game's name, ``"The Flower Garden"``.
        source: A reference for the rules.
        version: Increased when the game's behaviour changes.
        packs: Number of packs.
        ranks: The ranks in use, in their order.
        suits: The suits in use.
        without: Classes of cards removed from the pack.
        deck: The cards that are shuffled, sorted.
        preset: (card, pile) laid out before the deal.
        groups: The groups of piles.
        counters: The counters.
        layout: The steps that lay out the table.
        rules: The rules, in order.
        aim: The conditions for a win.
        deal_again: If there are any, and all hold after the layout, the cards are dealt again.
        source_pile: The pile that holds the pack when the layout begins.
        variants: All variants of the file.
        chosen: The chosen variants.
        remarks: Sentences by the author for the description of the rules.
        picture: The picture of the table as pile numbers by (row, column). A column may be a half.
        names: The game's name in other languages.
        score: What gives points, if the game is scored.
        coverings: When the cards of groups are open, if not always.
        aliases: Other titles of the game.
        family: The family of games that it belongs to; empty if none is named.
        kin: The names of games that are like it.
        book: The book on whose shelf it stands; empty if none is named.
        history: Where the game comes from; empty if the file does not say it.
        jokers: Number of jokers.
    """

    slug: str
    name: str
    source: str
    version: int
    packs: int
    ranks: tuple[int, ...]
    suits: tuple[int, ...]
    without: tuple[CardClass, ...]
    deck: tuple[int, ...]
    preset: tuple[tuple[int, int], ...]
    groups: tuple[Group, ...]
    counters: tuple[Counter, ...]
    layout: tuple[Step, ...]
    rules: tuple[Rule, ...]
    aim: tuple[Condition, ...]
    source_pile: int
    variants: tuple[Variant, ...] = ()
    chosen: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    picture: Mapping[tuple[int, float], int] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    score: "Score | None" = None
    coverings: tuple[Covering, ...] = ()
    aliases: tuple[str, ...] = ()
    family: str = ""
    kin: tuple[str, ...] = ()
    book: str = ""
    deal_again: tuple[Condition, ...] = ()
    history: str = ""
    jokers: int = 0

    @cached_property
    def pile_names(self) -> tuple[str, ...]:
        """The names of all piles, in order."""
        return tuple(g.pile_name(i) for g in self.groups for i in range(g.count))

    def group_of(self, pile: int) -> Group:
        """The group that a pile belongs to."""
        return self._group_of[pile]

    def has_any(self, cards: int) -> bool:
        """Whether the pack has a card of a class, given as a mask."""
        return any(cards >> card & 1 for card in (*self.deck, *(card for card, _ in self.preset)))

    @cached_property
    def is_shuffled(self) -> bool:
        """Whether a rule shuffles cards after the deal."""
        return any(self.shuffles(rule) for rule in self.rules)

    @staticmethod
    def shuffles(rule: Rule) -> list[int]:
        """The counters of the shuffles that a rule makes."""
        steps: tuple[Step, ...] = getattr(rule.action, "steps", ())
        return [step.counter for step in steps if step.kind == "shuffle"]

    def is_unread(self, counter: int) -> bool:
        """Whether a counter of shuffles is of no use to the rules themselves."""
        if not any(counter in self.shuffles(rule) for rule in self.rules):
            return False
        conditions = [*self.aim, *(c for rule in self.rules for c in rule.when)]
        effects = [effect for rule in self.rules for effect in rule.effects]
        numbers = [step.number for rule in self.rules for step in getattr(rule.action, "steps", ())]
        return not any(
            each is not None
            and counter in (each.counter, getattr(each, "of", each.counter))
            and getattr(each, "kind", "")
            in ("counter", "set", "add", "count", "tally", "times", "until")
            for each in [*conditions, *effects, *numbers]
        )

    def role_of(self, pile: int) -> Role:
        """The role of a pile; the hidden pile that holds the pack is a stock."""
        group = self._group_of.get(pile)
        return "stock" if group is None else group.role

    @cached_property
    def roles(self) -> Mapping[str, Role]:
        """The role of every pile, by its name."""
        return {name: self.role_of(pile) for pile, name in enumerate(self.pile_names)}

    @cached_property
    def open_when(self) -> Mapping[int, tuple[tuple[int, ...], ...]]:
        """For each pile that others may cover: sets of piles one of which must be vacant."""
        by_name = {group.name: group for group in self.groups}
        return {
            pile: ways
            for covering in self.coverings
            for pile, ways in zip(by_name[covering.group].piles, covering.ways, strict=True)
            if ways
        }

    @cached_property
    def _group_of(self) -> Mapping[int, Group]:
        return {pile: group for group in self.groups for pile in group.piles}
