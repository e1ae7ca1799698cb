"""The fixtures of the web tests: a server without a socket, with its own data folder."""

from tests.web.conftest import client, state

__all__ = ["client", "state"]
