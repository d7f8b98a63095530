import gzip

import numpy as np
import pytest

from mien.avatar.build.human import joint, read_human, read_target
from mien.avatar.build.person import Phenotype
from mien.avatar.build.phenotype import macro_weights
from mien.errors import CorruptError, MissingError


def test_the_base_mesh_is_what_it_is_known_as(human):
    assert human.vertices.shape == (19158, 3)
    assert human.uvs.shape == (21334, 2)
    assert human.faces["body"].shape == (13378, 4, 2)
    left, right = joint(human.vertices, "left_eye"), joint(human.vertices, "right_eye")
    assert np.allclose(left * [-1, 1, 1], right, atol=1e-3)


def test_the_head_follows_the_head_and_the_chest_does_not(human):
    weights = human.head_weights()
    height = human.vertices[:13380, 1] - joint(human.vertices, "head")[1]
    assert (weights[:13380][height > 1.0] > 0.95).all()
    assert (weights[:13380][height < -4] < 0.05).all()


def test_reads_plain_and_gzipped_targets(tmp_path):
    text = b"# a comment\n\n3 0.5 -1 0\n7 1 2 3\n"
    plain, zipped = tmp_path / "a.target", tmp_path / "b.target.gz"
    plain.write_bytes(text)
    zipped.write_bytes(gzip.compress(text))
    deltas = read_target(plain)
    assert deltas[3].tolist() == [0.5, -1, 0]
    assert np.flatnonzero(deltas.any(axis=1)).tolist() == [3, 7]
    assert np.array_equal(deltas, read_target(zipped))


def test_an_empty_target_moves_nothing(tmp_path):
    path = tmp_path / "none.target"
    path.write_text("# nothing\n")
    assert not read_target(path).any()


def test_a_missing_target_or_mesh_says_what_to_run(tmp_path):
    with pytest.raises(MissingError, match=r"no target x\.target; run: mien packs pull human"):
        read_target(tmp_path / "x.target")
    with pytest.raises(MissingError, match="mien packs pull human"):
        read_human(tmp_path)


def test_a_cut_off_mesh_is_corrupt(tmp_path):
    folder = tmp_path / "mpfb2" / "3dobjs"
    folder.mkdir(parents=True)
    (folder / "base.obj").write_text("v 0 0 0\ng body\n")
    with pytest.raises(CorruptError, match="has 1 vertices, not 19158"):
        read_human(tmp_path)


def test_macro_weights_interpolate():
    weights = macro_weights(Phenotype(gender=1.0, age=0.5, african=0, asian=0, caucasian=1))
    assert weights["caucasian-female-child"] == pytest.approx(0.5)
    assert weights["caucasian-female-young"] == pytest.approx(0.5)
    assert "caucasian-male-young" not in weights
    bodies = sum(w for name, w in weights.items() if name.startswith("universal-"))
    assert bodies == pytest.approx(1)
