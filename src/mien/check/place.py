"""Where probes look, and what was asked of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

UDP_PORTS = (50_000, 50_100)


@dataclass(frozen=True, slots=True)
class Place:
    """`root`: the folder that holds `proc`, `sys` and `dev`. `host`, `port`: where a server is to listen.

    `udp`: the first and the last port for media. `certificate`, `key`: PEM files of the server. `hostname`:
    the name that the certificate must be for. `time_server`: who is asked for the time (`host[:port]` by
    NTP, or an address by the `Date` of its answer); empty: nobody is.
    """

    root: Path = Path("/")
    host: str = "127.0.0.1"
    port: int = 8080
    udp: tuple[int, int] = UDP_PORTS
    certificate: Path | None = None
    key: Path | None = None
    hostname: str = ""
    time_server: str = ""

    def at(self, path: str) -> Path:
        """Return the path of a file of the system, `/proc/meminfo`."""
        return self.root / path.lstrip("/")

    def text(self, path: str) -> str:
        """Return what a file of the system says, `""` where it can not be read."""
        try:
            return self.at(path).read_text("utf-8", "replace")
        except OSError:
            return ""

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON takes them."""
        return {
            name: str(value) if isinstance(value, Path) else value for name, value in asdict(self).items()
        }

    @classmethod
    def from_json(cls, table: dict[str, Any]) -> Place:
        """Return what `to_json` gave."""
        paths = {
            name: Path(table[name]) for name in ("root", "certificate", "key") if table[name] is not None
        }
        return cls(**{**table, **paths, "udp": (table["udp"][0], table["udp"][1])})


HERE = Place()
