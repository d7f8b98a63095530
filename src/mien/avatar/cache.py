"""Avatars as files, and the built-in ones built once and kept."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from filelock import FileLock

from mien import packs
from mien.atomic import refused, replacing
from mien.avatar.model import Avatar, Morph, Part
from mien.avatar.pruning import prune
from mien.errors import CorruptError, InputError, MissingError, nearest, require
from mien.progress import Progress, silent

if TYPE_CHECKING:
    from mien.avatar.build.person import Person

FORMAT = 1
LIBRARIES = ("numba", "PIL.Image", "scipy.sparse")  # of the builder
ARRAYS = (
    "positions",
    "normals",
    "uvs",
    "triangles",
    "head_weight",
    "occlusion",
    "key_light",
    "color",
    "extra",
)
WHOLE = ("skin", "eye_centers", "pivot", "iris")
OPTIONAL = ("skin_detail",)
STAMP = (1980, 1, 1, 0, 0, 0)  # of every zip member, so that equal avatars are equal files


def load(name: str, progress: Progress = silent) -> Avatar:
    """Return a head by the name of a built-in person (`ava`, `joe`), or by the path of an `.npz` file.

    The first use of a person builds the head from the pack `human` (some ten seconds, told to `progress`)
    and keeps it in `$MIEN_HOME/avatars`. Raises `InputError` for an unknown name, `MissingError` when the
    file, the pack or the extra is not there, `CorruptError` when the file is not an avatar.
    """
    if name.endswith(".npz"):
        return read(Path(name))
    from mien.avatar.build.person import people, read_person

    if name not in people():
        raise InputError(f"no avatar {name!r}{nearest(name, people())}")
    return keep(cached_path(name), lambda: _build(read_person(name), progress))


def load_person(person: Person, progress: Progress = silent) -> Avatar:
    """Return the head of a person who is not built in, built and kept like those that are.

    Raises what `load` raises.
    """
    recipe = repr(person).encode()
    return keep(cached_path(f"own_{person.name}", recipe), lambda: _build(person, progress))


def keep(path: Path, make: Callable[[], Avatar]) -> Avatar:
    """Return the head kept at `path`; else make it and keep it, one process at a time."""
    if avatar := _kept(path):
        return avatar
    for library in LIBRARIES:
        require(library, extra="video")
    make_folder(path.parent)
    with _locked(path):
        avatar = _kept(path) or make()
        if not path.is_file():
            write(path, avatar)
            prune(path.parent)
    return avatar


def _build(person: Person, progress: Progress) -> Avatar:
    from mien.avatar.build.assemble import build

    return build(person, lambda share, what: progress(what, share))


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock of a kept head between processes; raises `ResourceError` where none can be made."""
    lock = FileLock(path.with_suffix(".lock"))
    try:
        lock.acquire()
    except OSError as error:
        raise refused(error, path) from None
    try:
        yield
    finally:
        lock.release()


def _kept(path: Path) -> Avatar | None:
    """Return the avatar that was kept, or None; one that was damaged goes away and is built again."""
    try:
        avatar = read(path)
    except MissingError:
        return None
    except CorruptError:
        path.unlink(missing_ok=True)
        return None
    touch(path)
    return avatar


def touch(path: Path) -> None:
    """Remember that a kept head was used now; see `pruning`."""
    with suppress(OSError):
        os.utime(path)


def make_folder(path: Path) -> None:
    """Make a folder and those above it; raises `ResourceError`."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused(error, path) from None


def cached_path(name: str, recipe: bytes | None = None) -> Path:
    """Return where a person's head is kept: the name holds a digest of all that it is made from.

    `recipe`: of a person who is not built in.
    """
    here = Path(__file__).parent
    code = [*sorted((here / "build").glob("*.py")), here / "model.py"]
    digest = hashlib.sha256(f"{FORMAT}".encode())
    for path in code if recipe is not None else [*code, here / "people" / f"{name}.toml"]:
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    digest.update(recipe or b"")
    digest.update(_pack_stamp(packs.path("human")))
    return packs.home() / "avatars" / f"{name}-{digest.hexdigest()[:16]}.npz"


def _pack_stamp(root: Path) -> bytes:
    """Return what tells one version of the pack from another."""
    base = root / "mpfb2" / "3dobjs" / "base.obj"
    if not base.is_file():
        raise MissingError("pack 'human' is not installed; run: mien packs pull human")
    units = sorted((root / "faceunits01" / "targets" / "faceunits").glob("*.target"))
    return json.dumps([(path.name, path.stat().st_size) for path in (base, *units)]).encode()


def write(path: Path, avatar: Avatar) -> None:
    """Write an avatar as an uncompressed `.npz`, whole or not at all; equal avatars give equal bytes."""
    make_folder(path.parent)
    with replacing(path) as aside, zipfile.ZipFile(aside, "w") as archive:
        for name, array in _arrays(avatar).items():
            with archive.open(zipfile.ZipInfo(f"{name}.npy", STAMP), "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)


def _arrays(avatar: Avatar) -> dict[str, np.ndarray[Any, Any]]:
    parts: list[dict[str, Any]] = []
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    for part in avatar.parts:
        morphs = [(name, len(morph.indices)) for name, morph in part.morphs.items()]
        parts.append(
            {"name": part.name, "material": part.material, "two_sided": part.two_sided, "morphs": morphs}
        )
        arrays |= {f"{part.name}.{field}": getattr(part, field) for field in ARRAYS}
        for field in ("indices", "positions", "normals"):
            rows = [getattr(morph, field) for morph in part.morphs.values()]
            if rows:
                arrays[f"{part.name}.morph_{field}"] = np.concatenate(rows)
    about = {
        "format": FORMAT, "name": avatar.name, "eye_radius": avatar.eye_radius,
        "credits": avatar.credits, "parts": parts,
    }  # fmt: skip
    arrays |= {field: getattr(avatar, field) for field in WHOLE}
    arrays |= {field: rows for field in OPTIONAL if (rows := getattr(avatar, field)) is not None}
    return {"about": np.frombuffer(json.dumps(about).encode(), np.uint8), **arrays}


def read(path: Path) -> Avatar:
    """Read an avatar that `write` wrote; raises `MissingError` or `CorruptError`."""
    if not path.is_file():
        raise MissingError(f"no avatar file {path}; give a path that exists or a built-in name")
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            about = json.loads(archive["about"].tobytes())
            if about["format"] != FORMAT:
                raise CorruptError(
                    f"{path} has avatar format {about['format']}, not {FORMAT}; build it again"
                )
            return Avatar(
                name=about["name"],
                parts=tuple(_part(archive, entry) for entry in about["parts"]),
                eye_radius=about["eye_radius"],
                credits=about["credits"],
                **{field: archive[field] for field in WHOLE},
                **{field: archive[field] for field in OPTIONAL if field in archive},
            )
    except (ValueError, KeyError, TypeError, EOFError, OSError, zipfile.BadZipFile):
        raise CorruptError(f"{path} is not a mien avatar; build it again or give another file") from None


def _part(archive: Mapping[str, np.ndarray[Any, Any]], entry: Mapping[str, Any]) -> Part:
    name, morphs, start = entry["name"], {}, 0
    if entry["morphs"]:
        indices, positions, normals = (
            archive[f"{name}.morph_{f}"] for f in ("indices", "positions", "normals")
        )
    for morph, count in entry["morphs"]:
        rows = slice(start, start + count)
        morphs[morph] = Morph(indices[rows], positions[rows], normals[rows])
        start += count
    part = Part(
        name=name,
        material=entry["material"],
        two_sided=entry["two_sided"],
        morphs=morphs,
        **{field: archive[f"{name}.{field}"] for field in ARRAYS},
    )
    _check(part)
    return part


def _check(part: Part) -> None:
    """Raise `ValueError` for rows that do not fit: the renderer's kernels look at no bounds."""
    count = len(part.positions)
    rows = (len(getattr(part, field)) for field in ARRAYS if field != "triangles")
    indices = [part.triangles, *(morph.indices for morph in part.morphs.values())]
    moves = (len(m.indices) == len(m.positions) == len(m.normals) for m in part.morphs.values())
    if any(n != count for n in rows) or not all(moves):
        raise ValueError("rows are missing")
    if any(array.min(initial=0) < 0 or array.max(initial=-1) >= count for array in indices):
        raise ValueError("a vertex is named that is not there")
