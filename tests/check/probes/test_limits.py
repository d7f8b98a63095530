"""Environments that are broken on purpose: each is found, named, and given the right fix."""

import http.server
import socket
import struct
import threading
import time
from contextlib import contextmanager

import pytest

from mien.check import Place, Status
from mien.check.probes import limits

from .expected import found, limited, linux


@linux
@pytest.mark.parametrize(
    ("limit", "value", "status", "line", "remedy"),
    [
        ("RLIMIT_NOFILE", 64, "failed", "only 64 files", "ulimit -n 4096"),
        ("RLIMIT_NOFILE", 512, "warning", "only 512 files", "ulimit -n 4096"),
        ("RLIMIT_AS", 4 << 30, "failed", "address space is limited to 4.3 GB", "ulimit -v unlimited"),
    ],
)
def test_what_ulimit_takes_away(limit, value, status, line, remedy):
    result = limited(limit, value, "mien.check.probes.limits:limits")
    assert (result["status"], line in result["line"], result["remedy"]) == (status, True, remedy)


@contextmanager
def serving(answer):
    """Answer one datagram; yields the address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))

        def work():
            _, client = server.recvfrom(64)
            server.sendto(answer(), client)

        thread = threading.Thread(target=work)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def ntp(ahead_s: float) -> bytes:
    return bytes(40) + struct.pack("!II", int(time.time() + ahead_s) + 2_208_988_800, 0)


@pytest.mark.parametrize(
    ("ahead_s", "status", "line"),
    [(3600, Status.FAILED, "behind"), (-7, Status.WARNING, "ahead of"), (0, Status.OK, "")],
)
def test_a_clock_that_is_wrong(ahead_s, status, line):
    with serving(lambda: ntp(ahead_s)) as server:
        result = limits.clock(Place(time_server=server))
    found(result, status, line, "" if status is Status.OK else "timedatectl set-ntp true")


def test_a_clock_against_the_date_of_an_answer():
    class Late(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self):
            self.send_response_only(503)
            self.send_header("Date", "Wed, 01 Jan 2020 00:00:00 GMT")
            self.end_headers()

    with http.server.HTTPServer(("127.0.0.1", 0), Late) as server:
        threading.Thread(target=server.handle_request).start()
        result = limits.clock(Place(time_server=f"http://127.0.0.1:{server.server_port}/"))
    found(result, Status.FAILED, "ahead of", "timedatectl")


def test_a_clock_of_1970(monkeypatch):
    monkeypatch.setattr("mien.check.probes.limits.time.time", lambda: 3600.0)
    found(limits.clock(Place()), Status.FAILED, "1970-01-01", "timedatectl")


def test_a_time_server_that_is_silent_is_no_failure(monkeypatch):
    monkeypatch.setattr(limits, "_WAIT_S", 0.1)
    assert limits.clock(Place(time_server="127.0.0.1:9")).status is Status.NOT_RUN
