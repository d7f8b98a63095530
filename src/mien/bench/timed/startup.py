"""From nothing to the first sound and the first picture: in a new process, in one whose files are not in
memory, and again in the same process.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from mien import packs
from mien.bench.timed.budget import Budget, Sample, Taken, in_turn, timed_ms
from mien.bench.timed.plots import Waterfall
from mien.bench.timed.result import Result
from mien.engine import cache
from mien.errors import ResourceError
from mien.progress import Progress

SOUND: Final = """
import asyncio, json, time
began = time.perf_counter()
from contextlib import aclosing
from mien.persona import Persona
imported = time.perf_counter()
persona = Persona.load("joe")
async def first():
    async with aclosing(persona.stream("Good morning.")) as chunks:
        await anext(chunks)
loaded = time.perf_counter()
asyncio.run(first()); cold = time.perf_counter()
asyncio.run(first()); warm = time.perf_counter()
stages = {"import": imported - began, "read the persona": loaded - imported, "load and speak": cold - loaded}
print(json.dumps({"stages": stages, "again": warm - cold}), flush=True)
import os; os._exit(0)  # how it ends is no part of how it starts
"""
PICTURE: Final = """
import json, time
began = time.perf_counter()
from mien.avatar import load
from mien.avatar.render import SoftwareRenderer, warm_up
from mien.face.pose import FacePose
imported = time.perf_counter()
avatar = load("joe"); loaded = time.perf_counter()
warm_up(lambda *_: None); ready = time.perf_counter()
with SoftwareRenderer(avatar, (512, 512)) as renderer:
    renderer.render(FacePose()); cold = time.perf_counter()
    renderer.render(FacePose()); warm = time.perf_counter()
stages = {"import": imported - began, "load the head": loaded - imported, "renderer": ready - loaded,
          "draw": cold - ready}
print(json.dumps({"stages": stages, "again": warm - cold}), flush=True)
import os; os._exit(0)  # how it ends is no part of how it starts
"""
_PATIENCE_S: Final = 60.0
SCRIPTS: Final = {"first sound": SOUND, "first picture": PICTURE}


def run(budget: Budget, result: Result, tell: Progress) -> None:
    """Start processes in turn."""
    tell("small processes", 0.0)
    small: dict[str, Sample] = {
        "python alone": timed_ms(lambda: _started("pass")),
        "import mien": timed_ms(lambda: _started("import mien")),
        "mien --help": timed_ms(lambda: _called("-m", "mien", "--help")),
    }
    for name, each in in_turn(small, budget.part(0.2)).items():
        result.add(name, "ms", each, group="Small processes")
    told: dict[str, list[dict[str, float]]] = {name: [] for name in SCRIPTS}
    again: dict[str, Taken] = {name: Taken() for name in SCRIPTS}
    calls = {f"{name}, new process": _child(SCRIPTS[name], told[name], again[name]) for name in SCRIPTS}
    tell("first sound and picture", 0.2)
    once_s = sum(call() for call in calls.values()) / 1e3  # builds what a first use ever builds
    if files := droppable(budget.left_s / once_s):
        calls |= {
            f"{name}, files not in memory": _child(SCRIPTS[name], [], Taken(), files) for name in SCRIPTS
        }
        result.notes.append(
            "files not in memory: those of voice and engines were dropped from the page cache first; "
            "libraries stay in it"
        )
    for name, each in in_turn(calls, budget, warm_up=0, least=1).items():
        result.add(name, "ms", each, group="Wall time of a new process")
    for name in SCRIPTS:
        result.add(f"{name}, again in the process", "ms", again[name], group="Again in the same process")
        _waterfall(result, name, told[name])


def droppable(rounds: float) -> list[Path]:
    """Return the files that can be dropped from the page cache; none where the system has no such call, or
    there is no time for three `rounds` with them.
    """
    if not hasattr(os, "posix_fadvise") or rounds < 6:
        return []
    folders = [cache.folder(), *(packs.path(name) for name in ("voice-joe",))]
    return [file for folder in folders for file in folder.rglob("*.onnx") if file.is_file()]


def drop(files: Iterable[Path]) -> None:
    """Ask the system to forget what it keeps of files in memory."""
    for file in files:
        with contextlib.suppress(OSError):
            handle = os.open(file, os.O_RDONLY)
            try:
                os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(handle)


def _child(script: str, told: list[dict[str, float]], again: Taken, files: Iterable[Path] = ()) -> Sample:
    """Return a call that starts a process, notes what it tells, and gives its wall time until then, ms."""

    def sample() -> float:
        drop(files)
        began = time.perf_counter()
        line = _started(script)
        took = 1e3 * (time.perf_counter() - began)
        table: dict[str, Any] = json.loads(line)
        inside = sum(table["stages"].values()) + table["again"]
        told.append({"start Python": max(0.0, took / 1e3 - inside)} | table["stages"])
        again.samples.append(1e3 * table["again"])
        return float(took - 1e3 * table["again"])

    return sample


def _waterfall(result: Result, name: str, told: list[dict[str, float]]) -> None:
    """Add the stages of the process that took the median time."""
    if not told:
        return
    rows = sorted(told, key=lambda each: sum(each.values()))
    stages, at = [], 0.0
    for stage, seconds in rows[len(rows) // 2].items():
        stages.append((stage, 1e3 * at, 1e3 * seconds))
        at += seconds
    result.plots.append(Waterfall(f"{name.capitalize()} of a new process", tuple(stages)))


def _started(script: str) -> str:
    return _called("-c", script)


def _called(*words: str) -> str:
    """Return the last line that a process writes; raises `ResourceError` when it fails or hangs."""
    try:
        done = subprocess.run(
            [sys.executable, *words], capture_output=True, text=True, check=False, timeout=_PATIENCE_S
        )
    except subprocess.TimeoutExpired:
        raise ResourceError(f"a process for the measurement did not end within {_PATIENCE_S:g} s") from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        raise ResourceError(f"a process for the measurement ended with {done.returncode}: {last}")
    return done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""
