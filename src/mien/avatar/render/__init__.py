"""Avatar in a pose → picture, on the CPU, without any graphics library."""

from mien.avatar.render.camera import Camera
from mien.avatar.render.picture import save_png, sheet
from mien.avatar.render.renderer import Renderer
from mien.avatar.render.warmup import compiled, warm_up

__all__ = ["Camera", "Renderer", "compiled", "save_png", "sheet", "warm_up"]
