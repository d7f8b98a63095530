"""Avatar in a pose → picture on a GPU, or on Mesa's llvmpipe: OpenGL 4.3 through EGL, without a display."""

from mien.avatar.render.gl.renderer import GlRenderer
from mien.avatar.render.gl.stage import Stage, device, is_software

__all__ = ["GlRenderer", "Stage", "device", "is_software"]
