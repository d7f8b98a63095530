"""`make setup` installs what `pyproject.toml` asks for: everything in it is pinned."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
LARGE = ("torch",)  # several GB with its CUDA libraries: who needs it installs it


def name(requirement: str) -> str:
    """Return a requirement's name as indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", requirement)[0]).lower()


def wanted() -> set[str]:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project = table["project"]
    extras = {extra: each for extra, each in project["optional-dependencies"].items() if extra not in LARGE}
    groups = [*extras.values(), *table["dependency-groups"].values()]
    return {name(each) for group in (project["dependencies"], *groups) for each in group} - {"mien"}


def test_every_direct_dependency_is_pinned_by_hash():
    blocks = re.split(r"\n(?=\S)", (ROOT / "requirements.lock").read_text("utf-8"))
    pinned = {name(block) for block in blocks if "==" in block and "--hash=sha256:" in block}
    assert wanted() - pinned == set()


def test_every_direct_dependency_is_documented():
    rows = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    documented = {name(found) for found in re.findall(r"^\| `([\w.-]+)`", rows, re.M)}
    assert wanted() - documented == set()
