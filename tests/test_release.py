"""What a release is made of, and what its maker is shown when something is not in order."""

import json
import re
import subprocess
import tomllib
import zipfile
from importlib import metadata, util
from pathlib import Path

import jsonschema
import pytest
import yaml

from release import __main__ as program
from release import build, check, state
from release.steps import ProblemError, run
from tests.documents import ROOT

CHANGES = """\
# Changelog

## [Unreleased]

## [1.2.0] - 2030-01-02

### Added

- Something.
"""


def test_the_version_is_written_in_one_place() -> None:
    version = state.version_of(ROOT)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert ("version" in project, project["dynamic"]) == (False, ["version"])
    crates = list((ROOT / "crates").glob("*/Cargo.toml"))
    assert len(crates) == 2
    for crate in crates:
        assert tomllib.loads(crate.read_text())["package"]["version"] == {"workspace": True}
    assert "version" not in json.loads((ROOT / "web/package.json").read_text())
    assert "version" not in json.loads((ROOT / "web/package-lock.json").read_text())
    assert metadata.version("cadogan") == version
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == version


def test_the_citation_is_in_the_citation_file_format() -> None:
    # The schema is of citation-file-format 1.2.0 (CC-BY-4.0), unchanged.
    schema = json.loads((ROOT / "tests/citation.schema.json").read_text())
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    jsonschema.Draft7Validator(schema).validate(citation)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert citation["license"] == project["license"]
    assert [each["name"] for each in citation["authors"]] == [
        each["name"] for each in project["authors"]
    ]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(schema).validate({**citation, "license": "my own"})


def test_the_changelog_is_in_the_usual_form() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    sections = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert sections[0] == "[Unreleased]"
    assert all(state.SECTION.fullmatch(f"## {each}") for each in sections)
    kinds = set(re.findall(r"^### (.*)$", text, re.MULTILINE))
    assert kinds
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A small repository of version 1.2.0, ready to be released."""
    (tmp_path / "Cargo.toml").write_text('[workspace.package]\nversion = "1.2.0"\n')
    (tmp_path / "CITATION.cff").write_text("version: 1.2.0\ndate-released: 2030-01-02\n")
    (tmp_path / "CHANGELOG.md").write_text(CHANGES)
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "All"]):
        git(tmp_path, *words)
    return tmp_path


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    run(["git", "-C", folder, *who, *words])


def change(folder: Path, name: str, old: str, new: str) -> None:
    """Changes a file and commits it."""
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new))
    git(folder, "commit", "--quiet", "-am", "Change a file")


def test_sources_in_order(sources: Path) -> None:
    found = state.inspect(sources, draft=False)
    assert (found.version, found.open_ends) == ("1.2.0", ())
    assert found.epoch > 1_700_000_000


def test_a_dirty_tree_is_refused_and_noted_in_a_draft(sources: Path) -> None:
    (sources / "new.txt").write_text("")
    with pytest.raises(ProblemError, match="1 files are not committed: new.txt") as caught:
        state.inspect(sources, draft=False)
    assert "make release ARGS=--draft" in caught.value.hint
    assert state.inspect(sources, draft=True).open_ends == ("1 files are not committed: new.txt",)


def test_sources_without_git_are_noted(sources: Path) -> None:
    for path in sorted((sources / ".git").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    (sources / ".git").rmdir()
    (note,) = state.inspect(sources, draft=False).open_ends
    assert "not in a git repository" in note


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        ("CITATION.cff", "1.2.0", "1.1.0", "CITATION.cff is of version 1.1.0, Cargo.toml of 1.2"),
        ("CITATION.cff", "01-02", "01-03", "2030-01-02, CITATION.cff dates it 2030-01-03"),
        ("CITATION.cff", "date-released", "message", "CITATION.cff dates it never"),
        ("CHANGELOG.md", " - 2030-01-02", "", "does not say when 1.2.0 was released"),
        (
            "CHANGELOG.md", "## [1.2", "## [1.3.0] - 2030-02-01\n\n## [1.2",
            "the newest version in CHANGELOG.md is 1.3.0",
        ),
    ],
)  # fmt: skip
def test_contradictions_are_refused(
    sources: Path, name: str, old: str, new: str, problem: str
) -> None:
    change(sources, name, old, new)
    with pytest.raises(ProblemError, match=re.escape(problem)):
        state.inspect(sources, draft=True)


def test_a_version_is_released_once(sources: Path) -> None:
    git(sources, "tag", "v1.2.0")
    assert state.inspect(sources, draft=False).open_ends == ()
    git(sources, "commit", "--quiet", "--allow-empty", "-m", "Another")
    with pytest.raises(ProblemError, match="version 1.2.0 is released already"):
        state.inspect(sources, draft=False)


def test_changes_that_are_not_released_yet_are_noted(sources: Path) -> None:
    change(sources, "CHANGELOG.md", "## [1.2.0] - 2030-01-02\n", "")
    (note,) = state.inspect(sources, draft=False).open_ends
    assert note == "CHANGELOG.md has no section for 1.2.0 yet; its changes are under Unreleased"


def test_a_missing_zig_is_explained(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    (tmp_path / "kept.txt").write_text("")
    assert program.main(["--draft", "--out", str(tmp_path)]) == 1
    error, hint = capsys.readouterr().err.splitlines()
    assert error.startswith("error: wheels are linked with zig")
    assert "requirements-release.lock" in hint
    assert (tmp_path / "kept.txt").exists()


def test_a_machine_that_rust_cannot_build_for_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(util, "find_spec", lambda name: object())
    host = re.search(r"host: (.*)", run(["rustc", "-vV"]))
    assert host is not None
    monkeypatch.setattr(build, "TARGETS", {"here": host[1], "abacus": "abacus-unknown-beads"})
    tools = build.tools()
    assert tools.machines == ("here",)
    assert tools.missing == (
        "no wheel for abacus: Rust cannot build for it; rustup target add abacus-unknown-beads",
    )
    monkeypatch.setattr(build, "TARGETS", {"abacus": "abacus-unknown-beads"})
    with pytest.raises(ProblemError, match="no wheel for abacus"):
        build.tools()


def test_a_tool_that_fails_is_quoted(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="No such file|cannot be run"):
        run([tmp_path / "no-such-tool"])
    with pytest.raises(ProblemError, match="not a git repository"):
        run(["git", "-C", tmp_path, "log"])


@pytest.fixture(scope="module")
def bill(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A bill of materials of these sources, with a page."""
    folder = tmp_path_factory.mktemp("packed")
    page = [{"name": "@a/b", "version": "1.0.0", "license": "MIT", "texts": ["Free."]}]
    (folder / "page.json").write_text(json.dumps(page))
    code = (
        "import sys; sys.path.insert(0, 'build_backend'); import packed, pathlib;"
        f"place = pathlib.Path({str(folder)!r}); packed.PAGE = place / 'page.json';"
        "packed.FOLDER = place; packed.SBOM = place / 'bill.json';"
        "packed.LICENCES = place / 'licences.txt'; packed.write_packed(1_700_000_000)"
    )
    run(["python", "-c", code])
    return (folder / "bill.json").read_text()


def test_the_bill_of_materials_is_valid_and_complete(bill: str) -> None:
    check.check_bill(bill)
    data = json.loads(bill)
    components = {each["name"]: each for each in data["components"]}
    assert {"pyo3", "serde", "rust-std", "@a/b"} <= set(components)
    assert components["@a/b"]["purl"] == "pkg:npm/%40a/b@1.0.0"
    assert len(components["pyo3"]["hashes"][0]["content"]) == 64
    # What serves only tests and builds is not packed.
    assert not {"proptest", "pyo3-build-config", "serde_derive", "cadogan-kernel"} & set(components)
    references = {each["bom-ref"] for each in data["components"]}
    own, *others = data["dependencies"]
    assert {each["ref"] for each in others} == references
    assert all(set(each["dependsOn"]) <= references for each in (own, *others))
    assert data["metadata"]["timestamp"] == "2023-11-14T22:13:20+00:00"


def test_a_bill_of_materials_that_is_not_valid_is_refused(bill: str) -> None:
    with pytest.raises(ProblemError, match="is not valid"):
        check.check_bill(bill.replace('"specVersion"', '"spec"'))
    with pytest.raises(ProblemError, match="names no pkg:npm/"):
        check.check_bill(bill.replace("pkg:npm/", "pkg:generic/"))


def wheel(folder: Path, files: dict[str, str]) -> Path:
    place = folder / "cadogan-1.2.0-cp311-abi3-manylinux_2_17_x86_64.whl"
    with zipfile.ZipFile(place, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return place


def test_a_wheel_that_lacks_something_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=r"lacks .*cadogan/"):
        check.check_contents(wheel(tmp_path, {"cadogan/py.typed": ""}))


def test_a_wheel_that_names_a_folder_of_this_machine_is_refused(
    tmp_path: Path, bill: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "_wanted", lambda file: set())
    files = {"cadogan-1.2.0.dist-info/sboms/cadogan.cdx.json": bill}
    check.check_contents(wheel(tmp_path, files))
    with pytest.raises(ProblemError, match="a folder of this machine"):
        check.check_contents(wheel(tmp_path, {**files, "a.so": f"\0{ROOT}/crates/a.rs\0"}))


def test_a_wheel_that_needs_a_newer_system_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = 'is consistent with the following\nplatform tag: "manylinux_2_34_x86_64".'
    monkeypatch.setattr(check, "python", lambda *words: shown)
    with pytest.raises(ProblemError, match="needs manylinux_2_34_x86_64"):
        check.check_tag(wheel(tmp_path, {}))
    monkeypatch.setattr(check, "python", lambda *words: shown.replace("2_34", "2_17"))
    check.check_tag(wheel(tmp_path, {}))


def test_the_pythons_of_this_machine_are_found() -> None:
    found = check.pythons()
    for (major, minor), place in found.items():
        assert (major, minor) >= (3, 11)
        said = subprocess.run([place, "--version"], capture_output=True, text=True, check=True)
        assert said.stdout.startswith(f"Python {major}.{minor}.")
    assert found


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_a_release_is_built_and_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for tool in ("ziglang", "twine", "auditwheel", "cyclonedx_py"):
        if util.find_spec(tool) is None:
            pytest.skip("what builds a release is not installed (make release)")
    # How quick the kernel is does not matter here, and compiling takes half of the time.
    monkeypatch.setenv("CARGO_PROFILE_RELEASE_LTO", "off")
    monkeypatch.setenv("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
    monkeypatch.setenv("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
    status = program.main(["--draft", "--out", str(tmp_path / "dist")])
    said = capsys.readouterr()
    assert (status, said.err) == (0, ""), f"{said.err[-1500:]}\n{said.out[-1500:]}"
    version = state.version_of(ROOT)
    names = {path.name for path in (tmp_path / "dist").iterdir()}
    sums = (tmp_path / "dist/SHA256SUMS").read_text().splitlines()
    assert {line.split("  ")[1] for line in sums} == {
        name for name in names if name.endswith((".whl", ".tar.gz"))
    }
    assert f"cadogan-{version}.tar.gz" in names
    for major, minor in check.pythons():
        assert f"cadogan-{version}-python{major}.{minor}.cdx.json" in names
        assert f"Python {major}.{minor}" in said.out
