"""A head from wherever it comes: a built-in person, a recipe, a file of mien's, a file made elsewhere."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from mien import packs
from mien.avatar import cache, recipe
from mien.avatar.build.person import Person, people
from mien.avatar.design import NAME
from mien.avatar.files import container, extras
from mien.avatar.model import Avatar
from mien.contents import contents
from mien.errors import InputError, MissingError, nearest
from mien.progress import Progress, silent

SUFFIXES = (*container.SUFFIXES, ".toml", ".npz")


def load(name: str | Path, progress: Progress = silent) -> Avatar:
    """Return a head by the name of a built-in person or by a file's path.

    `.toml` is a person's recipe, `.glb` one that `mien avatar create` wrote or any other head with morph
    targets, `.vrm` and `.gltf` likewise, `.npz` a kept head. What takes long is done once, told to `progress`
    and kept in `$MIEN_HOME/avatars`. Raises `InputError` for a name that is not known, a recipe or a file
    that can not be used; `MissingError` when a file, a pack or an extra is not there; `CorruptError` for a
    file that is broken.
    """
    name = str(name)
    suffix = Path(name).suffix.lower()
    if suffix not in SUFFIXES:
        return _built_in(name, progress)
    if suffix == ".npz":
        return cache.read(Path(name))
    if (person := person_of(name)) is not None:
        return cache.load_person(person, progress)
    return _foreign(Path(name), progress)


def person_of(name: str | Path) -> Person | None:
    """Return who a name, a recipe or a file of mien's is; None for a head that was made elsewhere.

    Raises what `load` raises.
    """
    from mien.avatar.build.person import read_person

    path = Path(name)
    if path.suffix.lower() == ".toml":
        try:
            text = contents(path, "recipe").decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(f"{path}: not UTF-8 text; save it as UTF-8") from None
        return recipe.parse(text, _name(path))
    if path.suffix.lower() in container.SUFFIXES:
        found = extras.recipe_of(container.open_file(path))
        return None if found is None else recipe.parse(found, _name(path))
    return None if path.suffix.lower() == ".npz" else read_person(str(name))


def _name(path: Path) -> str:
    return path.stem if NAME.fullmatch(path.stem) else "person"


def _built_in(name: str, progress: Progress) -> Avatar:
    if name not in people():
        if "/" in name or "." in name:
            raise MissingError(f"no avatar {name}; give a name ({', '.join(people())}) or one of {_all()}")
        raise InputError(f"no avatar {name!r}{nearest(name, people())}")
    return cache.load(name, progress)


def _all() -> str:
    return " ".join(SUFFIXES)


def _foreign(path: Path, progress: Progress) -> Avatar:
    """Return a foreign head, fitted and lit once."""
    from mien.avatar import foreign

    digest = hashlib.sha256(str(cache.FORMAT).encode())
    for data in (*_code(), contents(path, "head"), path.name.encode()):
        digest.update(data)
    for data in container.beside(container.open_file(path)):
        digest.update(data)
    kept = packs.home() / "avatars" / f"foreign-{digest.hexdigest()[:16]}.npz"
    return cache.keep(kept, lambda: foreign.read(path, progress))


def _code() -> Sequence[bytes]:
    here = Path(__file__).parent
    return [
        path.read_bytes()
        for folder in ("build", "foreign", "files")  # a foreign head is lit by the builder
        for path in sorted((here / folder).glob("*.*"))
    ]
