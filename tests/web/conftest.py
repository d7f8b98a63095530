"""The viewer, built from `web/`, in a browser."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SHADERS = "src/mien/avatar/render/shaders"
INSTALL = ("ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts")


@pytest.fixture(scope="session")
def viewer(request: pytest.FixtureRequest) -> Path:
    """The folder with `viewer.js`; built in pytest's cache, where what npm installs is kept."""
    npm = shutil.which("npm")
    if npm is None or request.config.cache is None:
        pytest.skip("no npm here, or no cache folder of pytest's: the viewer can not be built")
    folder = Path(request.config.cache.mkdir("web"))
    for name in ("web", SHADERS):
        shutil.copytree(
            ROOT / name,
            folder / name,
            dirs_exist_ok=True,
            ignore=shutil.ignore_patterns("node_modules", "dist"),
        )
    try:
        if not (folder / "web/node_modules/vite").is_dir():
            subprocess.run([npm, *INSTALL], cwd=folder / "web", check=True, capture_output=True, timeout=180)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip("npm could not install what builds the viewer (no network?)")
    done = subprocess.run(
        [npm, "run", "build"], cwd=folder / "web", capture_output=True, text=True, timeout=180
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "web/dist"


@pytest.fixture(scope="session")
def told(
    viewer: Path, browse: Callable[[Path], Any], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Path, str], Any]:
    """Return what a page's script posts, shown beside `viewer.js` and a file, `head.glb`."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copy(viewer / "viewer.js", folder)

    def run(file: Path, page: str) -> Any:
        shutil.copy(file, folder / "head.glb")
        (folder / "page.html").write_text(page, "utf-8")
        return browse(folder)

    return run
