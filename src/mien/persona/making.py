"""A performance becomes files."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from contextlib import ExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from mien.errors import InputError
from mien.persona.outputs import Output, Setting, check_film, kind, open_output
from mien.persona.performance import Chunk, Performance
from mien.persona.threads import in_thread
from mien.progress import Progress
from mien.speech.breath import Breath


@dataclass(frozen=True, slots=True)
class Said:
    """What `Persona.say` made: `files`, the length of the speech, and where the time went, seconds.

    `spent_s`: `start` (voice, head and renderer made ready), `voice`, `face`, and for a film `render`
    and `encode`, which goes on beside the rest.
    """

    files: tuple[Path, ...]
    speech_s: float
    took_s: float
    spent_s: dict[str, float]


async def make(
    performance: Performance, spoken: Sequence[Breath], paths: Sequence[Path], setting: Setting, began: float
) -> Said:
    """Speak the breaths into every file; `began`: when the work did, by `time.perf_counter`."""
    for path in paths:
        check_film(path, setting.film)
    async with _opened(paths, setting) as outputs:
        start_s = time.perf_counter() - began
        speech_s = await _write(performance.chunks(spoken), outputs, _share(spoken, setting.progress))
    spent = {"start": start_s} | _spent(performance, outputs)
    return Said(tuple(paths), speech_s, time.perf_counter() - began, spent)


def output_paths(to: str | Path | Sequence[str | Path]) -> list[Path]:
    """Return the files to make; raises `InputError` for a suffix that nothing can be written as, and for
    two that are one file.
    """
    paths = [_named(to)] if isinstance(to, str | os.PathLike) else [_named(path) for path in to]
    if not paths:
        raise InputError("no file to make; give at least one name, for example hello.mp4")
    seen = set()
    for path in paths:
        kind(path)
        if "\0" in str(path):
            raise InputError(f"can not write {str(path)!r}: a file's name holds no NUL character")
        if (real := os.path.realpath(path)) in seen:
            raise InputError(f"{path} is to be written twice; give each output a name of its own")
        seen.add(real)
    return paths


def _named(path: str | os.PathLike[str]) -> Path:
    """Return the file's path; `folder/` means numbered pictures in it."""
    name = os.fspath(path)
    return Path(name) / "%05d.png" if name.endswith(("/", os.sep)) else Path(name)


def check_recording(recording: str | Path, paths: Iterable[Path]) -> None:
    """Raise `InputError` when an output would replace the recording."""
    source = os.path.realpath(recording)
    for path in paths:
        if os.path.realpath(path) == source:
            raise InputError(f"{path} is the recording itself; write to another file")


def _share(spoken: Sequence[Breath], progress: Progress) -> Callable[[Chunk], None]:
    """Return what turns each chunk into the share of the text that is spoken."""
    total, done = sum(len(breath.text) for breath in spoken) or 1, 0

    def tell(chunk: Chunk) -> None:
        nonlocal done
        progress("speaking", done / total)
        done += len(chunk.text)

    return tell


@asynccontextmanager
async def _opened(paths: Iterable[Path], setting: Setting) -> AsyncIterator[list[Output]]:
    """Open every file; put all in place at the end, or none after an error."""
    stopped = threading.Event()

    def progress(what: str, share: float) -> None:
        if stopped.is_set():
            raise InterruptedError("stopped")
        setting.progress(what, share)

    stoppable = replace(setting, progress=progress)
    with ExitStack() as stack:
        try:
            outputs = [await in_thread(stack.enter_context, open_output(p, stoppable)) for p in paths]
            yield outputs
            await in_thread(stack.close)
        finally:
            stopped.set()


async def _write(
    chunks: AsyncGenerator[Chunk, None], outputs: Iterable[Output], tell: Callable[[Chunk], None]
) -> float:
    """Write every chunk to every output; return the seconds of speech."""
    speech_s = 0.0
    async with aclosing(chunks) as stream:
        async for chunk in stream:
            tell(chunk)
            for output in outputs:
                await in_thread(output.write, chunk)
            speech_s = (chunk.start + len(chunk.pcm)) / chunk.pcm.rate_hz
    return speech_s


def _spent(performance: Performance, outputs: Iterable[Output]) -> dict[str, float]:
    spent = {"voice": performance.spent.voice, "face": performance.spent.face}
    for output in outputs:
        for stage, seconds in output.spent().items():
            spent[stage] = spent.get(stage, 0.0) + seconds
    return spent
