"""Settings of all tests: how much hypothesis tries, and how long a test may take.

``CADOGAN_THOROUGH=1 make test`` tries far more, and every time something else; without it a run
tries the same examples as the run before, so that a failure is the fault of a change.
"""

import os

import pytest
from hypothesis import settings

# Tests ask the compiler, not what it made before; and they leave no traces in the user's folders.
os.environ["CADOGAN_NO_CACHE"] = "1"

THOROUGH = os.environ.get("CADOGAN_THOROUGH") == "1"

settings.register_profile("quick", max_examples=50, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=1000, deadline=None, print_blob=True)
settings.load_profile("thorough" if THOROUGH else "quick")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Gives thorough tests more time than the limit in ``pyproject.toml``."""
    if THOROUGH:
        for item in items:
            if item.get_closest_marker("timeout") is None:
                item.add_marker(pytest.mark.timeout(1800))
