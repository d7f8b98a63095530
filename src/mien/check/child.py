"""The child's side: try one probe after another, and tell of each as a line of JSON.

What libraries print goes to standard error, which the parent keeps as evidence. The child ends when its
parent does.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import threading
import time
import warnings
from dataclasses import asdict
from typing import IO, Any

from mien.check.place import Place
from mien.check.result import Result, failed
from mien.errors import MienError, MissingError


def main() -> None:
    """Read the request from the first line of standard input, and do it."""
    answers = _quiet()
    request = json.loads(sys.stdin.readline())
    threading.Thread(target=_watch, daemon=True).start()
    warnings.simplefilter("ignore")
    place = Place.from_json(request["place"])
    answers.write("\n")
    answers.flush()
    for where in request["probes"]:
        began = time.perf_counter()
        result = attempt(where, place)
        answers.write(json.dumps(asdict(result) | {"seconds": time.perf_counter() - began}) + "\n")
        answers.flush()


def attempt(where: str, place: Place) -> Result:
    """Return the result of the probe `module:function`; an error of any kind becomes one."""
    module, _, name = where.partition(":")
    try:
        result: Result = getattr(importlib.import_module(module), name)(place)
    except MissingError as error:
        what, _, remedy = str(error).rpartition("; run: ")
        return failed(what or str(error), remedy)
    except MienError as error:
        return failed(str(error), "")
    except ModuleNotFoundError as error:
        return failed(f"{error.name} is not installed", "pip install 'mien[all]'")
    except Exception as error:  # noqa: BLE001  # a probe meets whatever a broken library raises
        return failed(f"{type(error).__name__}: {_first_line(error)}", "", repr(error)[:400])
    return result


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:200] if lines else "it gave no reason"


def _quiet() -> IO[str]:
    """Return standard output, and let everything else that writes there write to standard error."""
    answers: IO[Any] = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def _watch() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    main()
    os._exit(0)  # no destructors of libraries: some crash there
