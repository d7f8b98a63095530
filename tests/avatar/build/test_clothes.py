import numpy as np
import pytest

from mien.avatar.build.clothes import make_clothes
from mien.avatar.build.human import joint
from mien.avatar.build.outfits import OUTFITS
from mien.avatar.build.person import Clothes
from mien.avatar.build.surface import Surface
from mien.errors import InputError

COLORS = ((0.8, 0.8, 0.8), (0.1, 0.2, 0.3), (0.3, 0.2, 0.1))


@pytest.fixture(scope="module", params=sorted(OUTFITS))
def worn(human, cast, request):
    return make_clothes(human, cast, Clothes(*COLORS, outfit=request.param))


def test_an_unknown_outfit_names_the_nearest(human, cast):
    with pytest.raises(InputError, match=r"no outfit 'sweter'; did you mean 'sweater'\?"):
        make_clothes(human, cast, Clothes(*COLORS, outfit="sweter"))


def test_clothes_lie_on_the_body(worn, skin):
    points, normals, _, first = skin.welded()
    body = Surface.of(points[~skin.in_mouth[first]], normals[~skin.in_mouth[first]])
    for part in worn[0]:
        near = part.positions[(part.positions[:, 1] > -2.4) & (np.abs(part.positions[:, 0]) < 1.5)]
        distance, _ = body.distance(near)
        assert distance.min() > -0.12, part.name
        assert np.isfinite(part.normals).all()


def test_strips_are_mirror_images_with_straight_edges(worn):
    for part in worn[0]:
        if "collar" not in part.name and part.name not in ("lapel", "neckband", "roll", "facing"):
            continue
        left, right = np.split(part.positions, 2)
        assert np.allclose(left, right * [-1, 1, 1])
        columns = len({round(u, 6) for u in part.uvs[: len(left), 0]})
        lines = left.reshape(-1, columns, 3)
        bends = np.linalg.norm(np.diff(lines, n=2, axis=1), axis=2)
        steps = np.linalg.norm(np.diff(lines, axis=1), axis=2)
        assert np.median(bends / steps[:, 1:]) < 0.25, part.name  # no scallops


def test_necks_are_close_to_the_neck_and_colours_are_those_asked_for(worn, cast):
    parts, field = worn
    neck = joint(cast.vertices, "neck")
    assert field(neck[None] + [[0, 0.6, 0.4]]) > 0
    assert field(neck[None] - [[0, 1.2, -0.6]]) < 0
    outer = parts[-1].color.mean(axis=0)
    assert any(np.allclose(outer / outer.sum(), np.array(c) / sum(c), atol=0.02) for c in COLORS)
    assert sum(len(part.triangles) for part in parts) < 12_000


def test_only_what_lies_at_the_neck_turns_with_the_head(worn):
    """The rest is drawn once; its weight must be none at all."""
    for part in worn[0]:
        low = part.positions[:, 1] < part.positions[:, 1].max() - 1.2
        assert (part.head_weight[low] == 0).all(), part.name
    weights = np.concatenate([part.head_weight for part in worn[0]])
    assert (weights == 0).mean() > 0.3
    assert 0.03 < weights.max() < 0.7
