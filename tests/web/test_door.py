"""The page that asks for the token."""

from html.parser import HTMLParser

import pytest

from cadogan.i18n.text import translate
from cadogan.web.door import TITLE, WRONG, door


class Seen(HTMLParser):
    """The tags and the texts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data.strip())


def seen(language: str, tried: bool) -> Seen:
    page = Seen()
    page.feed(bytes(door(language, tried).body).decode())
    return page


@pytest.mark.parametrize("language", ["en", "de"])
def test_it_speaks_the_language_asked_for(language: str) -> None:
    page = seen(language, tried=False)
    assert ("html", {"lang": language}) in page.tags
    assert translate(TITLE, language) in page.texts
    assert translate(WRONG, language) not in page.texts
    assert translate(WRONG, language) in seen(language, tried=True).texts


def test_it_has_a_form_for_the_token_and_no_script() -> None:
    page = seen("en", tried=True)
    (field,) = [found for tag, found in page.tags if tag == "input"]
    assert (field["name"], field["type"]) == ("token", "password")
    assert field["aria-label"]
    assert "script" not in {tag for tag, _ in page.tags}
    answer = door("en", tried=False)
    assert answer.status_code == 403
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
