"""The parent's side: start a child, wait no longer than allowed, take what it wrote.

The child limits itself with `setrlimit` before it opens the file (memory, processor time, size of what
it writes, no core dump). Windows has no such limits: there only the time is bounded.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from mien import blas

MAX_ANSWER = 16 << 20  # bytes
UNKNOWN_FORM = "it answered in no known form"
_MODULE = "mien.engine.sandbox.child"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a child: its `answer`, or why there is none in `failure` (`""` when there is one)."""

    answer: Any = None
    failure: str = ""


def call(task: str, path: Path, *, memory_bytes: int, time_s: float, **options: Any) -> Outcome:
    """Run one of the `child.TASKS` on a file in a child process.

    `options` go to the task as JSON. The child's death of any kind is an `Outcome` with a `failure`:
    this process lives on, and the child leaves no files.
    """
    request = {
        "task": task,
        "path": str(path.absolute()),
        "memory_bytes": memory_bytes,
        "time_s": time_s,
        "options": options,
    }
    with tempfile.TemporaryFile() as answer:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", _MODULE],
            stdin=subprocess.PIPE,
            stdout=answer,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **dict.fromkeys(blas.VARIABLES, "1")},
        )
        try:
            child.communicate(json.dumps(request).encode(), timeout=time_s)
        except subprocess.TimeoutExpired:
            return Outcome(failure=f"it was stopped after {time_s:g} s")
        finally:
            child.kill()
            child.wait()
        return _read(answer, child.returncode)


def _read(answer: IO[bytes], code: int) -> Outcome:
    if code:
        return Outcome(failure=death(code))
    answer.seek(0)
    data = answer.read(MAX_ANSWER + 1)
    try:
        return Outcome(answer=clean(json.loads(data[:MAX_ANSWER])))
    except (ValueError, RecursionError):
        return Outcome(failure=UNKNOWN_FORM)


def clean(value: Any) -> Any:
    """Return JSON without control characters: the child may have been taken over by its file."""
    if isinstance(value, str):
        return "".join(c if c.isprintable() else "�" for c in value)
    if isinstance(value, dict):
        return {clean(key): clean(inner) for key, inner in value.items()}
    return [clean(inner) for inner in value] if isinstance(value, list) else value


def death(code: int) -> str:
    """Return what an exit code says; a negative one is a signal."""
    from mien.engine.sandbox.child import OUT_OF_MEMORY

    if code == OUT_OF_MEMORY:
        return "it needed more memory than allowed"
    if code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        late = name in ("SIGXCPU", "SIGKILL")
        return f"it was stopped ({name})" if late else f"it crashed ({name})"
    return f"it failed (exit code {code})"
