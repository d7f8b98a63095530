"""Running a model on samples to see its inner tensors: a few at a time, so that memory stays flat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from onnx import ModelProto, TensorProto, helper

from mien.engine import graph
from mien.engine.backends import onnxruntime
from mien.engine.calibrate.coverage import Peaks
from mien.engine.calibrate.histogram import Histogram
from mien.engine.calibrate.ranges import METHODS, Range
from mien.engine.engine import Tensor
from mien.engine.samples import Sample, Samples
from mien.errors import InputError, nearest

BUDGET_BYTES = 64 << 20  # of inner tensors beside the model's own memory
_FLOATS = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE)
_NAMES = onnxruntime.Options(arena=False)  # an arena would keep each group's peak

Tell = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the samples showed of each tensor."""

    histograms: Mapping[str, Histogram]
    peaks: Mapping[str, Peaks]
    samples: int
    origin: str

    def ranges(self, method: str) -> dict[str, Range]:
        """Return each tensor's range by `minmax`, `percentile` or `entropy`."""
        if method not in METHODS:
            raise InputError(f"no calibration method {method!r}{nearest(method, METHODS)}")
        return {name: METHODS[method](histogram) for name, histogram in self.histograms.items()}


def calibrate(
    model: ModelProto,
    samples: Samples,
    tensors: Iterable[str],
    *,
    budget_bytes: int = BUDGET_BYTES,
    tell: Tell = lambda _what, _share: None,
) -> Calibration:
    """Count the values of `tensors` over all samples.

    `budget_bytes` bounds the inner tensors that are held at once; with less of it the model runs more often.
    Raises `InputError` for an unknown tensor, and for one that becomes NaN or infinite, naming the sample.
    """
    histograms = {name: Histogram() for name in tensors}
    peaks = {name: Peaks() for name in histograms}
    for name, place, value in visit(model, samples, list(histograms), budget_bytes, tell):
        try:
            seen = histograms[name].add(value)
        except InputError as error:
            raise InputError(f"tensor {name!r} with sample {place}: {error}") from None
        if seen is not None:
            peaks[name].add(*seen, place)
    full = {name: histogram for name, histogram in histograms.items() if histogram.total}
    return Calibration(full, {name: peaks[name] for name in full}, len(samples), samples.origin)


def extremes(model: ModelProto, samples: Samples, tensors: Iterable[str]) -> dict[str, Peaks]:
    """Return each tensor's extremes over all samples, without counting the values between."""
    peaks = {name: Peaks() for name in tensors}
    for name, place, value in visit(model, samples, list(peaks)):
        if value.size:
            peaks[name].add(float(value.min()), float(value.max()), place)
    return {name: found for name, found in peaks.items() if found.octaves}


def visit(
    model: ModelProto,
    samples: Samples,
    tensors: Sequence[str],
    budget_bytes: int = BUDGET_BYTES,
    tell: Tell = lambda _what, _share: None,
) -> Iterator[tuple[str, int, Tensor]]:
    """Yield each tensor's name, each sample's number and the value, in groups that fit `budget_bytes`."""
    inputs = {info.name for info in model.graph.input}
    inner = [name for name in tensors if name not in inputs]
    groups = _groups(inner, sizes(model, next(iter(samples)), inner), budget_bytes) or [[]]
    for number, group in enumerate(groups):
        engine = _showing(model, group) if group else None
        for place, sample in enumerate(samples):
            tell("calibrating", (number + place / len(samples)) / len(groups))
            if number == 0:
                yield from ((name, place, sample[name]) for name in tensors if name in inputs)
            if engine is not None:
                out = engine.run(**{port.name: sample[port.name] for port in engine.inputs})
                yield from ((name, place, out.pop(name)) for name in group)


def sizes(model: ModelProto, sample: Sample, tensors: Sequence[str]) -> dict[str, int]:
    """Return the bytes of each tensor for one sample; the tensors themselves never leave the model."""
    if not tensors:
        return {}
    shown = graph.cut(model, [info.name for info in model.graph.input], tensors)
    del shown.graph.output[:]
    for name in tensors:
        made = f"{name}/size"
        shown.graph.node.append(helper.make_node("Size", [name], [made]))
        shown.graph.output.append(helper.make_tensor_value_info(made, TensorProto.INT64, []))
    engine = onnxruntime.parse(shown.SerializeToString(), options=_NAMES)
    out = engine.run(**{port.name: sample[port.name] for port in engine.inputs})
    return {name: 4 * int(out[f"{name}/size"]) for name in tensors}


def activations(model: ModelProto) -> list[str]:
    """Return the floating-point tensors that depend on the model's inputs, in the order they are computed."""
    infos = graph.value_infos(model)
    alive = {info.name for info in model.graph.input} - {tensor.name for tensor in model.graph.initializer}
    found = [info.name for info in model.graph.input if info.name in alive]
    for node in model.graph.node:
        if alive & set(node.input):
            alive |= set(node.output)
            found += [name for name in node.output if name]
    return [n for n in found if n in infos and infos[n].type.tensor_type.elem_type in _FLOATS]


def _showing(model: ModelProto, group: Sequence[str]) -> onnxruntime.OnnxRuntimeEngine:
    """Load the part of the model that computes `group`."""
    shown = graph.expose(model, group)
    part = graph.cut(shown, [info.name for info in model.graph.input], group)
    return onnxruntime.parse(part.SerializeToString(), options=_NAMES)


def _groups(tensors: Sequence[str], size: Mapping[str, int], budget: int) -> list[list[str]]:
    """Return the tensors in order, in groups of at most `budget` bytes (one tensor at least)."""
    groups: list[list[str]] = []
    room = 0
    for name in tensors:
        if not groups or size[name] > room:
            groups.append([])
            room = budget
        groups[-1].append(name)
        room -= size[name]
    return groups
