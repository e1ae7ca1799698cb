"""Whether a server is alive and ready."""

from typing import Literal

from cadogan.web.models.base import Model


class Health(Model):
    """The state of the server."""

    status: Literal["alive", "ready"]
