"""The keys of each role, and how a group declares its role."""

from typing import Any

from cadogan.rules.rulebook.group import ROLES

CORE_KEYS = ("role", "piles", "mark", "shown", "start")
"""Keys of any group that core rules need."""
PLACE_KEYS = ("covered", "open", "holds")
"""Keys of tableaux and reserves that core rules need."""
ORDER_KEYS = ("base", "order", "build", "suits", "misplaced")
"""Keys of foundations that core rules need."""
_COMMON = (*CORE_KEYS, "deal", "deal_down", "dealt", "apart", "to_bottom", "goes_up", "replaced")
ROLE_KEYS: dict[str, tuple[str, ...]] = {
    "foundation": (
        *(*_COMMON, *ORDER_KEYS, "takes", "from", "along", "plays", "choose", "prefer"),
        *("worrying_back", "worrying_back_when", "when", "which", "beside"),
    ),
    "tableau": (
        *(*_COMMON, *PLACE_KEYS, "build", "moves", "space", "beside", "from", "along"),
        *("refill", "choose", "closes", "when", "uncovers", "longest"),
    ),
    "reserve": (*_COMMON, *PLACE_KEYS, "moves", "refill", "choose", "closes"),
    "cell": (*_COMMON, "from", "when", "which"),
    "stock": (*_COMMON, "deals", "deals_when", "passes_over", "redeals", "shuffled"),
    "waste": (*_COMMON, "build", "from", "when"),
    "hand": (*_COMMON, "lays_off"),
    "discard": _COMMON,
}
"""The keys of each role."""


ROLE_NAMES: dict[str, str] = {
    **{str(role): role for role in ROLES},
    **{f"{role}s": role for role in ROLES},
    "tableaux": "tableau",
}
"""Names of groups that imply their role."""


def role_of(name: str, group: dict[str, Any]) -> str | None:
    """The role of a group: from its key, or else from its name.

    >>> role_of("cells", {}), role_of("garden", {"role": "tableau"}), role_of("garden", {})
    ('cell', 'tableau', None)
    """
    role = group.get("role")
    return role if isinstance(role, str) and role in ROLE_KEYS else ROLE_NAMES.get(name)
