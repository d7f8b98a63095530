"""The checklist of a server, as it is started or as it runs."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from mien.check.address import address, readiness
from mien.check.place import HERE, Place
from mien.check.probes import cores, disk, limits, network
from mien.check.ready import pins, results
from mien.check.ready.persona import MOST_DAYS, engines
from mien.check.ready.point import Point, tried
from mien.check.result import Finding, Result, Status, failed, not_run, ok, warning

_WAIT_S: Final = 10.0
_SCRAPED: Final = re.compile(
    r'^mien_http_requests_total\{[^}]*route="/metrics"[^}]*status="200"[^}]*\} (\S+)', re.M
)


@dataclass(frozen=True, slots=True)
class Server:
    """How a server is, or will be, started: the options of `mien serve` that matter here.

    `url`: where it runs, as those who talk to it write it; `token`: one that it takes. `certificate`, `key`:
    of the server or of the proxy before it.
    """

    url: str = ""
    token: str = ""
    persona: str = "ava"
    jwt_key: Path | None = None
    audience: str = "mien"
    origins: tuple[str, ...] = ()
    insecure: bool = False
    each: int = 0
    longest_s: float = 0.0
    certificate: Path | None = None
    key: Path | None = None
    hostname: str = ""


def server(
    given: Server, *, lock: Path | None = None, where: Path | None = None, most_days: float = MOST_DAYS
) -> list[Finding]:
    """Return what stands between a server and production; raises `InputError` for a `url` that is none."""
    if given.url:
        address(given.url)
    folder = where or results.folder()
    points: list[Point] = [
        ("versions", "compare what is installed with what was pinned", partial(pins.pins, lock)),
        ("packs", "hash every file", _packs),
        ("engines", "compare each with this machine", engines),
        ("tokens", "load the key, or ask without a token", partial(_tokens, given)),
        ("TLS", "shake hands, or read the certificate", partial(_tls, given)),
        ("pages", "read which pages may connect", partial(_origins, given)),
        ("limits", "read the limits on sessions", partial(_limits, given)),
        ("this shell", "read its limits", partial(limits.limits, HERE)),
        ("cores", "count what control groups leave", partial(cores.cores, HERE)),
        ("memory", "read what control groups leave", partial(cores.memory, HERE)),
        ("health", "ask /readyz", partial(_health, given)),
        ("metrics", "ask whether anyone reads /metrics", partial(_metrics, given)),
        ("disk", "write, flush and remove 16 MB", partial(disk.disk, HERE)),
        ("soak", "read the newest figures", partial(results.soak, folder, most_days)),
    ]
    return tried("server", points)


def _packs() -> Result:
    from mien.check.probes.packs import packs

    return packs(HERE)


def _tokens(given: Server) -> Result:
    if given.url:
        status, said = asked(f"{given.url}/v1/models", "")
        if status == 200:
            return failed(f"{given.url} answers who shows no token", "mien serve --jwt-key key.pem")
        if status in {401, 403}:
            return ok(f"{given.url} refuses who shows no token ({status})")
        return failed(
            f"{given.url}/v1/models says {status or said[:100]}", "mien serve  # and see what it says"
        )
    if given.jwt_key is None:
        how = "--insecure lets anyone in" if given.insecure else "no key is configured"
        make = "openssl rand -hex 32 > mien.key; mien serve --jwt-key mien.key"
        return failed(f"{how}: nobody is asked who they are", make)
    from mien.serve.tokens import Tokens

    Tokens.load(given.jwt_key, given.audience)
    if given.jwt_key.stat().st_mode & 0o077:
        return failed(f"others may read {given.jwt_key}", f"chmod 600 {given.jwt_key}")
    return ok(f"tokens are checked with {given.jwt_key}")


def _tls(given: Server) -> Result:
    if given.url.startswith("https://"):
        status, said = asked(f"{given.url}/healthz", "")
        if status == 200:
            return ok(f"{given.url} is reached by TLS")
        return failed(f"{given.url} is not reached by TLS: {said[:150]}", f"mien check talk {given.url}")
    if given.url:
        return failed(
            f"{given.url} has no TLS: browsers give it no microphone, and anyone reads what is said",
            "put a proxy with TLS before it: caddy reverse-proxy --from example.org --to 127.0.0.1:8080",
        )
    result = network.certificate(Place(certificate=given.certificate, key=given.key, hostname=given.hostname))
    if result.status is Status.NOT_RUN:
        return failed(
            "no certificate was named, and no address with https",
            "mien ready server --url https://example.org",
        )
    return result


def _origins(given: Server) -> Result:
    if "*" in given.origins:
        return failed("every page of the web may connect", "mien serve --allow-origin https://example.org")
    plain = [origin for origin in given.origins if origin.startswith("http://")]
    if plain:
        return warning(
            f"pages without TLS may connect: {', '.join(plain)}", "mien serve --allow-origin https://…"
        )
    return ok(", ".join(given.origins) or "only pages of its own")


def _limits(given: Server) -> Result:
    if not given.each or not given.longest_s:
        open_ended = [
            flag for flag, value in (("--each", given.each), ("--longest", given.longest_s)) if not value
        ]
        return warning(
            f"no limit is set: {', '.join(open_ended)}; one client can hold every place",
            "mien serve --each 2 --longest 3600",
        )
    return ok(f"{given.each} sessions of one token, {given.longest_s:g} s each")


def _health(given: Server) -> Result:
    if not given.url:
        return not_run("no running server was named: --url")
    status, said = asked(f"{given.url}/readyz", "")
    if status != 200:
        return failed(f"/readyz says {status or said[:150]}", "mien serve  # and see what it says")
    return readiness(said)


def _metrics(given: Server) -> Result:
    """Read `/metrics`, which counts who read it before."""
    if not given.url:
        return not_run("no running server was named: --url")
    status, said = asked(f"{given.url}/metrics", given.token)
    if status != 200:
        how = "mien ready server --token TOKEN  # or: mien serve --open-metrics"
        return failed(f"/metrics says {status or said[:100]}", how)
    counted = sum(float(value) for value in _SCRAPED.findall(said))
    if counted < 1:
        return failed("nobody has read /metrics since it started", "promtool check config prometheus.yml")
    return ok(f"/metrics was read {counted:g} times before this")


def asked(page: str, token: str) -> tuple[int, str]:
    """Return the status and the text of an answer; 0 and the reason when there is none."""
    request = urllib.request.Request(page)
    if token:
        request.add_header("authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=_WAIT_S) as answer:
            return int(answer.status), answer.read(8 << 20).decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        return error.code, error.read(1 << 16).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        return 0, str(error)
