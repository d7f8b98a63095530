"""A running server, asked as a client would: name, TLS, tokens, latency, and mouth beside sound."""

from __future__ import annotations

import email.utils
import json
import socket
import ssl
import statistics
import time
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from mien.check import call
from mien.check.address import address, readiness
from mien.check.call import Call
from mien.check.ready.point import Point, tried
from mien.check.ready.server import asked
from mien.check.result import Finding, Result, failed, not_run, ok, warning
from mien.serve.options import is_loopback

_WAIT_S: Final = 10.0
_DAYS: Final = 14
_SKEW_S: Final = 3.0
_ASKED: Final = 5  # times, for the way there and back
_WAY_MS: Final = 150.0
_ANSWER_MS: Final = 900.0
_OFFSET_MS: Final = 45.0  # a viewer sees no more (ITU-R BT.1359)


@dataclass(slots=True)
class Server:
    """Where it is; `made` is the call, once it was made."""

    address: str
    token: str
    made: Call | None = None
    host: str = field(init=False)
    port: int = field(init=False)
    secure: bool = field(init=False)

    def __post_init__(self) -> None:
        self.host, self.port, self.secure = address(self.address)


def findings(address: str, token: str | None = None) -> list[Finding]:
    """Return what a client meets at `https://host`; raises `InputError` for what is no address."""
    server = Server(address.rstrip("/"), token or "")
    points: list[Point] = [
        ("name", "resolve it, connect", partial(_name, server)),
        ("TLS", "shake hands", partial(_tls, server)),
        ("health", "ask /readyz", partial(_health, server)),
        ("clock", "compare with the Date of an answer", partial(_clock, server)),
        ("tokens", "ask without one, and with yours", partial(_tokens, server)),
        ("way", f"ask {_ASKED} times", partial(_way, server)),
        ("session", "connect, be greeted", partial(_session, server)),
        ("answer", "ask a question, wait for its first sound", partial(_answer, server)),
        ("sound", "play it as it comes", partial(_sound, server)),
        ("face", "show the frame whose time it is", partial(_face, server)),
    ]
    return tried(server.address, points)


def _name(server: Server) -> Result:
    try:
        began = time.perf_counter()
        with socket.create_connection((server.host, server.port), timeout=_WAIT_S) as connected:
            took = 1000 * (time.perf_counter() - began)
            return ok(f"{server.host} is {connected.getpeername()[0]}, reached in {took:.0f} ms")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return failed(f"{server.host}, port {server.port}: {reason}", f"nc -vz {server.host} {server.port}")


def _tls(server: Server) -> Result:
    if not server.secure:
        if is_loopback(server.host):
            return not_run("http on this machine needs none")
        return failed(
            "http: browsers give no microphone, and anyone reads what is said",
            f"caddy reverse-proxy --from {server.host} --to 127.0.0.1:8080",
        )
    began = time.perf_counter()
    try:
        with (
            socket.create_connection((server.host, server.port), timeout=_WAIT_S) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=server.host) as secured,
        ):
            return _certified(secured, 1000 * (time.perf_counter() - began))
    except ssl.SSLCertVerificationError as error:
        return failed(
            f"the certificate is not accepted: {error.verify_message}",
            f"openssl s_client -connect {server.host}:{server.port} -servername {server.host}",
        )
    except OSError as error:
        return failed(f"no handshake: {error}", f"openssl s_client -connect {server.host}:{server.port}")


def _certified(secured: ssl.SSLSocket, took_ms: float) -> Result:
    certificate = secured.getpeercert() or {}
    ends = ssl.cert_time_to_seconds(str(certificate["notAfter"]))
    left = (ends - time.time()) / 86_400
    line = f"{secured.version()} in {took_ms:.0f} ms, the certificate is valid for {left:.0f} days"
    return ok(line) if left >= _DAYS else warning(line, "certbot renew")


def _health(server: Server) -> Result:
    status, said = asked(f"{server.address}/readyz", "")
    if status != 200:
        return failed(f"/readyz says {status or said[:150]}", f"curl -v {server.address}/readyz")
    return readiness(said)


def _clock(server: Server) -> Result:
    import urllib.request

    began = time.time()
    try:
        with urllib.request.urlopen(f"{server.address}/healthz", timeout=_WAIT_S) as answer:
            told = email.utils.parsedate_to_datetime(answer.headers["Date"]).timestamp() + 0.5
    except (OSError, ValueError, TypeError) as error:
        return not_run(f"its answer has no date: {error}")
    skew = (began + time.time()) / 2 - told
    if abs(skew) > _SKEW_S:
        ahead = "ahead of" if skew > 0 else "behind"
        line = f"this clock is {abs(skew):.0f} s {ahead} the server's"
        return warning(line, "sudo timedatectl set-ntp true")
    return ok(f"{abs(skew):.1f} s apart, as far as a date of whole seconds tells")


def _tokens(server: Server) -> Result:
    address = f"{server.address}/v1/models"
    status, said = asked(address, "")
    if status == 401:
        if not server.token:
            how = f"mien check talk {server.address} --token TOKEN"
            return warning("it wants a token, and none was given", how)
        status, said = asked(address, server.token)
        if status == 200:
            return ok("it refuses who shows no token, and takes yours")
        how = "make another one: docs/operations.md, In containers"
        return failed(f"your token is refused: {_reason(said)}", how)
    if status != 200:
        return failed(f"it says {status or said[:150]}", f"curl -v {address}")
    if is_loopback(server.host):
        return ok("none are needed on this machine")
    return failed("anyone may talk to it: it asks for no token", "mien serve --jwt-key mien.key")


def _reason(said: str) -> str:
    try:
        return str(json.loads(said)["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return said[:150]


def _way(server: Server) -> Result:
    took = []
    for _ in range(_ASKED):
        began = time.perf_counter()
        if asked(f"{server.address}/healthz", "")[0] != 200:
            return failed("/healthz does not answer", f"curl -v {server.address}/healthz")
        took.append(1000 * (time.perf_counter() - began))
    line = f"{statistics.median(took):.0f} ms there and back with a new connection, {max(took):.0f} at most"
    return ok(line) if statistics.median(took) <= _WAY_MS else warning(line, f"ping {server.host}")


def _session(server: Server) -> Result:
    server.made = call.talk(server.address, server.token)
    if server.made.refused:
        return failed(f"no session: {server.made.refused}", f"mien check talk {server.address} --token TOKEN")
    greeted = server.made.greeted_ms
    return ok(f"connected in {server.made.connected_ms:.0f} ms, greeted after {greeted:.0f} ms more")


def _answer(server: Server) -> Result:
    made = server.made
    if made is None or made.refused:
        return not_run("no session")
    if made.error or made.first_ms is None:
        return failed(made.error or "no sound came", "mien serve --log-json  # and see what it says")
    line = f"first sound {made.first_ms:.0f} ms after the question"
    remedy = "mien bench live  # on the server: where the time goes"
    return ok(line, made.words) if made.first_ms <= _ANSWER_MS else warning(line, remedy, made.words)


def _sound(server: Server) -> Result:
    made = server.made
    if made is None or made.first_ms is None:
        return not_run("no answer")
    line = f"{made.sound_s:.1f} s of sound, {made.late_ms:.0f} ms of it late"
    return ok(line) if made.late_ms <= 0 else warning(line, f"ping -c 50 {server.host}  # see how it varies")


def _face(server: Server) -> Result:
    made = server.made
    if made is None or made.first_ms is None:
        return not_run("no answer")
    if not made.frames:
        return failed("no face came", "mien serve  # of the same version as this check")
    shown = f"{made.frames} frames, {made.faceless_share:.1%} of the sound without its own"
    offset = call.offset(made)
    if offset.value_ms is None:
        return not_run(f"{shown}; how far mouth and sound are apart is not known: {offset.reason}")
    apart = f"{offset.value_ms:+.0f} ms apart as presented (± {offset.error_ms or 0:.0f})"
    line = f"mouth and sound are {apart}, {shown}"
    if abs(offset.value_ms) > _OFFSET_MS or made.faceless_share > 0.02:
        return failed(line, f"ping -c 50 {server.host}  # faces that come late are shown late")
    return ok(line)
