"""The films that are made, wait, or can be fetched."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mien.serve.realtime.items import new_id
from mien.serve.refusals import RefusedError
from mien.serve.videos.request import Work

AT_ONCE, WAITING = 1, 8
KEPT_S, MOST_KEPT = 3600.0, 32
_LAST_S = 5.0  # for a worker to end when it is told to


@dataclass(eq=False)
class Job:
    """One film. `status`: `queued`, `in_progress`, `completed`, `failed`, `cancelled`."""

    work: Work
    owner: str
    warnings: list[str]
    id: str = field(default_factory=lambda: new_id("video"))
    status: str = "queued"
    what: str = "waiting"
    share: float = 0.0
    seconds: float | None = None
    error: dict[str, Any] | None = None
    created_at: int = field(default_factory=lambda: int(time.time()))
    task: asyncio.Task[None] | None = None
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self.status in ("completed", "failed", "cancelled")

    def tell(self, **fields: Any) -> None:
        """Note what is known now."""
        for name, value in fields.items():
            setattr(self, name, value)
        self._changed.set()
        self._changed = asyncio.Event()

    async def states(self) -> AsyncGenerator[None, None]:
        """Yield now, and whenever something changed, up to the end."""
        while True:
            changed = self._changed
            yield
            if self.over:
                return
            await changed.wait()


class Jobs:
    """A bounded queue of films, their files in a folder that goes with the server."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._jobs: dict[str, Job] = {}
        self._places = asyncio.Semaphore(AT_ONCE)

    def begin(self, work: Work, owner: str, warnings: list[str], suffix: str) -> Job:
        """Put a film into the queue; raises `RefusedError` (503) when it is full."""
        waiting = sum(not job.over for job in self._jobs.values())
        if waiting >= AT_ONCE + WAITING:
            raise RefusedError(
                f"{waiting} films are to be made already; try again later", "busy", None, "server_error", 503
            )
        job = Job(work, owner, warnings)
        folder = self._place() / job.id
        folder.mkdir()
        work.file = str(folder / f"{job.id}.{suffix}")
        self._jobs[job.id] = job
        job.task = asyncio.get_running_loop().create_task(self._run(job))
        self._forget_old()
        return job

    def get(self, name: str, owner: str) -> Job:
        """Return a film of its owner; raises `RefusedError` (404)."""
        job = self._jobs.get(name)
        if job is None or job.owner != owner:
            raise RefusedError(f"no film {name!r}", "not_found", "id", status=404)
        return job

    async def remove(self, job: Job) -> None:
        """Stop a film that is being made, and remove what there is of it."""
        self._jobs.pop(job.id, None)
        if job.task is not None:
            job.task.cancel()
            await asyncio.gather(job.task, return_exceptions=True)
        _clear(job)

    async def close(self) -> None:
        """Stop all, and remove everything."""
        for job in list(self._jobs.values()):
            await self.remove(job)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _place(self) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="mien-films-"))
        return self._folder

    def _forget_old(self) -> None:
        """Remove films that were kept long enough, and the oldest of too many."""
        over = [job for job in self._jobs.values() if job.over]
        late = time.time() - KEPT_S
        for job in over:
            if job.created_at < late or len(self._jobs) > MOST_KEPT + AT_ONCE + WAITING:
                del self._jobs[job.id]
                _clear(job)

    async def _run(self, job: Job) -> None:
        try:
            async with self._places:
                job.tell(status="in_progress", what="loading")
                await _make(job)
        except asyncio.CancelledError:
            job.tell(status="cancelled")
            raise


def _clear(job: Job) -> None:
    """Remove a film, and what a worker that was stopped left beside it."""
    shutil.rmtree(Path(job.work.file).parent, ignore_errors=True)


async def _make(job: Job) -> None:
    """Run a worker, and listen to what it tells; when cancelled, end it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "mien.serve.videos.worker",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    last: dict[str, Any] = {}
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(job.work.model_dump_json().encode())
        process.stdin.close()
        async for line in process.stdout:
            last = json.loads(line)
            if "share" in last:
                job.tell(what=last["what"], share=max(0.0, min(1.0, last["share"])))
        await process.wait()
    finally:
        if process.returncode is None:
            await _stop(process)
    if "seconds" in last and process.returncode == 0:
        job.tell(status="completed", share=1.0, what="done", seconds=last["seconds"])
    else:
        message = last.get("error", f"the worker ended with code {process.returncode}")
        job.tell(status="failed", error={"message": message, "status": last.get("status", 500)})


async def _stop(process: asyncio.subprocess.Process) -> None:
    process.terminate()
    try:
        async with asyncio.timeout(_LAST_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
