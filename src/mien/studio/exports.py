"""A head leaves the studio: as a file to download, or as a persona in the folder where the studio began."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mien.atomic import check, write_bytes
from mien.avatar import recipe
from mien.avatar.build.person import Person
from mien.avatar.files import glb, vrm
from mien.avatar.model import Avatar
from mien.avatar.render import SoftwareRenderer
from mien.errors import InputError, nearest
from mien.persona import spec as specs
from mien.studio.asked import View
from mien.studio.easel import encoded

TYPES: Mapping[str, str] = {
    "toml": "application/toml",
    "glb": "model/gltf-binary",
    "vrm": "model/gltf-binary",
    "png": "image/png",
}
PICTURE = (1024, 1024)
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True)
class Export:
    """What is asked for: a person of a name, in a view."""

    person: Person
    view: View


def check_kind(kind: str) -> str:
    """Return a kind of file; raises `InputError`."""
    if kind not in TYPES:
        raise InputError(f"no export {kind!r}{nearest(kind, TYPES)}")
    return kind


def check_name(name: object) -> str:
    """Return a name that files and people may have; raises `InputError`."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise InputError(f"a person can not be called {name!r}; use letters, digits, - and _, at most 40")
    return name


def recipe_of(export: Export) -> bytes:
    """Return the recipe, for which no head need be built."""
    return recipe.to_toml(export.person).encode()


def data(kind: str, export: Export, head: Avatar) -> bytes:
    """Return the bytes of a GLB, VRM or PNG; `head` is the whole head of the person."""
    if kind == "png":
        return _png(head, export.view)
    text, head = recipe.to_toml(export.person), replace(head, name=export.person.name)
    with tempfile.TemporaryDirectory(prefix="mien-") as folder:
        path = Path(folder) / f"{export.person.name}.{kind}"
        if kind == "glb":
            glb.write(path, head, compress=True, recipe=text)
        else:
            vrm.write(path, head, recipe=text)
        return path.read_bytes()


def _png(head: Avatar, view: View) -> bytes:
    with SoftwareRenderer(head, PICTURE, background=view.background) as renderer:
        return encoded(renderer.render(view.posed()), "PNG")


def persona(person: Person, voice_of: str, background: str, folder: Path) -> list[Path]:
    """Write NAME.toml, a persona with the voice and the manners of another one, and NAME-head.toml, its
    recipe, beside it; returns both paths.

    Raises `InputError` when one of them is there already, `ResourceError` when the folder refuses.
    """
    file, head = folder / f"{person.name}.toml", folder / f"{person.name}-head.toml"
    for path in (file, head):
        if path.exists():
            raise InputError(f"{path.name} is there already; choose another name, or remove it")
        check(path)
    text = _persona(specs.read(voice_of), person.name, head.name, background)
    write_bytes(head, recipe.to_toml(person).encode())
    write_bytes(file, text.encode())
    specs.read(str(file))
    return [file, head]


def _persona(like: specs.PersonaSpec, name: str, head: str, background: str) -> str:
    """Return a persona's TOML."""
    top = {"title": name, "language": like.language, "avatar": head, "volume": like.volume}
    if background != "transparent":
        top["background"] = background
    mood = like.manners.mood
    manners = {"energy": like.manners.energy, "emotion": str(mood.name), "strength": mood.strength}
    lines = [f'# A persona of mien: mien say -p {name}.toml "Hello." -o hello.mp4', *_rows(top)]
    lines += ["", "[voice]", *_rows(like.voice), "", "[manners]", *_rows(manners)]
    return "\n".join(lines) + "\n"


def _rows(table: Mapping[str, object]) -> list[str]:
    return [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in table.items()]
