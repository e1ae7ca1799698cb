"""The rules of a game in words, made from its rulebook alone.

The result is Markdown, in the order of a card book: the pack, the table, the aim, what may be
played and built, what happens automatically, the stock, the end. Rules that say the same of several
groups are explained once; conditions, counters and limits are put into words.

Each language has a folder, ``english`` and ``german``; both ask the rulebook the same questions::

    prose           numbers, lists, classes of cards, what may lie on what (German: grammar, cards)
    naming          the piles of a game
    phrases         what moves, conditions, counters
    actions         what rules do: scripts, forced rules, cards that go together
    section         what the sections share
    table, playing, building, play_sequence     the sections
    explain         all sections of a game
"""

from cadogan.rules.explain.english.explain import Explainer
from cadogan.rules.rulebook.rulebook import Rulebook

__all__ = ["explain"]


def explain(rulebook: Rulebook, language: str = "en") -> str:
    """Explains the rules of a game.

    Args:
        rulebook: The game.
        language: The language, one of ``cadogan.i18n.text.LANGUAGES``.

    Returns:
        Markdown, ending in a line break.

    Raises:
        ValueError: If there is no such language.

    >>> from cadogan.rules import load_rules
    >>> text = explain(load_rules("flower-garden").rulebook)
    >>> print(text.split("## ")[3].strip())
    The aim
    <BLANKLINE>
    The aim is to bring all 52 cards to the foundations.
    """
    if language == "de":
        from cadogan.rules.explain import german  # Few need it.

        return german.explain(rulebook)
    if language != "en":
        raise ValueError(f"the rules are told in en and de, not in {language!r}")
    return Explainer(rulebook).text()
