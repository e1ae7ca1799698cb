"""The public API as lines of text: ``python -m tests.api`` records it in ``tests/api.txt``.

What is public stands in ``docs/api.md``: a table of names, and the attributes that the page
mentions. Sources are read, not imported.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import griffe

from tests.documents import ROOT

MANUAL = ROOT / "docs" / "api.md"
RECORD = ROOT / "tests" / "api.txt"


@dataclass(frozen=True)
class Manual:
    """What the manual says of the names in classes.

    Attributes:
        named: The words that it marks as code.
        called: The classes that it calls.
    """

    named: frozenset[str]
    called: frozenset[str]

    @classmethod
    def read(cls) -> "Manual":
        text = MANUAL.read_text(encoding="utf-8")
        marked = " ".join(re.findall(r"`([^`\n]+)`", text))
        called = re.findall(r"\b([A-Z]\w+)\(", text)
        return cls(frozenset(re.findall(r"\w+", marked)), frozenset(called))


def public_names() -> dict[str, list[str]]:
    """The public names of each module, as the manual lists them; none stands for ``__all__``."""
    section = MANUAL.read_text(encoding="utf-8").partition("## What is public")[2]
    rows = re.findall(r"^\| `(cadogan[\w.]*)` \| (.*) \|$", section, re.MULTILINE)
    return {module: re.findall(r"`(\w+)`", names) for module, names in rows}


def api() -> list[str]:
    """The public API, a line for each name with its types and defaults."""
    package = griffe.load("cadogan", search_paths=[ROOT / "python"], docstring_parser=None)
    manual = Manual.read()
    found: list[str] = []
    for path, listed in public_names().items():
        module = package[path.partition(".")[2]] if "." in path else package
        for name in listed or [str(each) for each in module.exports or ()]:
            found += _described(f"{path}.{name}", module[name], manual)
    return sorted(set(found))


def _described(path: str, named: griffe.Object | griffe.Alias, manual: Manual) -> Iterator[str]:
    found = named.final_target if isinstance(named, griffe.Alias) else named
    if isinstance(found, griffe.Function):
        yield f"{path}{_signature(found)}"
    elif isinstance(found, griffe.Attribute):
        yield f"{path}: {found.annotation}" if found.annotation is not None else path
    elif isinstance(found, griffe.TypeAlias):
        yield f"{path} = {found.value}"
    elif isinstance(found, griffe.Class):
        yield from _class(path, found, manual)
    else:
        raise TypeError(f"{path} is {found.kind}; name what is in it")


def _class(path: str, found: griffe.Class, manual: Manual) -> Iterator[str]:
    bases = ", ".join(map(str, found.bases))
    yield f"class {path}({bases})" if bases else f"class {path}"
    # A constructor is public if the manual shows a call; other objects are made by functions.
    if found.name in manual.called and "__init__" in found.all_members:
        init = cast("griffe.Function", found.all_members["__init__"])
        yield f"{path}{_signature(init).removesuffix(' -> None')}"
    for name, member in found.all_members.items():
        if name in manual.named:
            yield from _described(f"{path}.{name}", member, manual)


def _signature(function: griffe.Function) -> str:
    parts: list[str] = []
    before: griffe.ParameterKind | None = None
    kinds = griffe.ParameterKind
    for each in function.parameters:
        if before is kinds.positional_only and each.kind is not kinds.positional_only:
            parts.append("/")
        if each.kind is kinds.keyword_only and before not in (
            kinds.keyword_only,
            kinds.var_positional,
        ):
            parts.append("*")
        star = {kinds.var_positional: "*", kinds.var_keyword: "**"}.get(each.kind, "")
        text = f"{star}{each.name}"
        if each.annotation is not None:
            text += f": {each.annotation}"
        if each.default is not None and not star:
            text += f" = {each.default}" if each.annotation is not None else f"={each.default}"
        parts.append(text)
        before = each.kind
    if before is kinds.positional_only:
        parts.append("/")
    returns = f" -> {function.returns}" if function.returns is not None else ""
    return f"({', '.join(parts)}){returns}"


if __name__ == "__main__":
    RECORD.write_text("".join(f"{line}\n" for line in api()), encoding="utf-8")
