"""Models: graphs cut and rewritten, cached on disk, and run."""

from mien.engine.engine import Engine, Port
from mien.engine.stop import Stop, Stopped

__all__ = ["Engine", "Port", "Stop", "Stopped"]
