import numpy as np
import pytest

from mien.avatar.build.cull import drop_unseen, simplify
from mien.avatar.build.draft import draft
from mien.avatar.build.human import joint
from mien.avatar.build.skin import make_skin

SQUARES = np.array([[0, 1, 2], [2, 3, 0], [4, 5, 6]])


def three(material, **more):
    points = np.random.default_rng(0).random((7, 3))
    return draft("part", material, points, SQUARES.copy(), **more)


@pytest.mark.parametrize(("material", "kept"), [("skin", 2), ("cloth", 2), ("hair", 1), ("strand", 3)])
def test_what_shows_stays_and_of_skin_and_cloth_its_neighbours(material, kept):
    part = three(material)
    drop_unseen([part], [np.array([50, 0, 0])])
    assert len(part.triangles) == kept


def test_a_broad_lock_must_show_more_than_a_fine_hair():
    seen = [np.array([20, 20, 20])]
    broad, fine = three("hair"), three("hair")
    fine.positions = fine.positions * 0.01
    drop_unseen([broad], seen)
    drop_unseen([fine], seen)
    assert (len(broad.triangles), len(fine.triangles)) == (0, 3)


def test_skin_that_moves_stays_though_it_is_hidden():
    moved = np.zeros((7, 3))
    moved[5, 1] = 0.01
    part = three("skin", morphs={"eyeBlinkLeft": moved})
    drop_unseen([part], [np.array([0, 0, 0])])
    assert len(part.triangles) == 1


def test_a_simpler_skin_has_no_cracks_and_its_face_in_full(human, cast):
    skin = make_skin(human, cast)
    before = skin.draft.triangles
    simplify(skin)
    after = skin.draft.triangles
    assert len(after) < 0.8 * len(before)

    def rims(triangles):
        """Edges that only one triangle has, as pairs of places."""
        edges = np.sort(skin.weld[triangles][:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
        edges, uses = np.unique(edges, axis=0, return_counts=True)
        return edges[uses == 1]

    assert len(rims(after)) <= len(rims(before))  # only the base mesh's own open edges
    middle = skin.draft.positions[before].mean(axis=1)
    face = (middle[:, 1] > -1.0) & (middle[:, 2] > 0.5)
    assert face.sum() > 5000
    assert set(map(tuple, before[face])) <= set(map(tuple, after))
    neck = joint(cast.vertices, "neck")
    assert skin.draft.positions[after].mean(axis=1)[:, 2].min() < neck[2] - 0.3  # the nape is there
