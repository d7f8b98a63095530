"""Drives a real, headless Chromium through its DevTools protocol."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
    "--disable-component-update", "--remote-debugging-port=0", "--disable-dev-shm-usage",
)  # fmt: skip
PATIENCE_S = 60


class Page:
    """One tab."""

    def __init__(self, socket: Any) -> None:
        self._socket, self._count, self._session = socket, 0, ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.complaints: list[str] = []

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._socket.send(json.dumps(message))
        while True:
            told = json.loads(self._socket.recv(timeout=PATIENCE_S))
            if told.get("method") == "Runtime.exceptionThrown":
                self.complaints.append(str(told["params"]["exceptionDetails"]))
            if told.get("method") == "Log.entryAdded" and told["params"]["entry"]["level"] == "error":
                self.complaints.append(told["params"]["entry"]["text"])
            if told.get("id") == self._count:
                assert "error" not in told, told["error"]
                return told["result"]

    def run(self, script: str) -> Any:
        """Return the value of an expression, awaited when it is a promise."""
        told = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def until(self, condition: str) -> Any:
        """Wait, frame by frame in the page, for an expression to be true."""
        return self.run(
            f"""new Promise((resolve, reject) => {{
              const end = performance.now() + {PATIENCE_S * 900};
              const look = () => {{
                const value = ({condition});
                if (value) resolve(value);
                else if (performance.now() > end) reject(new Error("waited in vain: " + document.body.innerText));
                else setTimeout(look, 15);
              }};
              look();
            }})"""
        )

    def screenshot(self, file: Path, width: int, height: int, *, dark: bool = False) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


@contextmanager
def page(profile: Path) -> Iterator[Page]:
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium on this machine: the page needs a browser")
    command = [found, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        lines = (
            line.rpartition(" on ")[2].strip() for line in process.stderr if "DevTools listening" in line
        )
        with connect(next(lines), max_size=None) as socket:
            yield Page(socket)
    finally:
        process.terminate()
        process.wait(30)
        assert process.stderr is not None
        process.stderr.close()
