"""mien: a real-time digital human engine."""

__version__ = "0.1.0"
