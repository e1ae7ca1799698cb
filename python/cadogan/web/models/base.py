"""What all models share."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

MOST_NAME = 200
MOST_TEXT = 256 * 1024
"""The largest number of characters of a rules file or a game file."""

CardText = Annotated[str, Field(pattern=r"^([A23456789TJQK][CDHS]|\*|-)$", examples=["9H", "*"])]
PileName = Annotated[str, Field(max_length=100, examples=["garden.3"])]
Name = Annotated[str, Field(min_length=1, max_length=MOST_NAME, examples=["klondike:draw-three"])]
TableId = Annotated[str, Field(pattern=r"^[a-z0-9]{16}$", examples=["k3v9x2m8q1w7e5r4"])]


def whole(value: object) -> object:
    """Converts a JSON number to an integer: in JSON Schema, ``302.0`` is one, too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Version = Annotated[
    int,
    Field(ge=0, le=2**31 - 1, description="The version of the table that the player saw."),
    BeforeValidator(whole),
]
NodeNumber = Annotated[int, Field(ge=0, le=2**31 - 1), BeforeValidator(whole)]
Role = Literal["foundation", "tableau", "reserve", "cell", "stock", "waste", "hand", "discard"]
Outcome = Literal["won", "lost", "over"]
VerdictMode = Literal["thoughtful", "none"]


class Model(BaseModel):
    """The base of all models."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    @classmethod
    def of_fields(cls, **fields: Any) -> Self:
        """A model with fields that need no check; a third of the time of ``model_construct``.

        Args:
            fields: The values of all fields, also of those with a default.
        """
        if len(fields) != len(cls.__pydantic_fields__):
            raise TypeError(f"not all fields of {cls.__name__} are given")
        model = cls.__new__(cls)
        for name, value in (
            ("__dict__", fields), ("__pydantic_fields_set__", set(fields)),
            ("__pydantic_extra__", None), ("__pydantic_private__", None),
        ):  # fmt: skip
            object.__setattr__(model, name, value)
        return model


class RequestBody(Model):
    """The base of all models of requests. They are strict: ``0`` is not ``false``."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, strict=True)


class Message(Model):
    """A text for a person, in the language of the request.

    ``key`` names the kind of message and does not change with the language.
    """

    key: str
    text: str
