"""A real Chromium, driven through its DevTools protocol."""

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
        self._events: list[dict[str, Any]] = []
        self.complaints: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._socket.send(json.dumps(message))
        while (told := self._next()).get("id") != self._count:
            self._events.append(told)
        assert "error" not in told, told["error"]
        return told["result"]

    def _next(self) -> dict[str, Any]:
        told = json.loads(self._socket.recv(timeout=PATIENCE_S))
        if told.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(str(told["params"]["exceptionDetails"]))
        if told.get("method") == "Log.entryAdded" and told["params"]["entry"]["level"] == "error":
            self.complaints.append(told["params"]["entry"]["text"])
        return told

    def heard(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Wait for an event with these parameters, unless it came already."""
        while True:
            told = self._events.pop(0) if self._events else self._next()
            if told.get("method") == method and parameters.items() <= told["params"].items():
                return told["params"]

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
                else if (performance.now() > end) reject(new Error("in vain: " + document.body.innerText));
                else setTimeout(look, 15);
              }};
              look();
            }})"""
        )

    def size(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        self.call("Emulation.setDeviceMetricsOverride", **size, deviceScaleFactor=1, mobile=False)

    def screenshot(self, file: Path, width: int, height: int, *, dark: bool = False) -> None:
        self.size(width, height)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def press(self, key: str, code: str, number: int, text: str = "", *, up: bool = True) -> None:
        """Press a key; with `up` False it is held."""
        told = {"key": key, "code": code, "windowsVirtualKeyCode": number}
        self.call("Input.dispatchKeyEvent", type="keyDown", **told, **({"text": text} if text else {}))
        if up:
            self.call("Input.dispatchKeyEvent", type="keyUp", **told)

    def click(self, selector: str) -> None:
        """Click in the middle of an element, as a person would."""
        x, y = self.run(
            f"(() => {{ const r = document.querySelector({selector!r}).getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


@contextmanager
def opened(profile: Path, *flags: str) -> Iterator[Page]:
    """Open a browser with one tab; skips where there is none."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium on this machine: the page needs a browser")
    command = [found, *FLAGS, *flags, f"--user-data-dir={profile}", "about:blank"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        connect = pytest.importorskip("websockets.sync.client").connect
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
