"""Why does a model not build for a target: root causes, with node, evidence, smallest part and remedy."""

from mien.engine.diagnose.cause import Cause, Diagnosis, Result
from mien.engine.diagnose.diagnose import diagnose

__all__ = ["Cause", "Diagnosis", "Result", "diagnose"]
