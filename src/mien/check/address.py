"""The address of a server, as people write it, and what it says of itself."""

from __future__ import annotations

from urllib.parse import urlsplit

from mien.check.result import Result, failed, ok
from mien.contents import parse_json
from mien.errors import InputError


def address(text: str) -> tuple[str, int, bool]:
    """Return host, port and whether it is TLS; raises `InputError` for what is no address of a server."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:  # brackets of IPv6 that do not close, a port beyond 65535
        parts, port = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"{text!r} is no address of a server; write https://example.org")
    secure = parts.scheme == "https"
    return parts.hostname, port or (443 if secure else 80), secure


def readiness(said: str) -> Result:
    """Return what an answer of /readyz with status 200 comes to."""
    try:
        table = parse_json(said)
    except ValueError:
        table = None
    if not isinstance(table, dict):
        return failed(
            "/readyz is not mien's: its answer is no JSON object", "mien serve  # and give its address"
        )
    return ok(f"it takes sessions; {table.get('sessions', 0)} talk now")
