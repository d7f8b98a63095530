"""Work on files that nobody vouches for, in a child process with limits on memory and time."""

from mien.engine.sandbox.call import Outcome, call
from mien.engine.sandbox.worker import Worker

__all__ = ["Outcome", "Worker", "call"]
