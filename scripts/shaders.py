"""Writes the shader chunk that holds the light's numbers; run it after a change of lights.py or tone.py."""

from pathlib import Path

from mien.avatar.render.shaders import constants

Path(constants.__file__).with_name("constants.glsl").write_text(constants.text(), "utf-8")
