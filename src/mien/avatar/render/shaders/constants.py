"""`constants.glsl`: what `lights`, `tone` and `layout` say, for shaders.

The file is kept beside the other chunks because the browser reads it too; `python scripts/shaders.py`
writes it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from mien.avatar.model import MATERIALS
from mien.avatar.render import layout, lights, tone

_ROWS = ("KEY_LIGHT", "FILL_LIGHT", "RIM_LEFT", "RIM_RIGHT", "COLOR", "WALL", "MIRROR")  # of the rig
_VECTORS = ("WRAP", "BLEED", "DENTINE", "WHITE", "VEIN", "WINDOW")
_NUMBERS = ("BEND", "F0", "DETAIL", "IRIS", "PUPIL", "DEPTH")


def text() -> str:
    """Return the chunk."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "// Written by scripts/shaders.py from lights.py and tone.py; change those."
    for index, material in enumerate(MATERIALS):
        yield f"const int {material.upper()} = {index};"
    for name in _ROWS:
        yield f"const int {name} = {getattr(layout, name)};"
    for name in _NUMBERS:
        yield f"const float {name} = {_number(getattr(lights, name))};"
    for name in _VECTORS:
        yield f"const vec3 {name} = {_vector(getattr(lights, name))};"
    for name in ("WINDOW_AT", "LAMP_AT"):
        at = np.array(getattr(lights, name))
        yield f"const vec3 {name} = {_vector(at / np.linalg.norm(at))};"
    (wide, broad), (sharp, narrow) = lights.LOBES
    yield f"const vec4 LOBES = vec4({', '.join(map(_number, (wide, broad, sharp, narrow)))});"
    yield f"const float EXPOSURE = {_number(tone.EXPOSURE)};"
    rig = lights.studio()
    rows = ",\n  ".join(_vector(row) for row in rig)
    yield f"const vec3 RIG[{len(rig)}] = vec3[{len(rig)}](\n  {rows}\n);"


def _number(value: float) -> str:
    shown = f"{float(value):.7g}"
    return shown if "." in shown or "e" in shown else f"{shown}.0"


def _vector(values: Iterable[float]) -> str:
    return f"vec3({', '.join(map(_number, values))})"
