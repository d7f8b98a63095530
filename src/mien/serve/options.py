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
    `grace_s`: how long answers may go on when the server is to end. `each`: sessions of one token's subject,
    `longest_s`: of each session; 0: no limit. `slowest_s`: nobody is let in while answers take longer.
    `open_metrics`: `/metrics` needs no token. `traces`: OpenTelemetry. `log_json`: logs as JSON; `log_words`:
    with what people say.
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
    each: int = 0
    longest_s: float = 0.0
    slowest_s: float = 1.5
    open_metrics: bool = False
    traces: bool = False
    log_json: bool = False
    log_words: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.port < 65_536:
            raise InputError(f"port {self.port}; valid: 1 to 65535, or 0 for any free one")
        if not 1 <= self.sessions <= 10_000:
            raise InputError(f"{self.sessions} sessions; valid: 1 to 10,000")
        for name, least in (("grace_s", 0.0), ("each", 0), ("longest_s", 0.0), ("slowest_s", 0.05)):
            if not least <= getattr(self, name) <= 1e9:
                raise InputError(f"{name} is {getattr(self, name):g}; it must be {least:g} or more")
        if self.each and self.jwt_key is None:
            raise InputError(f"{self.each} sessions for each: only tokens tell who asks; give --jwt-key")
        if self.log_words and not self.log_json:
            raise InputError("--log-words adds to the lines of --log-json; give both")
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
