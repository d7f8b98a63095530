"""The parent's side: probes in child processes, a few at once, none longer than its limit."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from typing import IO, Any, Final

from mien.check.place import HERE, Place
from mien.check.result import Finding, Status
from mien.check.table import PROBES, Probe
from mien.engine.sandbox.call import clean, death

_START_S: Final = 10.0  # for a child to be there, on a loaded machine
_EVIDENCE: Final = 400  # characters
Tell = Callable[[Finding], None]


def run(
    place: Place = HERE,
    probes: Sequence[Probe] = PROBES,
    *,
    at_once: int = 2,
    patience: float | None = None,
    tell: Tell = lambda _: None,
) -> list[Finding]:
    """Try probes and return what each found, in their order; `tell` hears of each as it ends, in any thread.

    Probes with the same `process` share a child, one after the other. A child that crashes, hangs or says
    nothing costs one failed finding; another one goes on behind it. `patience`: how many times its limit a
    probe gets, more by itself on a machine that is busy.
    """
    groups: dict[str, list[Probe]] = {}
    for probe in probes:
        groups.setdefault(probe.process, []).append(probe)
    children = _Children(busy() if patience is None else patience)
    found: dict[str, Finding] = {}
    with ThreadPoolExecutor(at_once, thread_name_prefix="mien-check") as pool:
        tasks = [pool.submit(_batch, place, group, children, tell) for group in _by_time(groups.values())]
        try:
            for task in as_completed(tasks):
                found.update((finding.name, finding) for finding in task.result())
        except BaseException:
            children.end()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [found[probe.name] for probe in probes]


def _by_time(groups: Iterable[list[Probe]]) -> list[list[Probe]]:
    """Return the groups that may take longest first."""
    return sorted(groups, key=lambda group: -max(probe.limit_s for probe in group))


def busy() -> float:
    """Return how many processes there are for each core that want to run, from 1 to 8."""
    try:
        load = os.getloadavg()[0]
    except (OSError, AttributeError):  # Windows has none
        return 1.0
    return min(max(load / (os.cpu_count() or 1), 1.0), 8.0)


class _Children:
    """The children that run now; `patience`: how many times its limit a probe gets."""

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self._lock = threading.Lock()
        self._now: set[subprocess.Popen[bytes]] = set()
        self._ended = False

    def start(self, errors: IO[bytes]) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._ended:
                raise KeyboardInterrupt
            child = subprocess.Popen(
                [sys.executable, "-P", "-m", "mien.check.child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                process_group=0 if os.name == "posix" else None,
            )
            self._now.add(child)
        return child

    def stop(self, child: subprocess.Popen[bytes]) -> None:
        kill(child)
        with self._lock:
            self._now.discard(child)

    def end(self) -> None:
        with self._lock:
            self._ended = True
            for child in self._now:
                kill(child)


def kill(child: subprocess.Popen[bytes]) -> None:
    """End a child and what it started."""
    if os.name == "posix":
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            child.kill()
    else:
        child.kill()
    child.wait()


def _batch(place: Place, probes: Sequence[Probe], children: _Children, tell: Tell) -> list[Finding]:
    found: list[Finding] = []
    while len(found) < len(probes):
        for finding in _child(place, probes[len(found) :], children):
            tell(finding)
            found.append(finding)
    return found


def _child(place: Place, probes: Sequence[Probe], children: _Children) -> Iterable[Finding]:
    """Yield the findings of one child, up to the first probe that ends it."""
    with tempfile.TemporaryFile() as errors:
        child = children.start(errors)
        try:
            lines = _asked(child, place, probes)
            try:
                lines.get(timeout=_START_S * children.patience)  # an empty line: it is there
            except queue.Empty:
                yield _lost(probes[0], "its process did not start", errors)
                return
            for probe in probes:
                limit_s = probe.limit_s * children.patience
                try:
                    line = lines.get(timeout=limit_s)
                except queue.Empty:
                    yield _lost(probe, f"it did not end within {limit_s:.3g} s", errors)
                    return
                if not line:
                    yield _lost(probe, _end_of(child), errors)
                    return
                yield _finding(probe, clean(json.loads(line)))
        finally:
            children.stop(child)
            for pipe in (child.stdin, child.stdout):
                assert pipe is not None
                with suppress(OSError):  # a request that it did not read any more
                    pipe.close()


def _asked(child: subprocess.Popen[bytes], place: Place, probes: Sequence[Probe]) -> queue.SimpleQueue[bytes]:
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    request = {"place": place.to_json(), "probes": [probe.where for probe in probes]}
    assert child.stdin is not None
    try:
        child.stdin.write(json.dumps(request).encode() + b"\n")
        child.stdin.flush()
    except BrokenPipeError:
        lines.put(b"")
    threading.Thread(target=_pump, args=(child, lines), daemon=True).start()
    return lines


def _pump(child: subprocess.Popen[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    assert child.stdout is not None
    try:
        for line in child.stdout:
            lines.put(line)
    except (OSError, ValueError):  # closed: nobody listens any more
        return
    lines.put(b"")


def _end_of(child: subprocess.Popen[bytes]) -> str:
    code = child.wait()
    return death(code) if code else "it ended without an answer"


def _lost(probe: Probe, how: str, errors: IO[bytes]) -> Finding:
    errors.seek(0)
    said = clean(errors.read()[-4 * _EVIDENCE :].decode("utf-8", "replace").splitlines())
    last = next((line for line in reversed(said) if line.strip()), "")
    return Finding(
        probe.name,
        probe.group,
        Status.FAILED,
        how,
        probe.tried,
        last[-_EVIDENCE:],
        probe.remedy,
        probe.limit_s,
    )


def _finding(probe: Probe, answer: dict[str, Any]) -> Finding:
    fields = {key: answer[key] for key in ("line", "evidence", "seconds")}
    remedy = answer["remedy"] or (probe.remedy if answer["status"] == Status.FAILED else "")
    return Finding(
        probe.name, probe.group, Status(answer["status"]), tried=probe.tried, remedy=remedy, **fields
    )
