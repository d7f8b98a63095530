"""How far a model's outputs are from its reference's; sums run on, so memory does not grow with samples."""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Final, Protocol, cast

import numpy as np

from mien.audio.features import log_mel, spectrum
from mien.audio.pcm import Pcm
from mien.engine.engine import Tensor
from mien.errors import InputError, nearest

_AUDIBLE_DB = 60.0  # below the loudest band of the reference nothing is heard beside it
_LEAST_PART = 20  # of a second: what is shorter is no sound
_DB = 10.0 / math.log(10.0)  # ln of power → dB


class Metric(Protocol):
    """A distance over all samples; `value` is NaN before the first.

    One that judges some outputs only says which: `concerns(value) -> bool`.
    """

    unit: str
    higher_is_better: bool

    def add(self, reference: Tensor, value: Tensor) -> None:
        """Take one sample's output of both, of the same shape."""

    @property
    def value(self) -> float:
        """The distance over all samples so far."""


class _Sums:
    """Sums of products over all numbers, in float64."""

    def __init__(self) -> None:
        self._rr = self._vv = self._rv = self._ee = 0.0

    def add(self, reference: Tensor, value: Tensor) -> None:
        """Add one sample."""
        r, v = np.asarray(reference, np.float64).ravel(), np.asarray(value, np.float64).ravel()
        self._rr += float(r @ r)
        self._vv += float(v @ v)
        self._rv += float(r @ v)
        self._ee += float((r - v) @ (r - v))


class RelativeError(_Sums):
    """‖value - reference‖ / ‖reference‖."""

    unit, higher_is_better = "", False

    @property
    def value(self) -> float:
        """The error's norm as a share of the reference's."""
        return math.sqrt(_ratio(self._ee, self._rr))


class Sqnr(_Sums):
    """Signal to quantisation noise, 10 log10(‖reference‖² / ‖error‖²); infinite when there is none."""

    unit, higher_is_better = "dB", True

    @property
    def value(self) -> float:
        """The ratio, dB."""
        ratio = _ratio(self._ee, self._rr)
        return -10.0 * math.log10(ratio) if ratio else math.inf


class Cosine(_Sums):
    """Cosine of the angle between value and reference, both as one long vector."""

    unit, higher_is_better = "", True

    @property
    def value(self) -> float:
        """1 for the same direction."""
        if not self._rr and not self._vv:
            return 1.0
        return self._rv / math.sqrt(self._rr * self._vv) if self._rr and self._vv else 0.0


class MaxAbs:
    """The largest difference of any number."""

    unit, higher_is_better = "", False

    def __init__(self) -> None:
        self.value = 0.0

    def add(self, reference: Tensor, value: Tensor) -> None:
        """Take one sample."""
        if reference.size:
            error = np.abs(np.asarray(value, np.float64) - np.asarray(reference, np.float64))
            self.value = float(np.maximum(self.value, error.max()))  # unlike max(), it keeps a NaN


class LogMel:
    """Log-spectral distance of sounds on 40 mel bands: RMS over the bands, mean over the frames, dB.

    Each spectrum is floored 60 dB below the loudest band of the reference: what is softer is not heard.
    """

    unit, higher_is_better = "dB", False

    def __init__(self, rate_hz: int) -> None:
        self._rate_hz = rate_hz
        self._sum, self._frames = 0.0, 0

    def concerns(self, value: Tensor) -> bool:
        """Whether an output is a sound: floats, 50 ms at least."""
        return np.issubdtype(value.dtype, np.floating) and value.size * _LEAST_PART >= self._rate_hz

    def add(self, reference: Tensor, value: Tensor) -> None:
        """Take one sound of both, of any shape; its samples lie along the last axis."""
        heard, made = self._mel(reference), self._mel(value)
        floor = heard.max(initial=-math.inf) - _AUDIBLE_DB
        difference = np.maximum(heard, floor) - np.maximum(made, floor)
        self._sum += float(np.sqrt(np.mean(np.square(difference), axis=1)).sum())
        self._frames += len(difference)

    @property
    def value(self) -> float:
        """The distance, dB."""
        return self._sum / self._frames if self._frames else math.nan

    def _mel(self, sound: Tensor) -> Tensor:
        samples = np.asarray(sound, np.float32).reshape(-1)
        return _DB * log_mel(spectrum(Pcm(samples, self._rate_hz)))


METRICS: dict[str, Callable[[], Metric]] = {
    "rel-error": RelativeError,
    "sqnr": Sqnr,
    "cosine": Cosine,
    "max-abs": MaxAbs,
}
LOG_MEL = "log-mel"
GROUP: Final = "mien.metrics"  # entry points: name → factory `(rate_hz) -> Metric`
_NEEDS_RATE = {
    LOG_MEL: "sound; give --rate-hz, as 22050",
    "lips-closure": "face track; give --rate-hz, as 60",
}


def metric(name: str, rate_hz: int | None = None) -> Metric:
    """Return a new metric by its name.

    `rate_hz`: of the sound, or of the frames of a face. Raises `InputError` for no metric or no rate.
    """
    if name in METRICS:
        return METRICS[name]()
    if name in _NEEDS_RATE and not rate_hz:
        raise InputError(f"{name} needs the rate of the {_NEEDS_RATE[name]}")
    made = _tasks().get(name)
    if made is not None:
        return made(rate_hz)
    found = next((point for point in entry_points(group=GROUP) if point.name == name), None)
    if found is None:
        raise InputError(f"no metric {name!r}{nearest(name, names())}")
    return cast("Metric", found.load()(rate_hz))


def names() -> list[str]:
    """Return all metrics, those of the entry points too."""
    return [*METRICS, *_tasks(), *sorted(point.name for point in entry_points(group=GROUP))]


def concerned(made: Metric, value: Tensor) -> bool:
    """Whether a metric can judge an output: log-mel no durations, landmarks no single score."""
    asks = getattr(made, "concerns", None)
    return asks is None or bool(asks(value))


def within(name: str, value: float, limit: float) -> bool:
    """Whether a metric's value keeps its limit: at most, or at least where more is better; NaN never does."""
    return value >= limit if higher_is_better(name) else value <= limit


def higher_is_better(name: str) -> bool:
    """Whether more of a metric is better; it is less for all that judge a task."""
    return name in METRICS and METRICS[name]().higher_is_better


def _tasks() -> dict[str, Callable[[int | None], Metric]]:
    from mien.engine import task_metrics as tasks

    return {
        LOG_MEL: lambda rate: LogMel(rate or 0),
        "landmarks": lambda _rate: tasks.Landmarks(),
        "lips-closure": lambda rate: tasks.LipClosure(rate or 0),
        "lips-aperture": lambda _rate: tasks.LipAperture(),
        "lips-jitter": lambda _rate: tasks.LipJitter(),
    }


def _ratio(error: float, reference: float) -> float:
    if not reference:
        return math.inf if error else 0.0
    return error / reference
