"""What the shell or the service manager limits, and the clock."""

from __future__ import annotations

import email.utils
import socket
import struct
import time
from pathlib import Path
from typing import Final

import mien
from mien.check.place import Place
from mien.check.result import Result, failed, not_run, ok, warning

_FILES: Final = 1024  # open files: a session takes some ten
_SPACE: Final = 8 << 30  # bytes of address space: libraries reserve far more than they use
_SKEW_S: Final = (2.0, 30.0)  # tokens allow 5 s
_NTP_EPOCH: Final = 2_208_988_800  # seconds from 1900 to 1970
_NTP_PORT: Final = 123
_WAIT_S: Final = 3.0


def limits(_: Place) -> Result:
    """Open files and address space, as `ulimit` sets them."""
    try:
        import resource
    except ImportError:
        return not_run("this system has no such limits")
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    space = resource.getrlimit(resource.RLIMIT_AS)[0]
    if space not in (resource.RLIM_INFINITY, -1) and space < _SPACE:
        return failed(
            f"the address space is limited to {space / 1e9:.1f} GB; model libraries reserve more",
            "ulimit -v unlimited",
        )
    if files < 256:
        return failed(f"only {files} files may be open", f"ulimit -n {max(4096, _FILES)}")
    if files < _FILES:
        return warning(f"only {files} files may be open: some {files // 16} sessions", "ulimit -n 4096")
    return ok(f"{files} files may be open", f"at most {most}")


def clock(place: Place) -> Result:
    """Whether tokens and certificates will be judged by the right time."""
    now, built = time.time(), Path(mien.__file__).stat().st_mtime
    if now < built - 86_400:
        return failed(
            f"the clock says {time.strftime('%Y-%m-%d', time.gmtime(now))}: before mien was installed",
            "sudo timedatectl set-ntp true",
        )
    if not place.time_server:
        return not_run("nobody is asked for the time; name a server: mien check --time-server HOST")
    try:
        skew = _by_http(place.time_server) if "://" in place.time_server else _by_ntp(place.time_server)
    except (OSError, ValueError, struct.error) as error:
        return not_run(f"{place.time_server} does not tell the time: {error}")
    line = f"the clock is {abs(skew):.1f} s {'ahead of' if skew > 0 else 'behind'} {place.time_server}"
    if abs(skew) <= _SKEW_S[0]:
        return ok(line)
    say = failed if abs(skew) > _SKEW_S[1] else warning
    return say(f"{line}; tokens are refused beyond 5 s", "sudo timedatectl set-ntp true")


def _by_http(address: str) -> float:
    """Return how far this clock is ahead of the `Date` of an answer, in seconds: good to one."""
    import urllib.error
    import urllib.request

    began = time.time()
    request = urllib.request.Request(address, method="HEAD")
    try:
        with urllib.request.urlopen(request, timeout=_WAIT_S) as answer:
            told = answer.headers.get("Date", "")
    except urllib.error.HTTPError as error:
        told = error.headers.get("Date", "")
    return (began + time.time()) / 2 - email.utils.parsedate_to_datetime(told).timestamp() - 0.5


def _by_ntp(server: str) -> float:
    """Return how far this clock is ahead of an NTP server's, in seconds (RFC 4330)."""
    host, _, port = server.partition(":")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(_WAIT_S)
        began = time.time()
        asking.sendto(b"\x1b" + 47 * b"\0", (host, int(port or _NTP_PORT)))
        answer, _ = asking.recvfrom(48)
        ended = time.time()
    whole, part = struct.unpack("!II", answer[40:48])
    return (began + ended) / 2 - (int(whole) - _NTP_EPOCH + int(part) / 2**32)
