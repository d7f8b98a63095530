"""What a user names as a model, as the ONNX file that it is or becomes."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from onnx import ModelProto

from mien.engine import cache, graph
from mien.engine.sandbox import Outcome, Worker
from mien.errors import CorruptError, InputError, MienError, MissingError, ResourceError
from mien.progress import Progress, silent

_TFLITE: Final = "tflite-1"  # recipe and its version: part of the cache's key
_TORCH: Final = "torch-1"
_FACTORY: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_EXPORT_S: Final = 600.0
_GIB: Final = 1 << 30
_TIME_S: Final = 120.0
_KINDS: Final[Mapping[str, type[MienError]]] = {
    each.__name__: each for each in (CorruptError, InputError, MissingError, ResourceError)
}


@dataclass(frozen=True, slots=True)
class Imported:
    """The ONNX file, a short name for what comes of it, and remarks of the conversion."""

    path: Path
    name: str
    notes: tuple[str, ...] = ()


def imported(source: Path, tell: Progress = silent) -> Imported:
    """Return the ONNX file of a model.

    A `.tflite` file and a `package.module:factory` (PyTorch) are converted by a child process, within limits,
    and kept in the cache. Raises `MissingError`, `CorruptError`, `ResourceError` when the cache can not be
    written, and `InputError` for what has no counterpart or depends on data.
    """
    if _FACTORY.fullmatch(str(source)) and not source.exists():
        return _of_factory(str(source), tell)
    if source.suffix != ".tflite":
        return Imported(source, source.stem)
    graph.check_file(source)
    tell("converting TFLite", 0.0)
    folder = cache.derive(source, _TFLITE, lambda: {"model": _converted(source)})
    return Imported(folder / "model.onnx", source.stem)


def _of_factory(name: str, tell: Progress) -> Imported:
    """Export a PyTorch module; the cache is keyed by what comes out, so a changed module is seen."""
    tell("exporting from PyTorch", 0.0)
    with (
        tempfile.TemporaryDirectory() as folder,
        Worker("torch", memory_bytes=48 * _GIB, file_bytes=4 * _GIB) as child,
    ):
        out = Path(folder) / "model.onnx"
        answer = raise_of(child.ask(Path.cwd(), time_s=_EXPORT_S, factory=name, out=str(out)), name)
        kept = cache.derive(out, _TORCH, lambda: {"model": graph.load(out)})
    return Imported(kept / "model.onnx", name.rpartition(".")[2].replace(":", "-"), tuple(answer["notes"]))


def _converted(source: Path) -> ModelProto:
    size = source.stat().st_size
    with (
        tempfile.TemporaryDirectory() as folder,
        Worker("tflite", memory_bytes=3 * _GIB + 32 * size, file_bytes=_GIB + 8 * size) as child,
    ):
        out = Path(folder) / "model.onnx"
        raise_of(child.ask(source, time_s=_TIME_S, out=str(out)), str(source))
        return graph.load(out)


def raise_of(outcome: Outcome, name: str) -> dict[str, Any]:
    """Return a child's answer; raises what went wrong in it, or how it ended."""
    if outcome.failure:
        raise CorruptError(f"the process converting {name!r} gave up: {outcome.failure}")
    answer: dict[str, Any] = outcome.answer
    if answer["error"]:
        raise _KINDS.get(answer["kind"], InputError)(answer["error"])
    return answer
