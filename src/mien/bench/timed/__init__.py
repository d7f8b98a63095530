"""Benches of one shape: samples in series with intervals, within a budget of seconds, and their noise."""

from mien.bench.timed.result import Result, Series

__all__ = ["Result", "Series"]
