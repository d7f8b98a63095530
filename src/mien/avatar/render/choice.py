"""Which renderer draws: `software`, `gl`, or `auto`, which takes a GPU where there is one."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from mien.avatar.model import Avatar
from mien.avatar.render.renderer import Picture, Renderer
from mien.avatar.render.software import SoftwareRenderer
from mien.avatar.render.warmup import compiled, warm_up
from mien.errors import InputError, nearest
from mien.progress import Progress

RENDERERS = ("auto", "software", "gl")
_DEVICES = ("/dev/dri", "/dev/nvidiactl", "/dev/dxg")  # what Linux shows of GPUs


def open_renderer(
    name: str, avatar: Avatar, size: tuple[int, int], background: str | Picture, progress: Progress
) -> Renderer:
    """Return a renderer by one of `RENDERERS`; the software one is compiled first, told to `progress`.

    Raises `InputError` for another name, `MissingError` for `gl` where OpenGL or moderngl is missing.
    """
    if name not in RENDERERS:
        raise InputError(f"renderer {name!r}{nearest(name, RENDERERS)}")
    if name == "gl" or (name == "auto" and has_gpu()):
        from mien.avatar.render.gl import GlRenderer

        return GlRenderer(avatar, size, background=background)
    if not compiled():
        warm_up(lambda done, total, _: progress("compiling the renderer", done / total))
    return SoftwareRenderer(avatar, size, background=background)


def has_gpu() -> bool:
    """Return whether OpenGL draws on a GPU here; where there clearly is none, without loading OpenGL."""
    if find_spec("moderngl") is None:
        return False
    if sys.platform == "linux" and not any(Path(device).exists() for device in _DEVICES):
        return False
    from mien.avatar.render.gl import device, is_software

    found = device()
    return found is not None and not is_software(found)
