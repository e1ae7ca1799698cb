"""The stage ``expand``: replaces roles and phrases by the core rules that they stand for.

``[garden] role = "tableau", build = "down"`` stands for a rule that moves cards onto the garden;
``redeals = 2`` for a counter, a condition and a script. The expansion works on plain tables, so
that authors can see its result (``cadogan expand GAME``) and later stages need not know roles. The
result is itself a rules file with ``core = true``; expanding it again changes nothing.

:mod:`cadogan.rules.expand.roles` has the meaning of each role. Every core rule records the key that
it comes from, so that later faults point at what the author wrote.
"""

from dataclasses import replace
from typing import Any

from cadogan.i18n.text import gettext
from cadogan.rules.expand.dealing import pick_steps
from cadogan.rules.expand.roles import BUILDERS, Draft
from cadogan.rules.faults.report import Report, nearest, one_of
from cadogan.rules.rulebook.counter import SHUFFLES
from cadogan.rules.rulebook.group import ROLES
from cadogan.rules.source.reading import Reading
from cadogan.rules.source.span import Path
from cadogan.rules.validate.role_keys import (
    CORE_KEYS,
    ORDER_KEYS,
    PLACE_KEYS,
    ROLE_KEYS,
    ROLE_NAMES,
    role_of,
)
from cadogan.rules.validate.schema import HEADER_KEYS, MAX_PILES, group_names

_POINTS = ("points", "points for moves")
_POINTS_LOST = ("points-lost", "points taken off for moves")
_WRITTEN = ("rule", "layout")
"""Tables that the expansion copies unchanged."""


def expand(reading: Reading, report: Report) -> Reading:
    """Replaces roles and phrases by core rules.

    Args:
        reading: A validated document.
        report: Receives the faults. It can then map core rules to places in the file.

    Returns:
        Core rules. Groups without a role are not in the data, but listed separately.
    """
    expansion = _Expansion(reading.data, report)
    report.redirect(expansion.back)
    return replace(reading, data=expansion.core, roleless=expansion.roleless)


def _place_of_points(rule: dict[str, Any], index: int) -> dict[Path, Path]:
    """Where the points of a rule are written, if a counter says how many."""
    if not isinstance(rule.get("points"), str):
        return {}
    return {("add", _POINTS[0]): ("rule", index, "points")}


class _Expansion:
    """Expands one document.

    Attributes:
        core: The core rules.
        roleless: The groups without a role.
    """

    core: dict[str, Any]
    roleless: tuple[str, ...]

    def __init__(self, data: dict[str, Any], report: Report) -> None:
        self.data = data
        self.report = report
        self._origins: dict[Path, Path] = {}
        names = group_names(data)
        roles = {
            name: None if report.is_faulty(name, "role") else role_of(name, data[name])
            for name in names
        }
        self._draft = Draft(
            groups={name: data[name] for name in names},
            roles={name: role for name, role in roles.items() if role is not None},
            report=report,
            written="layout" in data,
            counters={
                name: dict(counter)
                for name, counter in data.get("counters", {}).items()
                if isinstance(counter, dict)
            },
        )
        self.core = {
            key: data[key]
            for key in HEADER_KEYS
            if key in data and key not in ("rule", "layout", "counters")
        }
        self.roleless = tuple(name for name in names if name not in self._draft.roles)
        for name in self.roleless:
            if not report.is_faulty(name, "role"):
                self._missing_role(name)
        self._expand(names)

    def back(self, path: Path) -> Path:
        """Maps a path in ``core`` to one in the document."""
        for length in range(len(path), 0, -1):
            if (found := self._origins.get(path[:length])) is not None:
                return (*found, *path[length:]) if length > 2 or found[0] in _WRITTEN else found
        return path

    def _missing_role(self, name: str) -> None:
        others = [*self._draft.roles, *ROLE_NAMES]
        guess = nearest(name, others)
        roles = one_of(f'"{role}"' for role in ROLES)
        self.report.error(
            "missing-role",
            (name,),
            gettext('the group "{name}" has no role', name=name),
            key=True,
            hint=gettext('did you mean "{guess}"? else add role: {roles}', guess=guess, roles=roles)
            if guess
            else gettext("add role: {roles}", roles=roles),
        )

    def _expand(self, names: list[str]) -> None:
        draft = self._draft
        piles = sum(draft.groups[name].get("piles", 1) for name in names)
        if piles > MAX_PILES:
            self.report.error(
                "too-many",
                (names[-1],),
                gettext(
                    "a table has at most {most} piles, not {piles}", most=MAX_PILES, piles=piles
                ),
                key=True,
            )
            for name in names:
                self.report.mark_faulty((name, "piles"))
            draft.dealt = 1 << 20
        core = bool(self.data.get("core"))
        for key in self.data:
            if key in draft.roles:
                self._group(key, core=core)
            elif key == "rule":
                # Rules are inserted where the first of them is written among the groups.
                draft.rules += [
                    (self._scored(rule, index), ("rule", index), _place_of_points(rule, index))
                    for index, rule in enumerate(self.data["rule"])
                    if rule is not None
                ]
        self._finish(core=core)

    def _scored(self, rule: dict[str, Any], index: int) -> dict[str, Any]:
        """A rule that has no points of its own any more, but a counter for them."""
        points = rule.get("points")
        if points is None:
            return rule
        if "score" not in self.data:
            if not self.report.is_faulty("score"):
                self.report.error(
                    "key-does-not-fit",
                    ("rule", index, "points"),
                    gettext("a rule has points, but the game is not scored"),
                    key=True,
                    hint=gettext('add [score] with aim = "most"'),
                )
        elif points:
            is_lost = isinstance(points, int) and points < 0
            name, why = _POINTS_LOST if is_lost else _POINTS
            self._draft.counters.setdefault(name, {"why": why})
            score = self.core["score"]
            counted = score.get("counters", {}) | {name: -1 if is_lost else 1}
            self.core["score"] = score | {"counters": counted}
            if isinstance(points, int):
                points = abs(points)
            # The points come last: they are what other counters say after the rule.
            rule = rule | {"add": {**rule.get("add", {}), name: points}}
        return {key: value for key, value in rule.items() if key != "points"}

    def _group(self, name: str, *, core: bool) -> None:
        role, group = self._draft.roles[name], self._draft.groups[name]
        known = ROLE_KEYS[role]
        if core:
            known = (
                *CORE_KEYS,
                *(key for key in PLACE_KEYS if key in known),
                *(ORDER_KEYS if role == "foundation" else ()),
            )
        for key in group:
            if key not in known:
                self._strange_key(name, key, role, known, core=core)
        group_core: dict[str, Any] = {"role": role, "piles": group.get("piles", 1)}
        group_core |= {
            key: group[key]
            for key in (*CORE_KEYS, *PLACE_KEYS)
            if key in group and key in known and key not in group_core
        }
        if role == "foundation" and group.get("takes", "cards") == "cards":
            group_core |= {key: group[key] for key in ORDER_KEYS if key in group}
        if "shown" not in group_core and role in ("stock", "waste"):
            group_core["shown"] = "none" if role == "stock" else "top"
        self.core[name] = {
            key: group_core[key]
            for key in (*CORE_KEYS, *PLACE_KEYS, *ORDER_KEYS)
            if key in group_core
        }
        if not core:
            draft = self._draft
            picks = pick_steps(name, draft.groups[name], draft.source, self.report)
            if picks is not None:
                self.core[name].pop("start")
                draft.picks += picks
            BUILDERS[role](draft, name)

    def _strange_key(
        self, name: str, key: str, role: str, known: tuple[str, ...], *, core: bool
    ) -> None:
        roles = one_of(role for role, keys in ROLE_KEYS.items() if key in keys)
        others = gettext('"{key}" is a key of a {roles}', key=key, roles=roles)
        guess = nearest(key, known)
        if guess in self._draft.groups[name]:
            guess = None
        elif guess:
            self.report.mark_faulty((name, guess))
        self.report.error(
            "key-of-another-role",
            (name, key),
            gettext('a {role} has no key "{key}" in a file of core rules', role=role, key=key)
            if core
            else gettext('a {role} has no key "{key}"', role=role, key=key),
            key=True,
            hint=gettext('did you mean "{guess}"?', guess=guess) if guess else others,
        )

    def _finish(self, *, core: bool) -> None:
        draft = self._draft
        draft.steps[:0] = draft.picks
        if "layout" in self.data:
            if draft.steps:
                home = draft.steps[0][1]
                self.report.error(
                    "two-layouts",
                    home,
                    gettext('"{home}" is dealt here, but the layout is written out', home=home[0]),
                    key=True,
                    hint=gettext("put all dealing into [[layout]], or none"),
                    also=[(("layout", 0), gettext("the layout"))],
                )
            draft.steps = [
                (step, ("layout", index))
                for index, step in enumerate(self.data["layout"])
                if step is not None
            ]
        settle = any(
            rule.get("forced") and rule.get("during") in ("layout", "always")
            for rule, _, _ in draft.rules
        )
        if settle and not core and "layout" not in self.data:
            draft.steps = [
                pair for step in draft.steps for pair in (step, ({"settle": True}, step[1]))
            ]
        scripts = (rule.get("steps") for rule, _, _ in draft.rules)
        steps = [step for step, _ in draft.steps]
        steps += [step for script in scripts for step in script or () if step is not None]
        if any("shuffle" in step for step in steps):
            draft.counters.setdefault(SHUFFLES, {"why": "times cards have been shuffled"})
        if draft.counters:
            self.core["counters"] = draft.counters
        if "aim" not in self.core:
            self.core["aim"] = self._aim()
            if not self.report.is_faulty("aim"):
                self._origins["aim",] = next(
                    ((name,) for name in draft.of_role("foundation")), ("name",)
                )
        self.core["layout"] = [step for step, _ in draft.steps]
        for index, (step, home) in enumerate(draft.steps):
            self._origins["layout", index] = home
            if home[0] != "layout":
                for key in ("apart", "goes_up", "replaced"):
                    if key in step:
                        self._origins["layout", index, key] = (home[0], key)
        self.core["rule"] = [rule for rule, _, _ in draft.rules]
        for index, (_, home, places) in enumerate(draft.rules):
            self._origins["rule", index] = home
            for part, place in places.items():
                self._origins["rule", index, *part] = place
        self.core["core"] = True

    def _aim(self) -> list[str]:
        """The default aim, from the foundations of the game, unless points decide."""
        aims: list[str] = []
        if "won_from" in (self.core.get("score") or {}):
            return aims
        for name in self._draft.of_role("foundation"):
            group = self._draft.groups[name]
            ordered = any(
                key in group or self.report.is_faulty(name, key) for key in ("build", "order")
            )
            if group.get("takes", "cards") != "cards" or not ordered:
                aims.append(f"no {name} is vacant")
            else:
                aims.append(f"{name} {'is' if group.get('piles', 1) == 1 else 'are'} complete")
        return aims
