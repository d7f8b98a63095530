"""Sizes of free axes: TensorRT builds for a range, with one size that it is tuned for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from onnx import ModelProto, ValueInfoProto

from mien.engine.samples import Samples
from mien.errors import InputError, nearest

Sizes = tuple[int, int, int]  # least, usual, most
Profile = dict[str, tuple[list[int], list[int], list[int]]]  # input → its three shapes
_FORM: Final = re.compile(r"(.+)=(\d+)(?::(\d+):(\d+))?")


def parse(texts: Iterable[str]) -> dict[str, Sizes]:
    """Return the sizes of `AXIS=LEAST:USUAL:MOST` or `AXIS=SIZE`; raises `InputError` for another form."""
    found: dict[str, Sizes] = {}
    for text in texts:
        match = _FORM.fullmatch(text)
        sizes = [int(n) for n in match.groups()[1:] if n is not None] if match else []
        if match is None or sorted(sizes) != sizes or not sizes[0]:
            raise InputError(f"{text!r} is no shape; write AXIS=LEAST:USUAL:MOST, as frames=1:64:512")
        found[match[1]] = (sizes[0], sizes[len(sizes) // 2], sizes[-1])
    return found


def axes(model: ModelProto) -> dict[str, list[str]]:
    """Return the free axes: name (`x.0` for a nameless one) → the inputs that have it."""
    found: dict[str, list[str]] = {}
    for info in _inputs(model):
        for size in _shape(info):
            if isinstance(size, str):
                found.setdefault(size, []).append(info.name)
    return found


def usual(model: ModelProto) -> dict[str, Sizes]:
    """Return sizes to try a model with when nobody gave any."""
    batches = ("n", "b", "batch")
    return {
        axis: (1, 1, 4) if axis.lower().startswith("batch") or axis.lower() in batches else (1, 16, 64)
        for axis in axes(model)
    }


def seen(model: ModelProto, samples: Samples) -> dict[str, Sizes]:
    """Return, for each free axis, the least, the median and the greatest size in the samples."""
    sizes: dict[str, list[int]] = {}
    for sample in samples:
        for info in _inputs(model):
            for size, actual in zip(_shape(info), sample[info.name].shape, strict=True):
                if isinstance(size, str):
                    sizes.setdefault(size, []).append(actual)
    ordered = {axis: sorted(each) for axis, each in sizes.items()}
    return {axis: (each[0], each[len(each) // 2], each[-1]) for axis, each in ordered.items()}


def stated(model: ModelProto, given: Mapping[str, Sizes], samples: Samples | None) -> ModelProto:
    """Return `model` with shapes for inputs that state none, taken from samples.

    An axis that is in `given` (`x.2`) or differs between samples stays free. Raises `InputError` without
    samples.
    """
    silent = [info.name for info in _inputs(model) if not info.type.tensor_type.HasField("shape")]
    if not silent:
        return model
    if samples is None:
        raise InputError(f"input {', '.join(silent)} states no shape; give samples of it: --data samples.npz")
    made = ModelProto()
    made.CopyFrom(model)
    found = {name: [sample[name].shape for sample in samples] for name in silent}
    for info in made.graph.input:
        for axis, sizes in enumerate(zip(*found.get(info.name, ()), strict=True)):
            name = f"{info.name}.{axis}"
            fixed = len(set(sizes)) == 1 and name not in given
            info.type.tensor_type.shape.dim.add(**{"dim_value": sizes[0]} if fixed else {"dim_param": name})
    return made


def profile(model: ModelProto, sizes: Mapping[str, Sizes]) -> Profile:
    """Return the shapes of all inputs with free axes; raises `InputError` for one without a size."""
    known = axes(model)
    for axis in sizes:
        if axis not in known:
            raise InputError(f"no input has a free axis {axis!r}{nearest(axis, known)}")
    if missing := sorted(known.keys() - sizes.keys()):
        example = " ".join(f"--shape {axis}=1:64:512" for axis in missing)
        raise InputError(f"no size for the free axis {', '.join(missing)}; say its range: {example}")
    shapes = {info.name: _shape(info) for info in _inputs(model)}
    return {
        name: _three(shape, sizes)
        for name, shape in shapes.items()
        if any(isinstance(size, str) for size in shape)
    }


def _three(shape: Sequence[int | str], sizes: Mapping[str, Sizes]) -> tuple[list[int], list[int], list[int]]:
    ranges = [sizes[size] if isinstance(size, str) else (size, size, size) for size in shape]
    return [r[0] for r in ranges], [r[1] for r in ranges], [r[2] for r in ranges]


def _inputs(model: ModelProto) -> list[ValueInfoProto]:
    given = {tensor.name for tensor in model.graph.initializer}
    return [info for info in model.graph.input if info.name not in given]


def _shape(info: ValueInfoProto) -> list[int | str]:
    dims = info.type.tensor_type.shape.dim
    return [
        d.dim_value if d.HasField("dim_value") else d.dim_param or f"{info.name}.{axis}"
        for axis, d in enumerate(dims)
    ]
