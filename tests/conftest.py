"""A real browser for tests of pages, and one hypothesis profile for all tests."""

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
from hypothesis import settings

settings.register_profile("mien", deadline=None)  # a loaded machine is no failure
settings.load_profile("mien")

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader", "--disable-background-networking", "--remote-debugging-port=0",
)  # fmt: skip
PATIENCE_S = 150

Browse = Callable[[Path], Any]


@pytest.fixture(scope="session")
def browse() -> Browse:
    """Show `page.html` of a folder in Chromium; returns the JSON that its script posts to `/told`."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium on this machine: this test needs a browser")
    return functools.partial(_browse, found)


def _browse(browser: str, folder: Path) -> Any:
    told: queue.Queue[bytes] = queue.Queue()

    class Server(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

        def do_POST(self) -> None:
            told.put(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()

    handler = functools.partial(Server, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/page.html"
        command = [browser, *FLAGS, f"--user-data-dir={folder / 'profile'}", address]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return json.loads(told.get(timeout=PATIENCE_S))
        finally:
            process.terminate()
            process.wait(30)
            server.shutdown()
