from __future__ import annotations

import threading

import numpy as np
import pytest

from mien.avatar.model import Avatar
from mien.avatar.render.canvas import to_planes
from mien.avatar.render.gl import GlRenderer, Stage
from mien.errors import InputError
from mien.face.pose import FacePose, weights

SIZE = (98, 70)  # no multiple of four: rows of bytes do not end with texels


@pytest.fixture
def renderer(toy: Avatar, stage: Stage):
    with GlRenderer(toy, SIZE, stage=stage) as renderer:
        yield renderer


def poses(count: int) -> list[FacePose]:
    return [FacePose(weights({"jawOpen": 0.8 * i / count, "eyeBlinkLeft": i / count})) for i in range(count)]


def test_the_same_pose_gives_the_same_bytes(renderer):
    first, other, again = (renderer.render(pose) for pose in (FacePose(), poses(3)[2], FacePose()))
    assert first.shape == (70, 98, 3)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_streams_give_what_single_pictures_give(renderer):
    alone = [renderer.render(pose) for pose in poses(8)]
    assert np.array_equal(alone, list(renderer.frames(poses(8))))
    planes = [renderer.render_yuv(pose) for pose in poses(8)]
    assert np.array_equal(planes, [frame.copy() for frame in renderer.frames_yuv(poses(8))])


@pytest.mark.parametrize("background", ["studio", "transparent"])
def test_planes_are_those_of_the_picture(toy, stage, background):
    with GlRenderer(toy, SIZE, background=background, stage=stage) as renderer:
        picture, planes = renderer.render(FacePose()), renderer.render_yuv(FacePose())
    assert planes.shape == (70 * (5 if background == "transparent" else 3) // 2, 98)
    assert np.array_equal(planes, to_planes(picture))


def test_what_is_behind_is_kept_to_the_bit(toy, stage):
    behind = np.random.default_rng(0).integers(0, 255, (70, 98, 3), np.uint8)
    with GlRenderer(toy, SIZE, background=behind, stage=stage) as renderer:
        shown = renderer.render(FacePose())
    assert np.array_equal(shown[:30, :10], behind[:30, :10])
    assert not np.array_equal(shown[30:40, 40:60], behind[30:40, 40:60])


def test_alpha_is_straight(toy, stage):
    with GlRenderer(toy, SIZE, background="transparent", stage=stage) as renderer:
        clear = renderer.render(FacePose()).astype(float)
    with GlRenderer(toy, SIZE, background="#00b140", stage=stage) as renderer:
        solid = renderer.render(FacePose()).astype(float)
    alpha = clear[..., 3:] / 255
    assert {0, 255} < set(np.unique(clear[..., 3]))
    assert np.abs(clear[..., :3] * alpha + np.array([0, 0xB1, 0x40]) * (1 - alpha) - solid).max() <= 2


def test_heads_on_one_stage_do_not_mix(toy, stage):
    with GlRenderer(toy, SIZE, stage=stage) as one, GlRenderer(toy, SIZE, stage=stage) as two:
        alone = [one.render(pose) for pose in poses(6)]
        streams = [one.frames(poses(6)), two.frames(reversed(poses(6)))]
        mixed = list(zip(*streams, strict=True))
    assert np.array_equal([first for first, _ in mixed], alone)
    assert np.array_equal([second for _, second in mixed], alone[::-1])


def test_any_thread_may_draw(renderer):
    wanted, drawn = renderer.render(FacePose()), []
    thread = threading.Thread(target=lambda: drawn.append(renderer.render(FacePose())))
    thread.start()
    thread.join()
    assert np.array_equal(drawn[0], wanted)


def test_a_stream_that_is_left_gives_its_buffers_back(renderer):
    stream = renderer.frames(poses(8))
    next(stream)
    stream.close()
    assert len(list(renderer.frames(poses(2)))) == 2


def test_out_is_drawn_into(renderer):
    out = np.empty((70, 98, 3), np.uint8)
    assert renderer.render(FacePose(), out) is out
    with pytest.raises(InputError, match="out is uint8"):
        renderer.render(FacePose(), out[:, ::2])


def test_bad_poses_are_refused(renderer):
    with pytest.raises(InputError, match="pose weights"):
        renderer.render(FacePose(np.full(52, np.nan, np.float32)))
    with pytest.raises(InputError, match="pose head"):
        list(renderer.frames([FacePose(head=np.zeros(2, np.float32))]))


def test_an_own_stage_is_closed_with_its_renderer(toy, stage):
    with GlRenderer(toy, SIZE) as renderer:
        assert renderer.render(FacePose()).any()
        own = renderer.stage
    with pytest.raises(RuntimeError):
        own.submit(lambda: None)
