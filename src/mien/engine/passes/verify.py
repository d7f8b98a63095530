"""Does a changed model still compute the same? Run both, compare every output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto

from mien.engine.backends import reference
from mien.errors import CorruptError, InputError, MienError

Sample = Mapping[str, NDArray[Any]]
TOLERANCE = 1e-4  # of an output's largest value: what float32 sums lose when their order changes


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether two models agree: the largest error relative to each output's largest value, or why not."""

    error: float = 0.0
    reason: str = ""


class Verifier:
    """The results of a model on samples, to hold changed models against.

    Nodes that draw numbers get fixed seeds on both sides. The model runs when the first changed one
    is judged. Raises `InputError` without samples.
    """

    def __init__(self, model: ModelProto, samples: Sequence[Sample], tolerance: float = TOLERANCE) -> None:
        if not samples:
            raise InputError("passes are verified on samples; give at least one")
        self._model = model
        self._samples = samples
        self._tolerance = tolerance
        self._faces = _faces(model)
        self._names = [info.name for info in model.graph.output]

    @cached_property
    def _truth(self) -> list[list[Any]]:
        return _results(self._model, self._samples)

    @cached_property
    def _optimises(self) -> bool:
        """Whether ONNX Runtime loads the model with its own optimisation, as users will."""
        try:
            reference.Session(self._model, optimise=True)
        except CorruptError:
            return False
        return True

    def judge(self, model: ModelProto) -> Verdict:
        """Return how far a changed model is from the first one.

        Raises `InputError` when the first one can not run on the samples.
        """
        truths = self._truth
        if _faces(model) != self._faces:
            return Verdict(reason="its inputs or outputs are not the same")
        try:
            results = _results(model, self._samples)
            if self._optimises:
                reference.Session(model, optimise=True)
        except MienError as error:
            return Verdict(reason=str(error))
        worst = 0.0
        for truth, result in zip(truths, results, strict=True):
            for name, a, b in zip(self._names, truth, result, strict=True):
                verdict = compare(a, b)
                if verdict.reason or verdict.error > max(self._tolerance, _rounding(a)):
                    why = verdict.reason or (
                        f"differs by {verdict.error:.2g} of its largest value; allowed: {self._tolerance:.2g}"
                    )
                    return Verdict(verdict.error, f"output {name!r} {why}")
                worst = max(worst, verdict.error)
        return Verdict(worst)


def compare(truth: Any, result: Any) -> Verdict:
    """Compare two outputs: arrays, sequences of them, or the None of an optional."""
    if isinstance(truth, list) and isinstance(result, list):
        if len(truth) != len(result):
            return Verdict(reason=f"has {len(result)} elements, was {len(truth)}")
        verdicts = [compare(a, b) for a, b in zip(truth, result, strict=True)]
        return max(verdicts, key=lambda v: (v.reason, v.error), default=Verdict())
    if not isinstance(truth, np.ndarray) or not isinstance(result, np.ndarray):
        return Verdict() if truth == result else Verdict(reason="is not the same")
    if truth.shape != result.shape:
        return Verdict(reason=f"has shape {result.shape}, was {truth.shape}")
    if truth.dtype != result.dtype:
        return Verdict(reason=f"is {result.dtype}, was {truth.dtype}")
    if not _is_float(truth.dtype):
        return Verdict() if np.array_equal(truth, result) else Verdict(reason="is not the same")
    return _compare_floats(truth, result)


def _rounding(value: Any) -> float:
    """Return what two roundings in an output's own type may lose, relative to its largest value."""
    if isinstance(value, np.ndarray) and value.dtype.kind != "c" and _is_float(value.dtype):
        return 2 * float(ml_dtypes.finfo(value.dtype).eps)  # type: ignore[no-untyped-call]
    return 0.0


def _is_float(dtype: np.dtype[Any]) -> bool:
    return "float" in dtype.name or dtype.kind == "c"


def _compare_floats(truth: NDArray[Any], result: NDArray[Any]) -> Verdict:
    wide = np.complex128 if truth.dtype.kind == "c" else np.float64
    a, b = truth.astype(wide), result.astype(wide)
    finite = np.isfinite(a)
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True) or not np.isfinite(b[finite]).all():
        return Verdict(reason="has NaN or infinite values elsewhere")
    if not finite.any():
        return Verdict()
    scale = np.abs(a[finite]).max()
    error = np.abs(a[finite] - b[finite]).max()
    return Verdict(float(error / scale) if scale else float(error))


def _results(model: ModelProto, samples: Sequence[Sample]) -> list[list[Any]]:
    """Return the outputs for each sample, in order: what is drawn depends on it."""
    session = reference.Session(reference.seeded(model))
    return [session.run(sample) for sample in samples]


def _faces(model: ModelProto) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Return name and element type of the inputs that must be given, and of the outputs."""
    weights = {tensor.name for tensor in model.graph.initializer}
    inputs = [info for info in model.graph.input if info.name not in weights]
    return (
        [(info.name, info.type.tensor_type.elem_type) for info in inputs],
        [(info.name, info.type.tensor_type.elem_type) for info in model.graph.output],
    )
