"""No link of the documents is broken: all files and headings exist."""

import re
from pathlib import Path

import pytest

from tests.test_docs import DOCUMENTS

_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\]\((?P<target>[^)#\s]*)(?:#(?P<anchor>[^)\s]+))?\)")
_HEADING = re.compile(r"^#{1,6} +(?P<text>.+?) *#*$", re.MULTILINE)


def links(document: Path) -> list[tuple[Path, str | None]]:
    """The files that a document links to, each with the heading."""
    text = _CODE.sub("", _BLOCK.sub("", document.read_text(encoding="utf-8")))
    return [
        (document.parent / match["target"] if match["target"] else document, match["anchor"])
        for match in _LINK.finditer(text)
        if "://" not in match["target"]
    ]


def anchors(document: Path) -> set[str]:
    """The names by which a viewer of Markdown knows the headings of a document."""
    text = _BLOCK.sub("", document.read_text(encoding="utf-8"))
    found: set[str] = set()
    for match in _HEADING.finditer(text):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", match["text"]).lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        number = next(number for number in range(99) if _numbered(name, number) not in found)
        found.add(_numbered(name, number))
    return found


def _numbered(name: str, number: int) -> str:
    return f"{name}-{number}" if number else name


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document: Path) -> None:
    lost = [
        f"{target.name}#{anchor}" if anchor else str(target)
        for target, anchor in links(document)
        if not target.exists() or (anchor is not None and anchor not in anchors(target))
    ]
    assert lost == []


def test_a_lost_link_is_found(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text(
        "# The `stock`, and more\n## Twice\n## Twice\n[a](#the-stock-and-more) [b](#twice-1)\n"
        "[c](page.md#twice) `[d](none.md)` [e](https://example.org/none)\n"
    )
    test_every_link_leads_somewhere(document)
    for lost in ("[a](#twice-2)", "[a](none.md)", "[a](page.md#none)"):
        document.write_text(f"# Page\n## Twice\n## Twice\n{lost}\n")
        with pytest.raises(AssertionError):
            test_every_link_leads_somewhere(document)
