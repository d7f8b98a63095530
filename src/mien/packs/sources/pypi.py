"""Wheels by `pip download`, which follows the user's pip configuration (mirrors, proxies, certificates)."""

from __future__ import annotations

import errno
import importlib.util
import re
import shutil
import sys
import tempfile
from pathlib import Path

from mien.errors import MissingError, ResourceError
from mien.packs.manifest import Archive
from mien.packs.sources import local, tool
from mien.packs.sources.tool import Seen

_OFFLINE = (
    "connection error",
    "connection broken",
    "failed to establish a new connection",
    "max retries exceeded",
    "name resolution",
    "network is unreachable",
    "read timed out",
)


def fetch(archive: Archive, downloads: Path, seen: Seen) -> Path:
    """Return the wheel; a finished one in `downloads` is used again."""
    stem = re.sub(r"[-_.]+", "_", archive.name)
    kept = local.kept(archive, downloads, f"{stem}-{archive.version}-*.whl")
    if kept:
        return kept
    with tempfile.TemporaryDirectory(prefix=".pip-", dir=downloads) as aside:
        status, said = tool.run([*_pip(), *_arguments(archive), "--dest", aside], Path(aside), seen)
        if status:
            raise _failure(archive, said)
        (wheel,) = Path(aside).glob("*.whl")
        local.check(wheel, archive)
        return wheel.rename(downloads / wheel.name)


def _pip() -> list[str]:
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    for name, command in (("pip3", ["pip3"]), ("pip", ["pip"]), ("uvx", ["uvx", "pip"])):
        if shutil.which(name):
            return command
    raise MissingError("pip is not here to download with; run: python -m ensurepip")


def _arguments(archive: Archive) -> list[str]:
    options = ["download", "--no-deps", "--only-binary", ":all:", "--no-input", "--quiet"]
    if archive.platform:
        options += ["--platform", archive.platform]
    if archive.python:
        abi = "cp" + archive.python.replace(".", "")
        options += ["--python-version", archive.python, "--implementation", "cp", "--abi", abi]
    else:  # a pure wheel must not be refused for the Python that runs mien
        options += ["--ignore-requires-python"]
    return [*options, f"{archive.name}=={archive.version}"]


def _failure(archive: Archive, said: str) -> Exception:
    if "No space left on device" in said:
        return OSError(errno.ENOSPC, "No space left on device")
    if any(sign in said.lower() for sign in _OFFLINE):
        return ResourceError(f"{archive}: pip reaches no package index; check the network or pip's index-url")
    return MissingError(f"{archive}: pip could not download it: {_last_error(said)}")


def _last_error(said: str) -> str:
    lines = [line.removeprefix("ERROR: ") for line in said.splitlines() if line.startswith("ERROR: ")]
    return lines[-1] if lines else (said.strip().splitlines() or ["no output"])[-1]
