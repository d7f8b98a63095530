"""What a model's tensors hold, from samples: ranges for int8 and fp16."""

from mien.engine.calibrate.collect import Calibration, activations, calibrate, extremes
from mien.engine.calibrate.coverage import escapes, report
from mien.engine.calibrate.histogram import BINS, Histogram
from mien.engine.calibrate.ranges import METHODS, Range

__all__ = [
    "BINS",
    "METHODS",
    "Calibration",
    "Histogram",
    "Range",
    "activations",
    "calibrate",
    "escapes",
    "extremes",
    "report",
]
