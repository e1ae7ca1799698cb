"""Builds the site of documents: ``python docs/site/build.py build/site``.

Sphinx reads one folder, so the documents are first copied into one, beside a page for every public
module. Any warning, such as a link that leads nowhere, is an error.
"""

import importlib
import inspect
import pkgutil
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
# The table of games is made of what is in bench and tests.
sys.path.insert(0, str(ROOT))

from games import write_games  # noqa: E402

import cadogan  # noqa: E402

CONTENTS = {
    "Play": ["docs/games", "docs/tour", "docs/table", "docs/hosting", "docs/threat-model"],
    "Write rules": [
        "docs/writing",
        "docs/language",
        "docs/lady-cadogan",
        "docs/coverage",
        "docs/glossary",
    ],
    "Deal, solve and measure": [
        "docs/deals",
        "docs/solver",
        "docs/certificates",
        "docs/studies",
        "docs/scale",
        "docs/data",
        "docs/winnability",
        "docs/won-lines",
    ],
    "Program": ["docs/api", "docs/notebook", "docs/environment", "api/index", "docs/kernel"],
    "Contribute": ["CONTRIBUTING", "docs/releasing", "bench/README", "CHANGELOG", "docs/index"],
}
"""The sections of the navigation, and the documents in each."""

COPIED = (
    "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "CITATION.cff", "bench/README.md",
)  # fmt: skip
"""Files that are not in ``docs``."""

SCHEMA = "python/cadogan/catalogue/cadogan.schema.json"
"""The JSON Schema of rules files; it is also at the top of the site."""

PRIVATE = {"cli", "demo", "interrupts", "migrations", "web"}
"""Modules for programs to run, not to import."""


def public_modules() -> Iterator[str]:
    """The modules that have a page."""
    yield "cadogan"
    for found in pkgutil.walk_packages(cadogan.__path__, "cadogan."):
        parts = found.name.split(".")
        if PRIVATE.isdisjoint(parts) and not any(part.startswith("_") for part in parts):
            yield found.name


def stage(place: Path) -> None:
    """Copies the documents, and writes the pages of modules and the navigation."""
    shutil.copytree(ROOT / "docs", place / "docs", ignore=shutil.ignore_patterns("site"))
    (place / "bench").mkdir()
    (place / SCHEMA).parent.mkdir(parents=True)
    for name in (*COPIED, SCHEMA):
        shutil.copyfile(ROOT / name, place / name)
    trees = [_tree(heading, pages) for heading, pages in CONTENTS.items()]
    with (place / "README.md").open("a", encoding="utf-8") as file:
        file.write("\n" + "\n".join(trees))
    # The folder of this script is on the path when it runs.
    write_games(place / "games")
    modules = list(public_modules())
    (place / "api").mkdir()
    (place / "api" / "index.md").write_text(
        "# Modules\n\nEvery public module, from its docstrings. "
        "[The Python package](../docs/api.md) is the guide.\n\n"
        + _tree("", _children("", modules), hidden=False),
        encoding="utf-8",
    )
    for name in modules:
        page = _page(name, _children(name, modules))
        (place / "api" / f"{name}.rst").write_text(page, encoding="utf-8")


def _tree(heading: str, pages: list[str], *, hidden: bool = True) -> str:
    options = [f":caption: {heading}"] * bool(heading) + [":hidden:"] * hidden
    return "\n".join(["```{toctree}", *options, "", *pages, "```", ""])


def _children(package: str, modules: list[str]) -> list[str]:
    """The modules right under a package other than the first; under that they are on the index."""
    if not package:
        return [name for name in modules if name.count(".") <= 1]
    return [name for name in modules if package.count(".") and name.rpartition(".")[0] == package]


def _page(name: str, children: list[str]) -> str:
    """A module's classes and functions, without those that a package above exports."""
    module = importlib.import_module(name)
    names = list(getattr(module, "__all__", ())) or [
        key
        for key, value in vars(module).items()
        if not key.startswith("_") and getattr(value, "__module__", None) == name
    ]
    parts = name.split(".")
    for count in range(1, len(parts)):
        package = importlib.import_module(".".join(parts[:count]))
        names = [each for each in names if each not in getattr(package, "__all__", ())]
    lines = [name, "=" * len(name), "", f".. automodule:: {name}", ""]
    for each in names:
        value = getattr(module, each)
        if inspect.isclass(value):
            kind = "exception" if issubclass(value, BaseException) else "class"
            lines += [f".. auto{kind}:: {name}.{each}", "   :members:", "   :show-inheritance:", ""]
        elif callable(value):
            lines += [f".. autofunction:: {name}.{each}", ""]
    if children:
        lines += [
            ".. toctree::",
            "   :caption: Modules",
            "",
            *(f"   {each}" for each in children),
            "",
        ]
    return "\n".join(lines)


def main(target: Path) -> int:
    """Builds the site into a folder."""
    from sphinx.cmd.build import main as sphinx

    work = target.with_name(f"{target.name}-work")
    for folder in (target, work):
        shutil.rmtree(folder, ignore_errors=True)
    stage(work)
    conf = str(Path(__file__).parent)
    status = sphinx(["-q", "-W", "--keep-going", "-j", "2", "-c", conf, str(work), str(target)])
    if status == 0:
        shutil.copyfile(target / "README.html", target / "index.html")
        shutil.copyfile(ROOT / SCHEMA, target / Path(SCHEMA).name)
    shutil.rmtree(work)
    return int(status)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
