"""Reports which word of a phrase is not understood."""

from cadogan.i18n.text import gettext, term
from cadogan.rules.faults.report import Report, nearest, one_of
from cadogan.rules.rulebook.words import WordError
from cadogan.rules.source.span import Path

_EXAMPLES = {
    "unknown-cards": '"aces", "red kings", "queen of spades", "all but kings" or "any card"',
    "unknown-build": '"down", "up in suit", "down in alternate colours", "up or down" and so on',
}


def report_word(report: Report, code: str, path: Path, text: str, error: WordError) -> None:
    """Reports a word that is not understood.

    Args:
        report: Receives the fault.
        code: The code of the fault.
        path: The place of the phrase.
        text: The phrase as written.
        error: The error of the parser.
    """
    guess = nearest(error.word, error.allowed) if error.word else None
    hint = error.hint
    if hint is None and guess is not None and guess != error.word:
        hint = gettext('did you mean "{guess}"?', guess=guess)
    elif hint is None and code in _EXAMPLES and not 0 < len(error.allowed) < 8:
        hint = gettext("say {choices}", choices=term(_EXAMPLES[code]))
    elif hint is None and error.allowed:
        hint = gettext("say {choices}", choices=one_of(error.allowed, 12))
    exact = text[error.start : error.start + len(error.word)].lower() == error.word.lower()
    within = (error.start, error.start + len(error.word)) if exact and error.word else None
    report.error(code, path, error.args[0], within=within, word=error.word, hint=hint)
