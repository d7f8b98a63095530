"""What a model is, what is wrong with it, and what each pass would do to it."""

from mien.engine.inspect.report import Report, inspect
from mien.engine.inspect.summary import Summary, summarise

__all__ = ["Report", "Summary", "inspect", "summarise"]
