"""Shaders as text."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

_HEADER = "#version 430 core\n"


def chunk(name: str, package: str = __package__) -> str:
    """Return the text of `NAME.glsl` in the folder of `package`."""
    return files(package).joinpath(f"{name}.glsl").read_text("utf-8")


def program(*texts: str, defines: Mapping[str, int] | None = None) -> str:
    """Return a shader of OpenGL 4.3: `defines`, then `texts`."""
    named = "".join(f"#define {name} {value}\n" for name, value in (defines or {}).items())
    return _HEADER + named + "\n".join(texts)
