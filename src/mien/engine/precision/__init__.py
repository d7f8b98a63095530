"""Precision written into the graph, node by node, and read back from what was built."""

from mien.engine.precision.plan import Plan, keep, named

__all__ = ["Plan", "keep", "named"]
