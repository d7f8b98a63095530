"""`mien compile`: a model's file becomes an engine's folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mien.engine import cache, graph, package, pipeline
from mien.engine.importers import imported
from mien.engine.job import prepare
from mien.engine.manifest import Manifest
from mien.engine.place import lock, present
from mien.engine.request import Request
from mien.engine.request import key as key_of
from mien.engine.targets import choose
from mien.engine.validate import errors, validate_untrusted
from mien.errors import CorruptError
from mien.progress import Progress, silent


@dataclass(frozen=True, slots=True)
class Compiled:
    """The engine's folder, its manifest, remarks, and whether it was there already."""

    folder: Path
    manifest: Manifest
    notes: tuple[str, ...] = ()
    was_there: bool = False


def compile_model(request: Request, tell: Progress = silent) -> Compiled:
    """Make an engine of a model; an engine of the same key that is there already is returned as it is.

    `request.source` is an ONNX or TFLite file, or `package.module:factory` (PyTorch). Raises `MissingError`,
    `CorruptError`, `ResourceError`, and `InputError` when the target has not the
    precision, the samples do not fit, the budget can not be held, or fp16 would be slower on this target.
    """
    target = choose(request.target)
    target.check(request.precision)
    if request.out is not None:
        package.check_place(request.out)
    model_file = imported(request.source, tell)
    source = model_file.path
    if not request.trusted:
        _check(source, tell)
    model = graph.load(source)
    job = prepare(request, target, source, tell)
    key = key_of(request, source, target, job.samples)
    out = request.out or cache.folder() / f"{model_file.name}-{request.precision}-{key[:16]}.engine"
    with lock(out):
        if not request.force and (there := present(out, key)):
            return Compiled(out, there, was_there=True)
        made, notes = pipeline.run(job, model, out, key)
        return Compiled(out, made, (*model_file.notes, *notes))


def _check(source: Path, tell: Progress) -> None:
    """Raise for a file that must not be run, before anything parses it in this process."""
    tell("validating", 0.0)
    if not (wrong := errors(validate_untrusted(source))):
        return
    first, more = wrong[0], len(wrong) - 1
    at = f" at {first.node}" if first.node else ""
    also = f" and {more} more; see: mien inspect {source}" if more else ""
    raise CorruptError(f"{str(source)!r} must not be run: {first.message}{at}; {first.remedy}{also}")
