"""Draw the golden pictures again, after a change of the looks that is wanted: look at them before you commit.

python -m pytest tests/avatar/render/make_golden.py
"""

from __future__ import annotations

from pathlib import Path

from mien.avatar.model import Avatar
from mien.avatar.render import SoftwareRenderer, save_png

from .test_renderer import GOLDEN, SIZE, SPEAKING, pose


def test_draw(toy: Avatar) -> None:
    Path(GOLDEN).mkdir(exist_ok=True)
    with SoftwareRenderer(toy, SIZE) as renderer:
        save_png(renderer.render(pose()), GOLDEN / "neutral.png")
        save_png(renderer.render(SPEAKING), GOLDEN / "speaking.png")
