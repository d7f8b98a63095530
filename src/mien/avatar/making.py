"""A designed person becomes a file."""

from __future__ import annotations

from pathlib import Path

from mien.atomic import check, write_bytes
from mien.avatar import cache, recipe
from mien.avatar.design import NAME, Wishes, design
from mien.errors import InputError, nearest
from mien.progress import Progress, silent

SUFFIXES = (".glb", ".vrm", ".toml")


def make(wishes: Wishes, out: Path, *, compress: bool = True, progress: Progress = silent) -> str:
    """Write the person wished for as `.glb`, `.vrm` or `.toml`; returns what was made, in words.

    Raises `InputError` for a wish that can not be granted or another suffix, `ResourceError` when the file
    can not be written; nothing is left then.
    """
    suffix = out.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"can not write {out.name!r}: unknown suffix {suffix!r}{nearest(suffix, SUFFIXES)}")
    person = design(wishes, out.stem if NAME.fullmatch(out.stem) else "me")
    recipe.check(person)
    check(out)
    text = recipe.to_toml(person)
    if suffix == ".toml":
        write_bytes(out, text.encode())
        return "a recipe"
    head = cache.load_person(person, progress)
    progress("writing the file", 0.0)
    if suffix == ".vrm":
        from mien.avatar.files import vrm

        vrm.write(out, head, recipe=text)
    else:
        from mien.avatar.files import glb

        glb.write(out, head, compress=compress, recipe=text)
    return f"{out.stat().st_size / 1e6:.1f} MB"
