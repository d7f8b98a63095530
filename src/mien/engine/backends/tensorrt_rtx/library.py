"""The closed library: found, imported where it may crash, and what it says collected."""

from __future__ import annotations

import importlib
import re
from importlib import metadata
from types import ModuleType
from typing import Any, Final

from mien.engine.backends.report import Report
from mien.errors import MissingError

RTX: Final = "tensorrt-rtx"
# Name → its module, the package that is asked for its version, and how to get it.
LIBRARIES: Final = {
    RTX: (
        "tensorrt_rtx_bindings",
        "tensorrt_rtx_cu13_bindings",
        "pip install 'mien[tensorrt-rtx]' (Linux, Windows)",
    ),
    "tensorrt": (
        "tensorrt",
        "tensorrt",
        "pip install tensorrt, on a machine with the GPU that will run the plan",
    ),
}
_ERROR_CODE: Final = re.compile(r"Error Code (\d+): ([A-Za-z ]+) \((.*)\)", re.DOTALL)
_ECHO: Final = re.compile(r"^(ModelImporter\.cpp|\(deserializeOnnxModel\)|\[checkMacros)|node of |--- ")


def version(name: str = RTX) -> str:
    """Return the version that is installed, without importing it; raises `MissingError`."""
    _, package, install = LIBRARIES[name]
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        raise MissingError(f"{name} is not installed; run: {install}") from None


def library(name: str = RTX) -> ModuleType:
    """Import the library: in a child process only."""
    return importlib.import_module(LIBRARIES[name][0])


def listener(rtx: ModuleType) -> Any:
    """Return a logger for the library whose `errors` are the texts of all that went wrong."""

    class Listener(rtx.ILogger):  # type: ignore[misc, name-defined]  # the library ships no types
        def __init__(self) -> None:
            rtx.ILogger.__init__(self)
            self.errors: list[str] = []

        def log(self, severity: Any, message: str) -> None:
            if severity <= rtx.ILogger.Severity.ERROR:
                self.errors.append(message)

    return Listener()


def from_parser(parser: Any) -> list[Report]:
    """Return what the parser found, node by node."""
    found = []
    for place in range(parser.num_errors):
        error = parser.get_error(place)
        code = str(error.code()).removeprefix("ErrorCode.")
        node, operator = error.node_name(), error.node_operator()
        found.append(Report("parse", code, _told(error), error.node(), node, operator))
    return found


def _told(error: Any) -> str:
    """Return the parser's words, with the check that failed where they are only `false`."""
    words = _plain(error.desc())
    if error.func() == "importInput":
        return f"input {error.file()}: {words}"
    return words if len(words) > len("false") else f"{error.func()}: {words}"


def from_log(stage: str, lines: list[str]) -> list[Report]:
    """Return what the log tells of errors; the echo of a missing driver behind each of them is left out."""
    found = []
    for line in lines:
        if _ECHO.search(line):
            continue
        match = _ERROR_CODE.search(line)
        code = f"Error Code {match[1]}" if match else "ERROR"
        found.append(Report(stage, code, _plain(line)))
    return found


def _plain(message: str) -> str:
    """Return a message as one line, without the complaint about a missing GPU that follows each error."""
    lines = [line for line in message.splitlines() if not line.startswith("[checkMacros")]
    return " ".join(" ".join(lines).split())
