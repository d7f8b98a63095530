"""The same head, pose and light from the software renderer and from OpenGL.

Both draw every triangle here. They differ where edges are: the four samples of a pixel lie elsewhere in it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.avatar.render import SoftwareRenderer
from mien.avatar.render.gl import GlRenderer
from mien.face.pose import FacePose, weights

SIZE, FACE = (320, 320), (slice(60, 250), slice(80, 240))
MEAN, MOST = 3.0, 33  # levels of 255 in the face: on average, and of 99 in 100 pixels
SMOOTH = 0.7  # of the pixels within the edges; they differ by one level
POSES = {
    "rest": FacePose(),
    "smile": FacePose(
        weights({"mouthSmile": 0.8, "cheekSquint": 0.4, "jawOpen": 0.15}),
        head=np.array([0.35, 0.05, 0], np.float32),
    ),
    "ah": FacePose(weights({"jawOpen": 0.6, "eyeBlink": 0.5}), head=np.array([-0.3, 0, 0.05], np.float32)),
    "look": FacePose(
        weights({"eyeWide": 0.5, "mouthFunnel": 0.5}), gaze=np.full((2, 2), (0.2, 0.1), np.float32)
    ),
}


def distance(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> NDArray[np.int64]:
    return np.abs(a.astype(np.int64) - b)[FACE]


def test_software_and_opengl_show_the_same(person, stage):
    with (
        SoftwareRenderer(person, SIZE, reduced=False) as software,
        GlRenderer(person, SIZE, stage=stage) as drawn,
    ):
        for name, pose in POSES.items():
            apart = distance(software.render(pose), drawn.render(pose))
            assert apart.mean() < MEAN, name
            assert np.percentile(apart, 99) <= MOST, name
            assert (apart <= 2).mean() > SMOOTH, name


def test_transparent_pictures_have_the_same_outline(person, stage):
    pair = [
        kind(person, SIZE, background="transparent", **more)
        for kind, more in ((SoftwareRenderer, {"reduced": False}), (GlRenderer, {"stage": stage}))
    ]
    with pair[0] as software, pair[1] as drawn:
        alphas = [renderer.render(FacePose())[..., 3].astype(int) for renderer in (software, drawn)]
    assert np.abs(alphas[0] - alphas[1]).mean() < 1
