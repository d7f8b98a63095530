"""The page and the viewer, built from `web/`, in a browser."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "src/mien/serve/page"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the page and `viewer.js`, built from `web/` as it is now."""
    shell = shutil.which("sh")
    if shell is None:
        pytest.skip("no shell here: the page can not be built")
    script = [shell, "scripts/web.sh"]
    with FileLock(tmp_path_factory.getbasetemp().parent / "page.lock"):  # other workers build it too
        done = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    if "not built" in done.stdout or not (BUILT / "index.html").is_file():
        pytest.skip(done.stdout.strip() or "the page is not built")
    return BUILT


@pytest.fixture(scope="session")
def told(
    built: Path, browse: Callable[[Path], Any], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Path, str], Any]:
    """Return what a page's script posts, shown beside `viewer.js` and a file, `head.glb`."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(built, folder, dirs_exist_ok=True)

    def run(file: Path, page: str) -> Any:
        shutil.copy(file, folder / "head.glb")
        (folder / "page.html").write_text(page, "utf-8")
        return browse(folder)

    return run
