"""From connecting to the first frame of a real `mien serve`: over plain TCP and through TLS, cold and warm.

The server leaves TLS to a proxy in front of it; here a small one in this process, with a certificate made for
the run, passes bytes on. What TLS takes is the handshake alone, timed at the client. The product speaks
WebSocket and HTTP; it has no gRPC, so there is none to measure.
"""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np

from mien.bench import load
from mien.bench.timed.budget import Budget, Sample, Taken, in_turn
from mien.bench.timed.plots import Waterfall
from mien.bench.timed.proxy import Proxy, proxied
from mien.bench.timed.result import Result
from mien.errors import ResourceError, require
from mien.progress import Progress

PERSONA: Final = "joe"
PATIENCE_S: Final = 20.0
TRIES: Final = 3
Stages = dict[str, float]
_ASKED: Final = "You are caller number {}."  # never the same twice: what was said once is remembered


def run(budget: Budget, result: Result, tell: Progress) -> None:
    """Start a server, then connect in each way in turn until the time is over."""
    tell("starting a server", 0.0)
    began = time.perf_counter()
    with load.served(PERSONA, 4) as address:
        result.fact("mien serve, from its start until it is ready", time.perf_counter() - began, "s")
        host, port = urlsplit(address).hostname or "127.0.0.1", urlsplit(address).port or 80
        with proxied((host, port)) as proxy:
            tell("connecting", 0.3)
            measured(budget, result, (host, port), proxy)


def measured(budget: Budget, result: Result, place: tuple[str, int], proxy: Proxy) -> None:
    """Take samples of all ways; the first of each, on a server that has just started, is the cold one."""
    client = Client(place, proxy)
    plain: list[Stages] = []
    secure: list[Stages] = []
    calls: dict[str, Sample] = {
        "WebSocket": _noted(lambda: client.first_frame(secure=False), plain),
        "WebSocket with TLS": _noted(lambda: client.first_frame(secure=True), secure),
        "HTTP, new connection": lambda: 1e3 * client.health(fresh=True),
        "HTTP, kept connection": lambda: 1e3 * client.health(fresh=False),
        "HTTP, new connection with TLS": lambda: 1e3 * client.health(fresh=True, secure=True),
        "speech over HTTP, first bytes": lambda: 1e3 * client.speech(),
    }
    failed: list[str] = []
    calls = {name: _again(call, failed) for name, call in calls.items()}
    taken: dict[str, Taken] = {}
    try:
        in_turn(calls, Budget(max(4.0, budget.left_s - 3.0), budget.clock), least=4, taken=taken)
    finally:  # also when it is interrupted: which call hung is then to be seen
        _tell(result, taken, plain, secure, failed)


def _tell(
    result: Result, taken: Mapping[str, Taken], plain: list[Stages], secure: list[Stages], failed: list[str]
) -> None:
    for name, rows in (("WebSocket", plain), ("WebSocket with TLS", secure)):
        for stage, words in (("first event", "first event"), ("first face frame", "first face frame")):
            until = [1e3 * _until(row, stage) for row in rows]
            result.add(f"{name}, {words}", "ms", Taken(until[1:], until[:1]), group="From connecting to …")
    for name in list(taken)[2:]:
        result.add(name, "ms", taken[name], group="Requests over HTTP (/healthz; speech: a greeting)")
    if len(secure) > 1:
        _show(result, plain, secure)
    result.fact(
        "connections that failed", float(len(failed)), f"of {sum(len(t.samples) for t in taken.values())}"
    )
    result.notes += [f"a connection failed: {reason}" for reason in failed[:3]]


def _show(result: Result, plain: list[Stages], secure: list[Stages]) -> None:
    medians = {name: float(np.median([row[name] for row in secure[1:]])) for name in secure[0]}
    share = medians["TLS handshake"] / sum(medians.values())
    result.fact("share of TLS in the way to the first face frame", 100 * share, "%")
    result.fact(
        "cold: the first connection of all, to its first face frame", 1e3 * sum(plain[0].values()), "ms"
    )
    stages, at = [], 0.0
    for name, seconds in medians.items():
        stages.append((name, 1e3 * at, 1e3 * seconds))
        at += seconds
    result.plots.append(Waterfall("To the first frame of the face, with TLS", tuple(stages)))
    result.notes.append(
        "client, proxy and server share one machine, with no network between; TLS 1.3, P-256, full handshakes"
    )
    result.notes.append("mien has no gRPC: WebSocket and HTTP are all its transports")


def _again(call: Sample, failed: list[str]) -> Sample:
    """Return a call that tries again when a connection fails, noting why; raises `ResourceError` at last."""
    errors = (OSError, http.client.HTTPException, require("websockets", extra="serve").WebSocketException)

    def sample() -> float:
        for _ in range(TRIES):
            try:
                return call()
            except errors as error:
                failed.append(f"{type(error).__name__}: {error}")
        raise ResourceError(f"the server does not answer ({failed[-1]}); run mien serve by hand to see why")

    return sample


def _noted(call: Callable[[], Stages], rows: list[Stages]) -> Sample:
    def sample() -> float:
        rows.append(call())
        return 1e3 * sum(rows[-1].values())

    return sample


def _until(row: Stages, stage: str) -> float:
    total = 0.0
    for name, seconds in row.items():
        total += seconds
        if name == stage:
            break
    return total


class Client:
    """Connects to a server, or to the proxy before it, and notes the seconds of each stage."""

    def __init__(self, place: tuple[str, int], proxy: Proxy) -> None:
        self._place, self._proxy, self._asked = place, proxy, 0
        self._kept = http.client.HTTPConnection(*place, timeout=PATIENCE_S)

    def first_frame(self, *, secure: bool) -> Stages:
        """Connect, ask for the face, and wait for its first frame."""
        connect = require("websockets.sync.client", extra="serve").connect
        laps = _Laps()
        raw = socket.create_connection(self._proxy.place if secure else self._place, PATIENCE_S)
        laps.end("TCP")
        if secure:
            raw = self._proxy.trusting.wrap_socket(raw, server_hostname="localhost")
            laps.end("TLS handshake")
        url = f"ws://localhost:{self._place[1]}/v1/realtime?model=mien&persona={PERSONA}"
        with connect(url, sock=raw, compression=None, max_size=None, open_timeout=PATIENCE_S) as connection:
            laps.end("upgrade to WebSocket")
            _await(connection, "session.created")
            laps.end("first event")
            told = {"type": "session.update", "session": {"type": "realtime", "mien": {"face": True}}}
            connection.send(json.dumps(told))
            _await(connection, "mien.face.delta")
            laps.end("first face frame")
        return laps.seconds

    def health(self, *, fresh: bool, secure: bool = False) -> float:
        """Return the seconds of one small request."""
        began = time.perf_counter()
        connection = self._opened(secure=secure) if fresh else self._kept
        connection.request("GET", "/healthz")
        connection.getresponse().read()
        took = time.perf_counter() - began
        if fresh:
            connection.close()
        return took

    def speech(self) -> float:
        """Return the seconds until the first bytes of speech come."""
        self._asked += 1
        began = time.perf_counter()
        connection = self._opened(secure=False)
        body = {
            "model": "mien",
            "voice": PERSONA,
            "input": _ASKED.format(self._asked),
            "response_format": "pcm",
        }
        connection.request("POST", "/v1/audio/speech", json.dumps(body), {"content-type": "application/json"})
        response = connection.getresponse()
        response.read(1)
        took = time.perf_counter() - began
        response.read()
        connection.close()
        return took

    def _opened(self, *, secure: bool) -> http.client.HTTPConnection:
        if not secure:
            return http.client.HTTPConnection(*self._place, timeout=PATIENCE_S)
        port = self._proxy.place[1]
        return http.client.HTTPSConnection(
            "localhost", port, context=self._proxy.trusting, timeout=PATIENCE_S
        )


class _Laps:
    """Seconds between calls of `end`."""

    def __init__(self) -> None:
        self.seconds: Stages = {}
        self._last = time.perf_counter()

    def end(self, name: str) -> None:
        now = time.perf_counter()
        self.seconds[name], self._last = now - self._last, now


def _await(connection: Any, kind: str) -> None:
    while json.loads(connection.recv(timeout=PATIENCE_S))["type"] != kind:
        pass
