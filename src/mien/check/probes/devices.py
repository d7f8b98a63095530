"""Microphones, loudspeakers and cameras: opened, where there are any."""

from __future__ import annotations

import os
import re
import struct
import sys
from pathlib import Path
from typing import Final

from mien.check.place import Place
from mien.check.result import Result, failed, not_run, ok

_QUERYCAP: Final = 0x80685600  # VIDIOC_QUERYCAP, of linux/videodev2.h
_CAPTURE, _OUTPUT, _DEVICE_CAPS = 0x1, 0x2, 0x80000000
_LOOPBACK: Final = "v4l2 loopback"


def microphone(place: Place) -> Result:
    """Open each device that records sound."""
    return _sounds(place, "c", "microphone", "arecord -l")


def loudspeaker(place: Place) -> Result:
    """Open each device that plays sound."""
    return _sounds(place, "p", "loudspeaker", "aplay -l")


def camera(place: Place) -> Result:
    """Ask each video device whether it is a camera."""
    return _videos(place, virtual=False)


def virtual_camera(place: Place) -> Result:
    """Ask each video device whether pictures can be written to it, for other programs to see."""
    return _videos(place, virtual=True)


def _sounds(place: Place, letter: str, what: str, show: str) -> Result:
    if not sys.platform.startswith("linux"):
        return not_run(f"a {what} is tried by the browser that talks, not here")
    names = sorted(place.at("/dev/snd").glob(f"pcmC*D*{letter}"))
    if not names:
        return not_run(f"no {what} on this machine; a browser brings its own")
    refused = [reason for name in names if (reason := _opened(name))]
    if len(refused) < len(names):
        return ok(f"{len(names) - len(refused)} {what} opened", _named(place, names))
    return failed(
        f"no {what} can be opened: {refused[0]}", f"sudo usermod -aG audio $USER  # then log in again; {show}"
    )


def _opened(path: Path) -> str:
    """Return why a device can not be opened, `""` when it can or is in use by another program."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))
    except BlockingIOError:
        return ""
    except OSError as error:
        return "" if error.errno == 16 else f"{path}: {(error.strerror or '').lower()}"
    return ""


def _named(place: Place, names: list[Path]) -> str:
    cards = re.findall(r"^\s*\d+ \[.*?\]: (.*)$", place.text("/proc/asound/cards"), re.MULTILINE)
    return ", ".join(cards) or ", ".join(path.name for path in names)


def _videos(place: Place, *, virtual: bool) -> Result:
    what = "virtual camera" if virtual else "camera"
    load = "sudo modprobe v4l2loopback exclusive_caps=1 card_label=mien"
    if not sys.platform.startswith("linux"):
        return not_run(f"a {what} is not looked for on this system")
    names = sorted(place.at("/dev").glob("video*"))
    if not names:
        return not_run(f"no {what} on this machine", load if virtual else "")
    asked = [_capabilities(name) for name in names]
    wanted = _OUTPUT if virtual else _CAPTURE
    fitting = [name for name, kinds, _ in asked if kinds & wanted and (virtual or _LOOPBACK not in name)]
    if fitting:
        return ok(f"{len(fitting)} {what} answered", ", ".join(fitting))
    refused = [reason for _, _, reason in asked if reason]
    if refused and not virtual:
        return failed(f"no {what} answers: {refused[0]}", "sudo usermod -aG video $USER  # then log in again")
    return not_run(f"no {what} among {', '.join(name.name for name in names)}", load if virtual else "")


def _capabilities(path: Path) -> tuple[str, int, str]:
    """Return a video device's driver and card, what it can do, and why it does not say."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    except OSError as error:
        return "", 0, f"{path}: {(error.strerror or '').lower()}"
    try:
        import fcntl

        answer = fcntl.ioctl(handle, _QUERYCAP, bytes(104))
    except OSError as error:
        return "", 0, f"{path}: {(error.strerror or '').lower()}"
    finally:
        os.close(handle)
    driver, card = (answer[at : at + size].split(b"\0")[0].decode() for at, size in ((0, 16), (16, 32)))
    every, this = struct.unpack_from("<II", answer, 84)
    return f"{driver}: {card}", this if every & _DEVICE_CAPS else every, ""
