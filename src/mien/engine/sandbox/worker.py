"""A child process that stays: it answers one question after another, and is replaced when one kills it."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

from mien import blas
from mien.engine.sandbox.call import MAX_ANSWER, UNKNOWN_FORM, Outcome, clean, death

_MODULE = "mien.engine.sandbox.serve"
_LIFE_S = 3_600.0  # processor time of one child


class Worker:
    """Asks one task of `serve.TASKS` about files; not for several threads at once.

    `memory_bytes`: address space of the child; `file_bytes`: the largest file that it may write.
    """

    def __init__(self, task: str, *, memory_bytes: int, file_bytes: int = MAX_ANSWER) -> None:
        self._first = {
            "task": task,
            "memory_bytes": memory_bytes,
            "file_bytes": file_bytes,
            "time_s": _LIFE_S,
        }
        self._child: subprocess.Popen[bytes] | None = None
        self._is_new = False  # whether it has yet to hear what its task is
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, path: Path, *, time_s: float, **options: Any) -> Outcome:
        """Return the task's answer about a file; the child's death of any kind is a `failure`."""
        child = self._child or self._started()
        try:
            if self._is_new:
                self._send(child, self._first)
                self._is_new = False
            self._send(child, {"path": str(path.absolute()), **options})
            line = self._lines.get(timeout=time_s)
        except queue.Empty:
            self.close()
            return Outcome(failure=f"it was stopped after {time_s:g} s")
        except OSError:
            line = b""
        if not line:
            code = child.wait()
            self.close()
            return Outcome(failure=death(code) if code else UNKNOWN_FORM)
        try:
            return Outcome(answer=clean(json.loads(line[:MAX_ANSWER])))
        except (ValueError, RecursionError):
            self.close()  # what else it wrote would be taken for the next answer
            return Outcome(failure=UNKNOWN_FORM)

    def close(self) -> None:
        """End the child."""
        if self._child is None:
            return
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            assert pipe is not None
            try:
                pipe.close()
            except BrokenPipeError:  # a question that it did not read any more
                continue
        self._child = None

    def _started(self) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", _MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **dict.fromkeys(blas.VARIABLES, "1")},
        )
        self._child, self._lines = child, queue.SimpleQueue()
        threading.Thread(target=_pump, args=(child, self._lines), daemon=True).start()
        self._is_new = True
        return child

    @staticmethod
    def _send(child: subprocess.Popen[bytes], question: dict[str, Any]) -> None:
        assert child.stdin is not None
        child.stdin.write(json.dumps(question).encode() + b"\n")
        child.stdin.flush()


def _pump(child: subprocess.Popen[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    """Pass the child's lines on; an empty one says that it ended.

    A child that writes on while an answer still lies there was asked nothing: it is ended, before what it
    writes fills the memory.
    """
    assert child.stdout is not None
    try:
        while line := child.stdout.readline(MAX_ANSWER + 1):
            if not lines.empty():
                child.kill()
                break
            lines.put(line)
    except (OSError, ValueError):  # closed by `close`
        return
    lines.put(b"")
