"""How a server is started."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path

from mien.errors import InputError


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """`sessions`: how many may talk at once. `jwt_key`: the file of the key that tokens are checked with.
    `origins`: of pages from elsewhere that may connect. `insecure`: others may connect without a token.
    `grace_s`: how long answers may go on when the server is to end. `open_metrics`: `/metrics` needs no
    token.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    persona: str = "ava"
    sessions: int = 8
    jwt_key: Path | None = None
    audience: str = "mien"
    origins: tuple[str, ...] = ()
    insecure: bool = False
    grace_s: float = 20.0
    open_metrics: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.port < 65_536:
            raise InputError(f"port {self.port}; valid: 1 to 65535, or 0 for any free one")
        if not 1 <= self.sessions <= 10_000:
            raise InputError(f"{self.sessions} sessions; valid: 1 to 10,000")
        if self.jwt_key is None and not self.insecure and not is_loopback(self.host):
            raise InputError(
                f"on {self.host} others can connect, and nothing asks who they are: give --jwt-key, or "
                "--insecure when the network is closed"
            )
        for origin in self.origins:
            if origin != "*" and not origin.startswith(("http://", "https://")):
                raise InputError(f"{origin!r} is no origin; write it as https://example.org")


def is_loopback(host: str) -> bool:
    """Return whether only programs of this machine reach a host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
