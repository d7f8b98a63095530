"""Avatar in a pose → picture: what every renderer does (`Renderer`), and the one that needs only a CPU."""

from mien.avatar.render.camera import Camera
from mien.avatar.render.choice import RENDERERS, open_renderer
from mien.avatar.render.picture import save_png, sheet
from mien.avatar.render.renderer import Renderer
from mien.avatar.render.software import SoftwareRenderer
from mien.avatar.render.warmup import compiled, warm_up

__all__ = [
    "RENDERERS",
    "Camera",
    "Renderer",
    "SoftwareRenderer",
    "compiled",
    "open_renderer",
    "save_png",
    "sheet",
    "warm_up",
]
