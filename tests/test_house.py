"""Every module has a test of its name: ``cadogan/table/token.py``, ``tests/table/test_token.py``.

So the tests of a module are easy to find. A module that is tested elsewhere is listed below with
the file that tests it. Add to the list only what has no behaviour of its own.
"""

from typing import Final

from tests.documents import ROOT

SOURCES: Final = ROOT / "python" / "cadogan"
TESTS: Final = ROOT / "tests"

FOLDERS: Final = {
    "certificates/interpreter": "certificates/test_interpreter.py compares it with the kernel",
    "rules": "the stages have goldens, and faults, phrases and explanations a table of examples",
    "table/migrations": "tests/table/test_store.py runs them",
    "web/models": "tests/web/test_openapi.py and test_schema.py compare them with what is served",
}
"""Folders whose modules are tested together, and how."""

ELSEWHERE: Final = {
    "certificates/dead_ends": "certificates/test_arguments.py",
    "certificates/file": "certificates/test_checker.py",
    "certificates/game": "certificates/test_arguments.py",
    "certificates/interchange": "certificates/test_arguments.py",
    "certificates/locks": "certificates/test_arguments.py",
    "certificates/relaxations": "certificates/test_arguments.py",
    "certificates/safe_play": "certificates/test_arguments.py",
    "certificates/tables": "certificates/test_interpreter.py",
    "cli/__main__": "cli/test_process.py",
    "cli/ask": "cli/test_new.py",
    "cli/choose": "cli/test_deal.py",
    "cli/failures": "cli/test_bad_input.py",
    "cli/help": "cli/test_process.py",
    "cli/backup": "table/test_backup.py",
    "cli/rescue": "table/test_rescue.py",
    "cli/serve": "cli/test_table.py",
    "deals/errors": "deals/test_names.py",
    "deals/scheme": "deals/test_schemes.py",
    "move_text": "test_notation.py",
    "pictures/cards": "pictures/test_board.py",
    "pictures/html": "pictures/test_board.py",
    "pictures/png": "web/test_pictures.py",
    "solver/certificate": "certificates/test_arguments.py",
    "study/card": "study/test_dataset.py",
    "study/errors": "study/test_plan.py",
    "study/executors": "study/test_run.py",
    "study/summary": "study/test_report.py",
    "study/worker": "study/test_processes.py",
    "table/at_once": "table/test_store.py",
    "table/counted": "table/test_challenges.py",
    "table/engines": "table/test_store.py",
    "table/game_file": "table/test_store.py",
    "table/library": "attacks/test_rules_files.py",
    "table/pages": "table/test_rescue.py",
    "table/schema": "table/test_store.py",
    "table/service": "table/test_store.py",
    "table/trials": "attacks/test_rules_files.py",
    "table/writer": "attacks/test_disk.py",
    "web/accounts": "web/test_roles.py",
    "web/admission": "attacks/test_held_up.py",
    "web/app": "web/test_tables.py",
    "web/events": "web/test_tables.py",
    "web/logs": "web/test_running.py",
    "web/metrics": "web/test_health.py",
    "web/player": "web/test_games.py",
    "web/problems": "web/test_schema.py",
    "web/protocol": "attacks/test_connections.py",
    "web/readiness": "web/test_health.py",
    "web/replays": "web/test_tables.py",
    "web/serialize": "web/test_tables.py",
    "web/serve": "web/test_kill.py",
    "web/state": "web/test_tables.py",
    "web/watch": "web/test_running.py",
    "widget": "pictures/test_widget.py",
}
"""Modules that are tested through others, and where."""


def modules() -> list[str]:
    """The modules outside the folders above, by their paths without ``.py``."""
    paths = (path.relative_to(SOURCES).with_suffix("") for path in SOURCES.rglob("*.py"))
    names = (path.as_posix() for path in paths if path.name != "__init__")
    return sorted(name for name in names if not name.startswith(tuple(f"{at}/" for at in FOLDERS)))


def has_test(module: str) -> bool:
    folder, _, name = module.rpartition("/")
    return (TESTS / folder / f"test_{name}.py").is_file()


def test_every_module_has_a_test_of_its_name() -> None:
    assert [module for module in modules() if not has_test(module)] == sorted(ELSEWHERE)


def test_what_is_said_to_test_a_module_is_there() -> None:
    for place in ELSEWHERE.values():
        path = TESTS / place
        assert "def test_" in path.read_text(encoding="utf-8"), path
    for folder in FOLDERS:
        assert (SOURCES / folder).is_dir()
