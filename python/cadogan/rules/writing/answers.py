"""The answers to all choices."""

from collections.abc import Mapping

from cadogan.i18n.text import Translatable, gettext
from cadogan.rules.writing.choice import YES, AnswersError, Choice, Misfit
from cadogan.rules.writing.choices import CHOICES


class Answers:
    """An answer to each choice.

    Args:
        given: Answers by the keys of their choices; the others have their defaults.

    Raises:
        AnswersError: If there is no such choice, an answer is none of the possible ones, or the
            choice has no meaning with the other answers. It lists all misfits.

    >>> Answers({"stock": "waste"})["redeals"]
    '0'
    """

    def __init__(self, given: Mapping[str, str]) -> None:
        misfits = [
            Misfit((key,), gettext('there is no choice "{choice}"', choice=key[:40]))
            for key in given.keys() - CHOICES.keys()
        ]
        self._values: dict[str, str] = {}
        for key, choice in CHOICES.items():
            answer = choice.default
            if key in given:
                try:
                    answer = choice.read(given[key])
                except AnswersError as error:
                    misfits += error.misfits
            if answer != choice.default and (bar := self.bar(choice)) is not None:
                misfits.append(_meaningless(choice, bar, self[bar.key]))
                answer = choice.default
            self._values[key] = answer
        if misfits:
            raise AnswersError(misfits)

    def __getitem__(self, key: str) -> str:
        return self._values[key]

    def number(self, key: str) -> int:
        """A number."""
        return int(self[key])

    def numbers(self, key: str) -> list[int]:
        """One number, or one for each pile."""
        return [int(number) for number in self[key].split()]

    def yes(self, key: str) -> bool:
        """Whether the answer is yes."""
        return self[key] == YES

    def applies(self, key: str) -> bool:
        """Whether a choice has a meaning, so that it should be asked."""
        return self.bar(CHOICES[key]) is None

    def bar(self, choice: Choice) -> Choice | None:
        """The earlier choice whose answer leaves another without a meaning."""
        return next(
            (
                CHOICES[key]
                for key, answers in choice.unless.items()
                if self[key] in answers or self.bar(CHOICES[key]) is not None
            ),
            None,
        )

    def says(self, key: str) -> Translatable:
        """A choice and its answer, as a sentence quotes them."""
        choice = CHOICES[key]
        return gettext('"{choice}: {answer}"', choice=choice.label, answer=choice.says(self[key]))


def changed(start: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Answers to begin with, and others that take their places.

    Args:
        start: Answers that fit together.
        given: The others. What means nothing with them is left out of the first.

    >>> changed({"stock": "waste", "redeals": "2", "piles": "7"}, {"stock": "none"})
    {'stock': 'none', 'piles': '7'}
    """
    answers = {**start, **given}
    while True:
        try:
            Answers(answers)
        except AnswersError as error:
            first = (misfit.choices[0] for misfit in error.misfits)
            dropped = next((key for key in first if key in start and key not in given), None)
            if dropped is None:
                return answers
            del answers[dropped]
        else:
            return answers


def _meaningless(choice: Choice, bar: Choice, answer: str) -> Misfit:
    text = gettext(
        '"{choice}" means nothing with "{other}: {answer}"',
        choice=choice.label,
        other=bar.label,
        answer=bar.says(answer),
    )
    return Misfit((choice.key, bar.key), text)
