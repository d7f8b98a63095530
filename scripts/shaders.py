"""Writes what the shaders take from Python: the light's numbers, and the texture of hair.

Run it after a change of lights.py, tone.py or streaks.py.
"""

from pathlib import Path

import numpy as np

from mien.avatar.render import save_png, streaks
from mien.avatar.render.shaders import constants

here = Path(constants.__file__).parent
(here / "constants.glsl").write_text(constants.text(), "utf-8")
save_png(np.round(streaks.texture() * 255).astype(np.uint8), here / "streaks.png")
