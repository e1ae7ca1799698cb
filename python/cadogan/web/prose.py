"""The rules of games in words, in the language of whoever asks."""

from cadogan.game import Game
from cadogan.rules.explain import explain, german


def rules_in(game: Game, language: str) -> tuple[str, bool]:
    """The rules in words.

    Args:
        game: The game, with variants.
        language: The language asked for.

    Returns:
        Markdown, and whether all of it is in that language: what the author of a rules file wrote
        himself stays as it is, if nobody has translated it.
    """
    text = explain(game.rulebook, language)
    return text, language != "de" or german.is_complete(game.rulebook)
