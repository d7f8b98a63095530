"""Work on files that nobody vouches for, in a child process with limits on memory and time."""

from mien.engine.sandbox.call import Outcome, call

__all__ = ["Outcome", "call"]
