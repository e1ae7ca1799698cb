"""The form that writes a rules file."""

from typing import Annotated, Any, Literal

from pydantic import Field

from cadogan.web.models.base import MOST_NAME, Model, RequestBody

MOST_ANSWERS = 100

ChoiceKey = Annotated[str, Field(max_length=60, examples=["stock"])]
Answer = Annotated[str, Field(max_length=MOST_NAME, examples=["waste"])]


class FormOption(Model):
    """One of several answers."""

    value: str
    label: str


class FormBar(Model):
    """Answers to an earlier choice with which another one has no meaning."""

    choice: str
    answers: list[str]


class FormChoice(Model):
    """A question of the form. All answers are texts; those of a switch are "yes" and "no"."""

    key: str
    label: str
    help: str
    kind: Literal["text", "number", "numbers", "option", "switch"] = Field(
        description="`numbers` is one number, or one for each pile, separated by spaces."
    )
    default: str
    options: list[FormOption]
    least: int
    most: int
    unless: list[FormBar] = Field(description="The choice applies unless one of these holds.")


class FormSection(Model):
    """Choices under a heading."""

    key: str
    label: str
    choices: list[FormChoice]


class FormAnswers(RequestBody):
    """Answers by the keys of their choices; those that are left out have their defaults."""

    answers: dict[ChoiceKey, Answer] = Field(max_length=MOST_ANSWERS)


class FormMisfit(Model):
    """Why some answers cannot be used."""

    choices: list[str] = Field(description="The keys of the choices that do not fit together.")
    text: str


class WrittenRules(Model):
    """A rules file without errors, or the reasons why the answers give none."""

    text: str | None
    misfits: list[FormMisfit]


class Vocabulary(Model):
    """What an editor can offer while a rules file is written."""

    json_schema: dict[str, Any] = Field(description="The JSON Schema of a rules file.")
    groups: list[str] = Field(description="Names of groups, the most frequent first.")
    phrases: dict[str, list[str]] = Field(
        description="By key, phrases of the games of the catalogue, the most frequent first."
    )
    piles: list[str] = Field(description="The keys whose value can be the name of a group.")
