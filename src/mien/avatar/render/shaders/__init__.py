"""The light in GLSL, once for OpenGL and for WebGL 2: text without `#version`, numbers of `lights`."""

from mien.avatar.render.shaders.chunks import chunk, program

__all__ = ["chunk", "program"]
