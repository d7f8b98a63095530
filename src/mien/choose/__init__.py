"""Which voice, recogniser, mind and renderer to take: constraints filter, figures rank."""

from mien.choose.constraints import Constraints
from mien.choose.stack import Choice, choose

__all__ = ["Choice", "Constraints", "choose"]
