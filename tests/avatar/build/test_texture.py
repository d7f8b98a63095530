import numpy as np
from PIL import Image

from mien.avatar.build.layers import to_srgb
from mien.avatar.build.masks import read_mask
from mien.avatar.build.noise import cells, fractal_noise, value_noise
from mien.avatar.build.texture import bleed, cover_texels

UVS = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
TRIANGLES = np.array([[0, 1, 2], [0, 2, 3]])


def test_texels_carry_what_vertices_have():
    texels = cover_texels(UVS, TRIANGLES, 8)
    assert len(texels.corners) == 64
    u, v = texels.spread(UVS).T
    assert np.allclose(u, (texels.where[1] + 0.5) / 8)
    assert np.allclose(v, 1 - (texels.where[0] + 0.5) / 8)


def test_bleed_fills_around_the_covered():
    picture, covered = np.zeros((9, 9, 4)), np.zeros((9, 9), bool)
    picture[4, 4], covered[4, 4] = 0.5, True
    grown = bleed(picture, covered, reach=2)
    assert np.allclose(grown[4, 2:7], 0.5)
    assert not grown[0].any()


def test_masks_are_read_bilinear(tmp_path):
    path = tmp_path / "mask.png"
    Image.fromarray(np.array([[0, 255], [0, 255]], np.uint8)).save(path)
    assert np.allclose(
        read_mask(path, np.array([[0.0, 0.5], [0.5, 0.5], [1.0, 0.5]])), [0, 0.5, 1], atol=2e-3
    )


def test_noise_repeats_stays_in_range_and_is_smooth():
    points = np.random.default_rng(0).uniform(-9, 9, (500, 3))
    noise = value_noise(points)
    assert np.array_equal(noise, value_noise(points))
    assert 0 <= noise.min() < 0.2
    assert 0.8 < noise.max() <= 1
    assert np.abs(value_noise(points + 1e-4) - noise).max() < 1e-2
    assert fractal_noise(points).max() < 1


def test_cells_tell_the_nearest_seed_and_its_number():
    points = np.random.default_rng(1).uniform(-4, 4, (400, 3))
    away, seed = cells(points)
    again, same = cells(points + 1e-6)
    assert 0 <= away.min() < away.max() < 1.5
    assert (np.abs(again - away) < 1e-5).all()
    assert (same == seed).mean() > 0.99
    assert len(np.unique(seed)) > 100


def test_srgb_at_its_known_points():
    assert np.allclose(to_srgb(np.array([0, 0.0031308, 0.2140411, 1])), [0, 0.04045, 0.5, 1], atol=1e-4)
