"""The subscribers of tables."""

from cadogan.web.subscriptions import MOST_AT_A_TABLE, MOST_OF_A_CLIENT, Subscriptions


def ignore(text: str) -> None:
    """Hears nothing."""


def test_everybody_at_a_table_hears_it_in_his_language() -> None:
    subscriptions = Subscriptions()
    english: list[str] = []
    german: list[str] = []
    other: list[str] = []
    assert subscriptions.add("a", "en", english.append)
    assert subscriptions.add("a", "de", german.append)
    assert subscriptions.add("b", "en", other.append)
    rendered: list[str] = []

    def text(language: str) -> str:
        rendered.append(language)
        return f"news in {language}"

    subscriptions.publish("a", text)
    assert (english, german, other) == (["news in en"], ["news in de"], [])
    # Each language is rendered once, however many listen.
    assert sorted(rendered) == ["de", "en"]


def test_nobody_hears_what_he_has_left() -> None:
    subscriptions, heard = Subscriptions(), list[str]()
    send = heard.append
    subscriptions.add("a", "en", send)
    assert subscriptions.has_listeners("a")
    subscriptions.remove("a", send)
    subscriptions.remove("a", send)
    assert not subscriptions.has_listeners("a")
    subscriptions.publish("a", lambda language: "news")
    assert heard == []


def test_a_table_has_room_for_so_many() -> None:
    subscriptions = Subscriptions()
    for number in range(MOST_AT_A_TABLE):
        assert subscriptions.add("a", "en", ignore, f"client {number}")
    assert not subscriptions.add("a", "en", ignore, "one more")
    assert subscriptions.add("b", "en", ignore, "one more")


def test_a_client_has_so_many_and_gets_room_again() -> None:
    subscriptions = Subscriptions()
    sends = [lambda text, number=number: None for number in range(MOST_OF_A_CLIENT)]
    for number, send in enumerate(sends):
        assert subscriptions.add(f"table {number}", "en", send, "client")
    assert not subscriptions.add("another", "en", ignore, "client")
    assert subscriptions.add("another", "en", ignore, "another client")
    subscriptions.remove("table 0", sends[0])
    assert subscriptions.add("another", "en", ignore, "client")
