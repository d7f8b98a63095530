"""`mien bench model`: one engine against plain ONNX Runtime and PyTorch, in batches and in changing sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import mien.engine
from mien.bench import yardstick
from mien.bench.batches import ENGINE, Batches, measure
from mien.bench.changing import Stability, bear, sizes_of
from mien.engine import graph
from mien.engine import manifest as manifests
from mien.engine.backends import onnxruntime
from mien.engine.engine import Engine, Tensor
from mien.engine.inspect.generate import generate
from mien.engine.package import MODEL
from mien.engine.runtime import Machine, find
from mien.engine.runtime.layout import Layout
from mien.engine.samples import find as find_samples
from mien.errors import InputError
from mien.progress import Progress, silent

PLAIN = "ONNX Runtime"


@dataclass(frozen=True, slots=True)
class Job:
    """What to measure. `against`: the yardsticks' model; None: the one that the engine was made of."""

    name: str
    against: Path | None = None
    batches: tuple[int, ...] = (1, 2, 4, 8, 16)
    threads: tuple[int, ...] = (0,)
    data: str | None = None
    seconds: float = 2.0
    device: str = "cpu"


@dataclass(slots=True)
class Result:
    """Tables, one for each number of threads, and what there is to say of them."""

    tables: list[Batches] = field(default_factory=list)
    stability: list[Stability] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def run(job: Job, tell: Progress = silent) -> Result:
    """Measure; raises `MissingError`, `CorruptError`, and `InputError` for inputs that do not fit."""
    path = find(job.name)
    source = job.against or _source(path)
    result = Result()
    sample = _sample(job, path)
    for threads in job.threads:
        machine = Machine(device=job.device, threads=threads)
        engine = mien.engine.load(path, machine=machine)
        sizes = _sizes(engine, job.batches, result)
        others = _others(source, engine, sample, threads, job.device, result)
        table = measure(engine, others, sample, sizes, threads=threads, seconds=job.seconds, tell=tell)
        result.tables.append(table)
        result.notes += [f"{name} is left out: {why}" for name, why in table.failed.items()]
    tell("changing sizes", 1.0)
    _stability(job, path, source, sample, result)
    return result


def _sizes(engine: Engine, wanted: Sequence[int], result: Result) -> tuple[int, ...]:
    if Layout(engine).stacks:
        return tuple(sorted(set(wanted)))
    result.notes.append("the model has no batch axis of a free size: batches of 1 only")
    return (1,)


def _others(
    source: Path, engine: Engine, sample: Mapping[str, Tensor], threads: int, device: str, result: Result
) -> dict[str, Engine]:
    others: dict[str, Engine] = {PLAIN: onnxruntime.plain(source, device, threads)}
    reason = yardstick.missing()
    if not reason:
        try:
            others |= yardstick.load(source, engine, sample, threads=threads, device=device)
        except InputError as error:
            reason = str(error)
    if reason and reason not in result.notes:
        result.notes.append(reason)
    return others


def _stability(job: Job, path: Path, source: Path, sample: Mapping[str, Tensor], result: Result) -> None:
    """Let fresh engines meet the sizes in the same order; those already measured know some."""
    engine = mien.engine.load(path, machine=Machine(device=job.device))
    samples = sizes_of(sample, engine.inputs)
    if len(samples) < 2:
        result.notes.append("no axis of a free size but the batch: changing sizes are not measured")
        return
    for name, each in {ENGINE: engine, **_others(source, engine, sample, 0, job.device, result)}.items():
        if name != "torch.compile":
            result.stability.append(bear(name, each, samples))
            continue
        before = yardstick.counted()
        found = bear(name, each, samples)
        graphs, breaks = (now - then for now, then in zip(yardstick.counted(), before, strict=True))
        result.stability.append(replace(found, recompiles=max(0, graphs - 1), breaks=breaks))


def _sample(job: Job, path: Path) -> Mapping[str, Tensor]:
    if job.data is not None:
        return next(iter(find_samples(job.data, mien.engine.load(path).inputs)))
    return generate(graph.load(_file(path)))


def _source(path: Path) -> Path:
    """Return the model that an engine's manifest names, where it still lies there, else its own."""
    if path.is_dir():
        named = Path(str(manifests.read(path).source.get("path", "")))
        if named.is_file():
            return named
    return _file(path)


def _file(path: Path) -> Path:
    return path / MODEL if path.is_dir() else path
