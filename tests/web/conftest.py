"""The viewer, built from `web/`, and a browser that shows it."""

from __future__ import annotations

import functools
import http.server
import json
import queue
import shutil
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader", "--disable-background-networking", "--remote-debugging-port=0",
)  # fmt: skip
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
def told(viewer: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path, str], Any]:
    """Return what a page's script posts to `/told`, shown in Chromium beside `viewer.js` and a file."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium on this machine: the viewer needs a browser")
    browser = found
    folder = tmp_path_factory.mktemp("page")
    shutil.copy(viewer / "viewer.js", folder)

    def run(file: Path, page: str) -> Any:
        shutil.copy(file, folder / "head.glb")
        (folder / "page.html").write_text(page, "utf-8")
        answers: queue.Queue[bytes] = queue.Queue()

        class Server(http.server.SimpleHTTPRequestHandler):
            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

            def do_POST(self) -> None:
                answers.put(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(204)
                self.end_headers()

        handler = functools.partial(Server, directory=str(folder))
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{server.server_port}/page.html"
            command = [browser, *FLAGS, f"--user-data-dir={folder / 'profile'}", address]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                return json.loads(answers.get(timeout=150))
            finally:
                process.terminate()
                process.wait(30)
                server.shutdown()

    return run
