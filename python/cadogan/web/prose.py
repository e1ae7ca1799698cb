"""The rules of games in words, in the language of the request."""

from cadogan.game import Game
from cadogan.rules.explain import explain, german


def rules_in(game: Game, language: str) -> tuple[str, bool]:
    """The rules in words.

    Args:
        game: The game, with variants.
        language: The language asked for.

    Returns:
        Markdown, and whether all of it is in that language: texts by the author of a rules file
        stay in the original if there is no translation.
    """
    text = explain(game.rulebook, language)
    return text, language != "de" or german.is_complete(game.rulebook)
