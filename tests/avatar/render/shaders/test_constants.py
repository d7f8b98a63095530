from __future__ import annotations

import re

from mien.avatar.render import lights
from mien.avatar.render.shaders import chunk, constants


def test_the_chunk_says_what_the_light_is():
    assert chunk("constants") == constants.text(), "run: python scripts/shaders.py"


def test_numbers_are_floats_of_glsl():
    for number in re.findall(r"= (?:vec3)?\(?([-\d.e]+)", constants.text().split("RIG")[0]):
        assert re.fullmatch(r"\d+|-?\d+\.\d+(e-?\d+)?", number)
    assert f"const float F0 = {lights.F0};" in constants.text()
