"""``cadogan new``: writes a rules file from the answers to a short form."""

import re
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.choose import Json
from cadogan.i18n.text import gettext, translate

if TYPE_CHECKING:
    from cadogan.rules.writing.choice import AnswersError, Choice

File = Annotated[Path | None, Parameter(help="The file to write.")]
Chosen = Annotated[
    tuple[str, ...],
    Parameter(
        name="--set",
        help="An answer, such as stock=waste. Then no questions are asked.",
        show_default=False,
    ),
]
Origin = Annotated[
    str | None,
    Parameter(name="--from", help="A game to start from, if choices can say its rules."),
]
Listing = Annotated[bool, Parameter(name="--list", help="List the choices and their answers.")]
Tongue = Annotated[Literal["en", "de"], Parameter(help="The language of the questions.")]

BACK: Final = "<"
REST: Final = "="
_SWITCH: Final = {"y": "yes", "j": "yes", "ja": "yes", "n": "no", "nein": "no"}
"""Short and German answers to a question that is answered with yes or no."""


def new(
    file: File = None,
    /,
    *,
    chosen: Chosen = (),
    origin: Origin = None,
    listing: Listing = False,
    language: Tongue = "en",
    json: Json = False,
) -> int:
    """Write a rules file by answering questions.

    Enter takes the answer in brackets. With --set nothing is asked, and without FILE the rules are
    printed. A file is never overwritten unless you say so.
    """
    if listing:
        _list(language, json)
        return 0
    start = {} if origin is None else _answers_of(origin)
    if chosen:
        from cadogan.rules.writing.answers import changed

        text = _written(changed(start, _pairs(chosen)), language)
        if text is None:
            return 2
        if file is None:
            output.data(text.rstrip("\n"))
            return 0
        if file.exists():
            raise output.UsageError(f"{file} exists already", "name another file")
        return _save(file, text)
    return _Dialogue(file, language, start).hold()


def _list(language: str, json: bool) -> None:
    from cadogan.cli.help import section
    from cadogan.rules.writing.choices import SECTIONS

    if json:
        output.data_json([_facts(choice, language) for part in SECTIONS for choice in part.choices])
        return
    for index, part in enumerate(SECTIONS):
        if index:
            output.data()
        rows = [(choice.key, _summary(choice, language)) for choice in part.choices]
        output.data(section(translate(part.label, language), rows).rstrip("\n"))


def _summary(choice: "Choice", language: str) -> str:
    parts = [
        f"{translate(choice.label, language)}:",
        f"{translate(choice.wanted, language)}",
        f"[{translate(choice.default, language)}]",
    ]
    return " ".join(parts)


def _facts(choice: "Choice", language: str) -> dict[str, Any]:
    return {
        "key": choice.key,
        "label": translate(choice.label, language),
        "help": translate(choice.help, language),
        "kind": choice.kind,
        "answers": {value: translate(choice.says(value), language) for value in choice.values},
        "default": translate(choice.default, language),
        "unless": {key: list(values) for key, values in choice.unless.items()},
    }


def _answers_of(game: str) -> dict[str, str]:
    """The answers that describe a game."""
    from cadogan.rules.cache import compiled
    from cadogan.rules.writing.recognition import answers_of

    compiled(game)  # reports the faults of a file
    answers = answers_of(game)
    if answers is None:
        raise output.UsageError(
            f"choices cannot say the rules of {game!r}", "copy its rules file and change that"
        )
    return answers


def _pairs(chosen: tuple[str, ...]) -> dict[str, str]:
    """The answers of ``--set``."""
    answers: dict[str, str] = {}
    for pair in chosen:
        key, equals, answer = pair.partition("=")
        if not equals:
            raise output.UsageError(f"{pair!r} gives no answer", "write --set CHOICE=ANSWER")
        if key in answers:
            raise output.UsageError(f"{key!r} is given twice", "give one answer")
        answers[key] = answer
    return answers


def _written(answers: Mapping[str, str], language: str) -> str | None:
    """The rules file; none if the answers do not fit, which is reported."""
    from cadogan.rules.writing.choice import AnswersError
    from cadogan.rules.writing.rules_file import rules_file

    try:
        return rules_file(answers)
    except AnswersError as error:
        _report(error, language)
        output.note("hint: 'cadogan new --list' lists the choices")
        return None


def _report(error: "AnswersError", language: str) -> None:
    for misfit in error.misfits:
        output.error(translate(misfit.text, language))


def _save(file: Path, text: str) -> int:
    from cadogan.rules import check_text
    from cadogan.storage import replace_file

    replace_file(file, text)
    report = check_text(text, str(file))
    if report.faults:
        output.note_report(report)
    output.note(f"{file} is written; 'cadogan rules {file}' explains the game")
    return 0


class _Dialogue:
    """Asks for the answers, one question after the other.

    Args:
        file: The file to write; ``None`` asks for it.
        language: The language of the questions.
        start: Answers to begin with.
    """

    def __init__(self, file: Path | None, language: str, start: dict[str, str]) -> None:
        self.file = file
        self.language = language
        self.answers = start

    def hold(self) -> int:
        """Asks everything and writes the file.

        Returns:
            The exit status.
        """
        from cadogan.rules.writing.choice import AnswersError
        from cadogan.rules.writing.rules_file import rules_file

        self._tell(
            gettext(
                "Enter takes the answer in brackets. Type ? for help, < to go back, = to take the"
                " answers in brackets from here on, or quit."
            )
        )
        at = 0
        while True:
            if not self._ask_from(at):
                return self._leave()
            try:
                text = rules_file(self.answers)
            except AnswersError as error:
                _report(error, self.language)
                at = self._first(error)
            else:
                break
        output.data(f"\n{text}")
        while (file := self._where(text)) is not None:
            if file.exists():
                question = gettext("{file} exists already. Overwrite it? (yes or no)", file=file)
                if (answer := self._line(question, "no")) is None:
                    break
                if _SWITCH.get(answer.lower(), answer.lower()) != "yes":
                    self.file = None
                    continue
            try:
                return _save(file, text)
            except OSError as error:
                # The answers must not be lost: another file may do.
                output.error(f"{file}: {(error.strerror or str(error)).lower()}")
                self.file = None
        return self._leave()

    def _ask_from(self, at: int) -> bool:
        """Asks the questions from one on; whether all were answered."""
        from cadogan.rules.writing.answers import Answers
        from cadogan.rules.writing.choices import CHOICES, SECTIONS

        headings = {part.choices[0].key: part.label for part in SECTIONS}
        choices = list(CHOICES.values())
        asked: list[int] = []
        rest = False
        while at < len(choices):
            choice = choices[at]
            earlier = {key: self.answers[key] for key in list(CHOICES)[:at] if key in self.answers}
            if not Answers(earlier).applies(choice.key):
                self.answers.pop(choice.key, None)
                at += 1
                continue
            if rest:
                at += 1
                continue
            if choice.key in headings:
                output.data()
                self._tell(headings[choice.key], "heading")
            answer = self._answer(choice)
            if answer is None:
                return False
            if answer == BACK:
                at = asked.pop() if asked else at
            elif answer == REST:
                rest = True
            else:
                self.answers[choice.key] = answer
                asked.append(at)
                at += 1
        return True

    def _answer(self, choice: "Choice") -> str | None:
        """Asks one question until the answer is one of the possible ones."""
        from cadogan.rules.writing.choice import AnswersError

        default = self.answers.get(choice.key, translate(choice.default, self.language))
        if choice.kind == "switch":
            default = translate(choice.says(default), self.language)
        question: str = choice.label
        if choice.options:
            self._tell(choice.label)
            question = gettext("number or word")
        # Words that are numbers stand for themselves.
        numbered = not any(value.isdecimal() for value in choice.values)
        for number, option in enumerate(choice.options, 1):
            mark = f"{number}  " if numbered else ""
            output.data(f"  {mark}{option.value:<14} {translate(option.label, self.language)}")
        if choice.kind in ("number", "switch"):
            question = gettext("{choice} ({wanted})", choice=question, wanted=choice.wanted)
        while True:
            line = self._line(question, default)
            if line is None or line in (BACK, REST):
                return line
            if line == "?":
                self._tell(choice.help)
                self._tell(gettext("Possible is {wanted}.", wanted=choice.wanted))
                continue
            if choice.options and numbered and line.isdecimal():
                line = dict(enumerate(choice.values, 1)).get(int(line), line)
            if choice.kind == "switch":
                line = _SWITCH.get(line.lower(), line)
            try:
                return choice.read(line)
            except AnswersError as error:
                _report(error, self.language)

    def _where(self, text: str) -> Path | None:
        """The file to write; ``None`` if the user gave up."""
        if self.file is not None:
            return self.file
        name = re.search(r'^name += "(.*)"$', text, re.MULTILINE)
        slug = re.sub(r"[^\w]+", "-", name[1].lower()).strip("-") if name else ""
        line = self._line(gettext("File to write"), f"{slug or 'my-game'}.toml")
        return None if line is None else Path(line)

    def _first(self, error: "AnswersError") -> int:
        """The first question that a misfit names."""
        from cadogan.rules.writing.choices import CHOICES

        named = {key for misfit in error.misfits for key in misfit.choices}
        return min(index for index, key in enumerate(CHOICES) if key in named)

    def _line(self, question: str, default: str) -> str | None:
        """Asks for a line; empty takes the default, and ``quit`` ends the input."""
        from cadogan.cli.ask import ask_line

        line = ask_line(f"{translate(question, self.language)} [{default}]> ")
        if line is None or line.strip().lower() in ("quit", "exit"):
            return None
        return line.strip() or default

    def _tell(self, text: str, style: str = "") -> None:
        shown = textwrap.fill(translate(text, self.language), output.width())
        output.data(output.paint(style, shown, sys.stdout) if style else shown)

    def _leave(self) -> int:
        output.note(translate(gettext("Nothing is written."), self.language))
        return 1
