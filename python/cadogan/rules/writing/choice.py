"""A choice of the form: what may be answered, and when it is asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from cadogan.i18n.text import Translatable, gettext

Kind = Literal["text", "number", "numbers", "option", "switch"]

YES: Final = "yes"
NO: Final = "no"
LONGEST: Final = 200
"""The largest length of an answer."""
LONGEST_NAME: Final = 80
MOST_NUMBERS: Final = 20
"""The largest number of piles for which numbers can be listed."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why some answers cannot be used.

    Attributes:
        choices: The keys of the choices that do not fit together.
        text: The reason, in a sentence that names them.
    """

    choices: tuple[str, ...]
    text: Translatable


class AnswersError(ValueError):
    """The answers give no game. The message is for people; each line is one misfit.

    Attributes:
        misfits: What does not fit.
    """

    def __init__(self, misfits: list[Misfit]) -> None:
        super().__init__("\n".join(misfit.text for misfit in misfits))
        self.misfits = misfits


@dataclass(frozen=True, slots=True)
class Option:
    """One of several answers."""

    value: str
    label: Translatable


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A question with a few possible answers. All answers are texts.

    Attributes:
        key: Its name, ``"face-down"``.
        label: What a form calls it.
        help: A sentence or two that explain it.
        default: The answer that is used if none is given.
        kind: What may be answered: a line of text; a number; one number or several, separated by
            spaces; one of the options; yes or no.
        options: The answers to choose from.
        least: The lowest number.
        most: The highest number.
        unless: Answers to earlier choices with which this one has no meaning.
    """

    key: str
    label: Translatable
    help: Translatable
    default: str
    kind: Kind
    options: tuple[Option, ...] = ()
    least: int = 0
    most: int = 0
    unless: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def read(self, answer: str) -> str:
        """Reads an answer.

        Args:
            answer: What was typed.

        Returns:
            The answer in its usual form.

        Raises:
            AnswersError: If it is none of the possible answers.

        >>> from cadogan.rules.writing.choices import CHOICES
        >>> CHOICES["face-down"].read(" 0,1, 2 ")
        '0 1 2'
        """
        plain = " ".join(answer.split())
        match self.kind:
            case "text":
                ok = plain.isprintable() and 0 < len(plain) <= LONGEST_NAME
            case "number":
                ok = self._is_number(plain)
            case "numbers":
                numbers = plain.replace(",", " ").split()
                ok = 0 < len(numbers) <= MOST_NUMBERS and all(map(self._is_number, numbers))
                plain = " ".join(str(int(number)) for number in numbers) if ok else plain
            case "option" | "switch":
                plain = plain.lower()
                ok = plain in self.values
        if not ok:
            shown = plain if len(plain) <= LONGEST_NAME else f"{plain[:LONGEST_NAME]}..."
            text = gettext(
                '"{choice}" cannot be "{answer}": {wanted}',
                choice=self.label,
                answer=shown,
                wanted=self.wanted,
            )
            raise AnswersError([Misfit((self.key,), text)])
        return str(int(plain)) if self.kind == "number" else plain

    @property
    def values(self) -> tuple[str, ...]:
        """The words of which one may be answered; empty if it is not a choice of words."""
        if self.kind == "switch":
            return (YES, NO)
        return tuple(option.value for option in self.options)

    @property
    def wanted(self) -> Translatable:
        """What may be answered."""
        match self.kind:
            case "text":
                return gettext("up to {most} letters", most=LONGEST_NAME)
            case "number":
                return gettext("a number from {least} to {most}", least=self.least, most=self.most)
            case "numbers":
                return gettext(
                    "a number from {least} to {most}, or one for each pile",
                    least=self.least,
                    most=self.most,
                )
            case "switch":
                return gettext("yes or no")
        return gettext("one of {values}", values=", ".join(self.values))

    def says(self, answer: str) -> str:
        """What a form shows for an answer."""
        if self.kind == "switch":
            return gettext("yes") if answer == YES else gettext("no")
        return next((option.label for option in self.options if option.value == answer), answer)

    def _is_number(self, text: str) -> bool:
        return (
            len(text) <= 3
            and text.isascii()
            and text.isdigit()
            and self.least <= int(text) <= self.most
        )
