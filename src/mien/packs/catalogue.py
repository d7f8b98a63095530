"""Which packs there are: mien's own and the user's (`$MIEN_HOME/manifests`)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from mien.errors import InputError, nearest
from mien.packs.folders import manifests_folder
from mien.packs.manifest import Manifest, load

BUILT_IN = Path(__file__).with_name("manifests")
GROUPS = {  # and `all`
    "core": ("voice-joe", "human"),
    "listen": ("silero-vad", "smart-turn", "whisper-tiny-en"),
}


def names() -> list[str]:
    """Return the names of all packs, sorted."""
    return sorted(_files())


def manifest(name: str) -> Manifest:
    """Return one pack's manifest; raises `InputError` with the nearest name."""
    files = _files()
    if name not in files:
        raise InputError(f"no pack {name!r}{nearest(name, [*files, *GROUPS, 'all'])}")
    file = files[name]
    return _load(file, file.stat().st_mtime_ns)


def select(wanted: Iterable[str]) -> list[Manifest]:
    """Return the manifests of packs and groups (`core`, `listen`, `all`), each once, in the order given."""
    out: dict[str, Manifest] = {}
    for name in wanted:
        members = names() if name == "all" else GROUPS.get(name, (name,))
        out.update((member, manifest(member)) for member in members)
    return list(out.values())


def _files() -> dict[str, Path]:
    files = {file.stem: file for file in manifests_folder().glob("*.toml")}
    return files | {file.stem: file for file in BUILT_IN.glob("*.toml")}


@cache
def _load(file: Path, _changed_ns: int) -> Manifest:
    return load(file)
