"""The fixtures of the web tests: a server without a socket, with a data folder of its own."""

from tests.web.conftest import client, state

__all__ = ["client", "state"]
