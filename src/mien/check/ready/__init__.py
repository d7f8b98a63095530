"""Is a persona, or a server, fit for production: a checklist whose every point is tried."""

from mien.check.ready.persona import persona
from mien.check.ready.server import server

__all__ = ["persona", "server"]
