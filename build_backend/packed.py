"""Lists what is packed into a wheel beside our own work, with all licences.

That is: the crates that are linked into the kernel, the standard library of Rust, the font of
pictures, and the packages that Vite put into the page. Python packages that Cadogan depends on are
not packed.

Two files come of it, and both are in the wheel's ``.dist-info``: a bill of materials in the form of
CycloneDX, in ``sboms/`` (PEP 770), and the texts of all licences, in ``licenses/`` (PEP 639). The
same sources give the same bytes.
"""

import json
import os
import subprocess
import tomllib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "packed"
SBOM = FOLDER / "cadogan.cdx.json"
LICENCES = FOLDER / "THIRD_PARTY_LICENSES.txt"
PAGE = ROOT / "python/cadogan/web/dist/third-party.json"
KERNEL = "cadogan-python"
RULE = "=" * 100


@dataclass(frozen=True)
class Package:
    """A package of which something is in the wheel."""

    purl: str
    name: str
    version: str
    license: str
    texts: tuple[str, ...]
    sha256: str | None = None
    needs: tuple[str, ...] = field(default=())


def write_packed(epoch: int | None) -> None:
    """Writes both files.

    Args:
        epoch: The time to state in the bill of materials, in seconds; None states none.
    """
    version, crates, direct = _crates()
    page = _page()
    others = [_standard_library(), _font(), *page]
    packages = sorted([*crates, *others], key=lambda each: each.purl)
    direct += [each.purl for each in others]
    FOLDER.mkdir(exist_ok=True)
    text = json.dumps(bill(version, packages, direct, epoch), indent=2, ensure_ascii=False)
    SBOM.write_text(f"{text}\n", encoding="utf-8")
    LICENCES.write_text(licences(packages), encoding="utf-8")


def bill(
    version: str, packages: list[Package], direct: list[str], epoch: int | None
) -> dict[str, object]:
    """The bill of materials of a version of Cadogan, as CycloneDX 1.6."""
    own = f"pkg:pypi/cadogan@{version}"
    about: dict[str, object] = {
        "component": {
            "type": "application",
            "bom-ref": own,
            "name": "cadogan",
            "version": version,
            "licenses": [{"license": {"id": "MIT"}}],
            "purl": own,
        }
    }
    if epoch is not None:
        about["timestamp"] = datetime.fromtimestamp(epoch, UTC).isoformat()
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": about,
        "components": [_component(each) for each in packages],
        "dependencies": [
            {"ref": own, "dependsOn": sorted(direct)},
            *({"ref": each.purl, "dependsOn": sorted(each.needs)} for each in packages),
        ],
    }


def _component(package: Package) -> dict[str, object]:
    found: dict[str, object] = {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "licenses": [{"expression": package.license}],
        "purl": package.purl,
    }
    if package.sha256 is not None:
        found["hashes"] = [{"alg": "SHA-256", "content": package.sha256}]
    return found


def licences(packages: list[Package]) -> str:
    """The texts of all licences, each text once."""
    users: dict[str, list[Package]] = {}
    for each in packages:
        for text in each.texts:
            users.setdefault(text.replace("\r\n", "\n").strip(), []).append(each)
    parts = ["Parts of these packages are in the kernel, the pictures and the page of Cadogan."]
    for text, names in users.items():
        head = [f"{each.name} {each.version} ({each.license})" for each in names]
        parts.append("\n".join([RULE, *head, RULE, "", text]))
    return "\n\n".join(parts) + "\n"


def _crates() -> tuple[str, list[Package], list[str]]:
    """Our version, the crates that are linked into the kernel, and those that we use directly."""
    target = os.environ.get("CARGO_BUILD_TARGET") or _rustc("host")
    done = subprocess.run(
        ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise SystemExit(f"cargo cannot list the crates of the kernel:\n{done.stderr.strip()}")
    reply = json.loads(done.stdout)
    about = {each["id"]: each for each in reply["packages"]}
    needs = {node["id"]: _linked(node, about) for node in reply["resolve"]["nodes"]}
    (kernel,) = (key for key, each in about.items() if each["name"] == KERNEL)
    sums = _checksums()
    reached, left = {kernel}, [kernel]
    while left:
        new = set(needs[left.pop()]) - reached
        reached |= new
        left += new
    # Our own crates have no source; what they need, Cadogan needs directly.
    own = {key for key in reached if about[key]["source"] is None}
    packages = []
    for key in reached - own:
        each = about[key]
        identity = (each["name"], each["version"])
        inner = tuple(_crate_purl(about[other]) for other in needs[key])
        folder = Path(each["manifest_path"]).parent
        packages.append(
            Package(
                _crate_purl(each), *identity, each["license"].replace("/", " OR "),
                _texts(folder), sums[identity], inner,
            )
        )  # fmt: skip
    direct = {_crate_purl(about[other]) for key in own for other in needs[key] if other not in own}
    return about[kernel]["version"], packages, sorted(direct)


def _linked(node: dict, about: dict) -> list[str]:
    """The crates that a crate is linked with: no build scripts, tests or macros."""
    return [
        each["pkg"]
        for each in node["deps"]
        if any(kind["kind"] is None for kind in each["dep_kinds"])
        and not any("proc-macro" in target["kind"] for target in about[each["pkg"]]["targets"])
    ]


def _crate_purl(crate: dict) -> str:
    return f"pkg:cargo/{crate['name']}@{crate['version']}"


def _checksums() -> dict[tuple[str, str], str]:
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    return {
        (each["name"], each["version"]): each["checksum"] for each in locked if "checksum" in each
    }


def _texts(folder: Path) -> tuple[str, ...]:
    """The texts of a crate's licence; where the crate offers a choice, that of the MIT licence."""
    names = ("license", "licence", "copying", "unlicense", "notice")
    files = sorted(
        path for path in folder.iterdir() if path.is_file() and path.name.lower().startswith(names)
    )
    chosen = [path for path in files if "mit" in path.name.lower()] or files
    if not chosen:
        raise SystemExit(f"{folder.name} contains no text of its licence")
    return tuple(path.read_text(encoding="utf-8") for path in chosen)


def _standard_library() -> Package:
    """The standard library of Rust, which is linked into every program in Rust."""
    version = _rustc("release")
    return Package(
        f"pkg:generic/rust-std@{version}", "rust-std", version, "MIT OR Apache-2.0",
        (f"Copyright (c) The Rust Project Contributors\n\n{MIT}",),
    )  # fmt: skip


def _font() -> Package:
    """The font of pictures to share."""
    text = (ROOT / "python/cadogan/pictures/fonts/LICENSE.txt").read_text(encoding="utf-8")
    name, version = "dejavu-fonts", "2.37"
    return Package(f"pkg:generic/{name}@{version}", name, version, "Bitstream-Vera", (text,))


def _rustc(fact: str) -> str:
    """What the compiler reports of itself."""
    done = subprocess.run(["rustc", "-vV"], cwd=ROOT, capture_output=True, text=True, check=True)
    return dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)[fact]


def _page() -> list[Package]:
    """The packages in the page, as its build has listed them."""
    if not PAGE.exists():
        return []
    return [
        Package(
            f"pkg:npm/{quote(each['name'], safe='/')}@{each['version']}",
            each["name"], each["version"], each["license"], tuple(each["texts"]),
        )
        for each in json.loads(PAGE.read_text(encoding="utf-8"))
    ]  # fmt: skip


MIT = (ROOT / "LICENSE").read_text(encoding="utf-8").partition("\n\n")[2].partition("\n\n")[2]
