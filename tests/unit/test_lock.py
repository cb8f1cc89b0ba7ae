"""The lock file of CI: every package that is asked for, with versions and checksums."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]


def locked() -> dict[str, set[Version]]:
    """Versions by name; some packages have others for other systems."""
    found: dict[str, set[Version]] = {}
    for name, version in re.findall(r"^([\w.-]+)==([^\s;\\]+)", _text(), re.MULTILINE):
        found.setdefault(canonicalize_name(name), set()).add(Version(version))
    return found


def _text() -> str:
    return (ROOT / "requirements" / "ci.txt").read_text(encoding="utf-8")


def wanted() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    waiting, found = (
        [*project["project"]["dependencies"], *extras["dev"], *project["build-system"]["requires"]],
        [],
    )
    for text in waiting:
        requirement = Requirement(text)
        if requirement.name == "plait":
            waiting += [each for extra in requirement.extras for each in extras[extra]]
        else:
            found.append(requirement)
    tools = (ROOT / "requirements" / "tools.in").read_text(encoding="utf-8").splitlines()
    return [*found, *(Requirement(line) for line in tools if line and line[0] != "#")]


def test_all_that_is_asked_for_is_locked() -> None:
    versions = locked()
    for requirement in wanted():
        found = versions.get(canonicalize_name(requirement.name), set())
        assert any(requirement.specifier.contains(version) for version in found), requirement


def test_every_package_has_checksums() -> None:
    entries = re.split(r"^(?=[\w.-]+==)", _text(), flags=re.MULTILINE)[1:]
    assert len(entries) > 100
    assert [entry for entry in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}", entry)] == []


def test_no_package_that_is_required_has_machine_code_alone() -> None:
    """What runs the bindings is linked in."""
    assert "nanobind-backend" not in locked()
