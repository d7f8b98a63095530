from __future__ import annotations

import re
from importlib.resources import files

import numpy as np
from PIL import Image

from mien.avatar.render import lights, streaks
from mien.avatar.render.shaders import chunk, constants


def test_the_chunk_says_what_the_light_is():
    assert chunk("constants") == constants.text(), "run: python scripts/shaders.py"


def test_numbers_are_floats_of_glsl():
    for number in re.findall(r"= (?:vec3)?\(?([-\d.e]+)", constants.text().split("RIG")[0]):
        assert re.fullmatch(r"\d+|-?\d+\.\d+(e-?\d+)?", number)
    assert f"const float F0 = {lights.F0};" in constants.text()


def test_the_picture_of_hair_is_the_texture_of_hair():
    file = files("mien.avatar.render.shaders").joinpath("streaks.png")
    with file.open("rb") as opened, Image.open(opened) as picture:
        kept = np.asarray(picture)
    assert np.array_equal(kept, np.round(streaks.texture() * 255)), "run: python scripts/shaders.py"
