"""Other people's readers of glTF, from npm, where they can be had."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from filelock import FileLock

PACKAGES = ("gltf-validator@2.0.0-dev.3.10", "three@0.187.0", "@pixiv/three-vrm@3.5.5")


@pytest.fixture(scope="session")
def node_modules(request: pytest.FixtureRequest) -> Path:
    """The folder of the npm packages, installed once into pytest's cache."""
    npm = shutil.which("npm")
    if not (shutil.which("node") and npm):
        pytest.skip("node and npm are not installed: readers of glTF made by others need them")
    if request.config.cache is None:
        pytest.skip("pytest runs without its cache folder, where the npm packages are put")
    folder = Path(request.config.cache.mkdir("gltf-readers"))
    with FileLock(folder / "lock"):  # other workers install them too
        return _installed(folder, npm)


def _installed(folder: Path, npm: str) -> Path:
    modules = folder / "node_modules"
    if not (modules / "@pixiv" / "three-vrm").is_dir():
        (folder / "package.json").write_text('{"private": true}', "utf-8")
        command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES]
        try:
            subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            pytest.skip("npm could not install the readers of glTF (no network?)")
    return modules
