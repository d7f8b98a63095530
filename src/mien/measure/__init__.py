"""The judge of any talking-head file; shares no code with what animates one."""

from mien.measure.judge import Evidence, examine, measure
from mien.measure.phones import Heard, read_phones
from mien.measure.report import Report

__all__ = ["Evidence", "Heard", "Report", "examine", "measure", "read_phones"]
