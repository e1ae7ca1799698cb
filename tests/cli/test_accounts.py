"""``cadogan accounts``."""

import json
import re

from tests.cli.conftest import Run

PASSWORD = "a long sentence\n"
LINK = re.compile(r"https://club\.example/#/invitation/[\w-]{43}\n")


def test_accounts_are_made_listed_and_removed(run: Run) -> None:
    assert run("accounts", "list").out == ""
    made = run("accounts", "add", "Ada", "--host", stdin=PASSWORD)
    assert (made.status, "Ada can log in as a host" in made.err) == (0, True)
    assert run("accounts", "add", "Bea", stdin=PASSWORD).status == 0
    listed = json.loads(run("accounts", "list", "--json").out)
    assert [(each["name"], each["role"]) for each in listed] == [("Ada", "host"), ("Bea", "player")]
    assert run("accounts", "list").out.startswith("Ada\thost\t20")
    assert run("accounts", "remove", "bea").status == 0
    assert "Bea" not in run("accounts", "list").out


def test_links_are_made_for_a_new_player_and_for_a_new_password(run: Run) -> None:
    run("accounts", "add", "Ada", "--host", stdin=PASSWORD)
    at = "--at", "https://club.example/"
    assert LINK.fullmatch(run("accounts", "invite", "--note", "Bea", *at).out)
    assert LINK.fullmatch(run("accounts", "password", "ada", *at).out)


def test_what_cannot_be_done_is_explained(run: Run) -> None:
    run("accounts", "add", "Ada", "--host", stdin=PASSWORD)
    for words, stdin, why in (
        (("add", "ada"), PASSWORD, "somebody else has the name"),
        (("add", "Bea"), "short\n", "10 to 200 characters"),
        (("remove", "Ada"), "", "one player at least must be a host"),
        (("remove", "Bea"), "", "nobody has the name Bea"),
        (("invite", "--days", "0"), "", "0 days are not possible"),
        (("list", "--database", "nonsense"), "", "the address of the database is invalid"),
    ):
        result = run("accounts", *words, stdin=stdin)
        assert (result.status, why in result.err) == (2, True), result.err


def test_a_server_has_a_token_or_accounts(run: Run) -> None:
    result = run("serve", "--accounts", "--no-token", "--no-browser")
    assert (result.status, "with accounts there is no token" in result.err) == (2, True)
