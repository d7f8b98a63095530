"""npm tarballs by `npm pack`, or over HTTP from the registry that the user's configuration names."""

from __future__ import annotations

import os
import shutil
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

from mien.errors import MissingError, ResourceError
from mien.packs.blocks import BLOCK
from mien.packs.manifest import Archive
from mien.packs.sources import local, tool
from mien.packs.sources.tool import Seen

_TIMEOUT_S = 30


def fetch(archive: Archive, downloads: Path, seen: Seen) -> Path:
    """Return the tarball; a finished one in `downloads` is used again."""
    stem = archive.name.lstrip("@").replace("/", "-")
    target = downloads / f"{stem}-{archive.version}.tgz"
    kept = local.kept(archive, downloads, target.name)
    if kept:
        return kept
    npm = shutil.which("npm")
    if npm:
        return _pack(npm, archive, target, seen)
    return _download(registry(), archive, target, seen)


def registry() -> str:
    """Return the registry of `NPM_CONFIG_REGISTRY` or `~/.npmrc`; raises `MissingError` without one."""
    for name in ("NPM_CONFIG_REGISTRY", "npm_config_registry"):
        if os.environ.get(name):
            return os.environ[name].rstrip("/")
    npmrc = Path.home() / ".npmrc"
    for line in npmrc.read_text().splitlines() if npmrc.is_file() else ():
        key, _, value = line.partition("=")
        if key.strip() == "registry":
            return value.strip().rstrip("/")
    raise MissingError(
        "npm is not installed; install Node.js, or set NPM_CONFIG_REGISTRY to a registry, "
        "or bring a bundle: mien packs install FILE"
    )


def _pack(npm: str, archive: Archive, target: Path, seen: Seen) -> Path:
    with tempfile.TemporaryDirectory(prefix=".npm-", dir=target.parent) as aside:
        spec = f"{archive.name}@{archive.version}"
        status, said = tool.run(
            [npm, "pack", spec, "--silent", "--pack-destination", aside], Path(aside), seen
        )
        made = list(Path(aside).glob("*.tgz"))
        if status or not made:
            first = next(iter(said.strip().splitlines()), "no output")
            raise ResourceError(f"{archive}: npm pack failed: {first}")
        local.check(made[0], archive)
        return made[0].rename(target)


def _download(base: str, archive: Archive, target: Path, seen: Seen) -> Path:
    part = target.with_suffix(".part")
    url = f"{base}/{archive.name}/-/{archive.name.rpartition('/')[2]}-{archive.version}.tgz"
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
            mode = "ab" if answer.status == 206 else "wb"
            with part.open(mode) as out:
                while block := answer.read(BLOCK):
                    out.write(block)
                    seen(out.tell())
    except urllib.error.HTTPError as error:
        error.close()
        part.unlink(missing_ok=True)
        raise ResourceError(f"{archive}: {url} answered {error.code}") from None
    except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
        raise ResourceError(f"{archive}: no answer from {base}: {error}") from None
    part.rename(target)
    try:
        local.check(target, archive)
    except Exception:
        target.unlink()
        raise
    return target
