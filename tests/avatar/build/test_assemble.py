"""Whole heads: the form that renderers and files rely on."""

import dataclasses

import numpy as np
import pytest

from mien.avatar import cache
from mien.avatar.build import assemble, light, paint
from mien.avatar.build.person import read_person
from mien.avatar.correctives import is_corrective
from mien.avatar.model import MATERIALS
from mien.face.pose import ARKIT_NAMES


def test_a_head_has_all_its_parts(avatar):
    names = [part.name for part in avatar.parts]
    assert len(set(names)) == len(names)
    assert {part.material for part in avatar.parts} == set(MATERIALS) - {"plain", "eyeball"}
    moves = {name for part in avatar.parts for name in part.morphs}
    products = {name for name in moves if is_corrective(name)}
    assert moves - products == set(ARKIT_NAMES)
    assert {driver for name in products for driver in name.split("*")} <= set(ARKIT_NAMES)
    assert "CC0" in avatar.credits


def test_arrays_agree_and_are_in_range(avatar):
    for part in avatar.parts:
        count = len(part.positions)
        assert part.triangles.min() >= 0
        assert part.triangles.max() < count
        for name, width in (
            ("normals", 3),
            ("uvs", 2),
            ("occlusion", 2),
            ("key_light", 2),
            ("color", 3),
            ("extra", 4),
        ):
            rows = getattr(part, name)
            assert rows.shape == (count, width), (part.name, name)
            assert np.isfinite(rows).all(), (part.name, name)
        for rows in (part.occlusion, part.key_light, part.color, part.head_weight):
            assert rows.min() >= 0
            assert rows.max() <= 1 + 1e-6
        for name, morph in part.morphs.items():
            assert len(morph.indices) == len(morph.positions) == len(morph.normals) > 0, name
            assert morph.indices.max() < count
            assert np.abs(morph.positions).max() < 0.07, (part.name, name)


def test_a_head_is_in_metres_about_its_eyes(avatar):
    left, right = avatar.eye_centers
    assert np.allclose(left + right, 0, atol=1e-6)
    assert 0.05 < left[0] - right[0] < 0.08
    assert 0.010 < avatar.eye_radius < 0.018
    points = np.concatenate([part.positions for part in avatar.parts])
    assert 0.08 < points[:, 1].max() < 0.18
    assert avatar.part("skin").positions[:, 2].max() < 0.06


def test_a_head_is_small_enough_to_draw(avatar):
    assert sum(len(part.triangles) for part in avatar.parts) < 65_000


def test_eyeballs_yield_to_closing_lids_only(avatar):
    for name, unit in (("eye_left", "eyeBlinkLeft"), ("eye_right", "eyeBlinkRight")):
        assert set(avatar.part(name).morphs) == {unit}
        assert (avatar.part(name).morphs[unit].positions[:, 2] < 0).all()


def test_an_eyeball_carries_no_shadow_of_the_lids_along(avatar):
    for name in ("eye_left", "eye_right"):
        eye = avatar.part(name)
        front = eye.extra[:, 2] > 0.93
        assert eye.occlusion.min() > 0.7 * eye.occlusion[front].mean()


def test_rims_of_the_lids_follow_them(avatar):
    for name, unit in (("tears_left", "eyeBlinkLeft"), ("tears_right", "eyeBlinkRight")):
        rim = avatar.part(name)
        assert np.abs(rim.positions[:, 1]).max() < 0.02
        assert {unit, "eyeLookDownLeft" if "left" in name else "eyeLookDownRight"} <= set(rim.morphs)


def test_teeth_move_with_the_jaw_and_rigidly(avatar):
    lower = avatar.part("teeth_lower")
    morph = lower.morphs["jawOpen"]
    moved = lower.positions.copy()
    moved[morph.indices] += morph.positions
    for rows in (lower.positions, moved):
        spread = np.linalg.norm(rows - rows.mean(axis=0), axis=1)
        assert spread == pytest.approx(
            np.linalg.norm(lower.positions - lower.positions.mean(axis=0), axis=1), abs=1.5e-3
        )
    assert not avatar.part("teeth_upper").morphs


def test_the_texture_is_whole(avatar):
    assert avatar.skin.shape == (1024, 1024, 4)
    assert avatar.skin_detail.shape == (1024, 1024, 2)
    relief = np.abs(avatar.skin_detail.astype(int) - 128)
    assert (relief > 1).mean() > 0.02
    assert 12 < relief.max() < 100
    part = avatar.part("skin")
    column = np.clip((part.uvs[:, 0] * 1024).astype(int), 0, 1023)
    row = np.clip(((1 - part.uvs[:, 1]) * 1024).astype(int), 0, 1023)
    assert (avatar.skin[row, column, :3].max(axis=1) > 0).all()


def test_the_same_person_gives_the_same_bytes(human, monkeypatch, tmp_path):
    monkeypatch.setattr(light, "SKY_DIRECTIONS", 6)
    monkeypatch.setattr(light, "KEY_DIRECTIONS", 2)
    monkeypatch.setattr(paint, "SIZE", 128)
    person = dataclasses.replace(read_person("ava"), name="small")
    shaped = assemble.make_cast(human, person)
    monkeypatch.setattr(assemble, "make_cast", lambda human, person: shaped)
    reports: list[float] = []
    for name in ("a.npz", "b.npz"):
        cache.write(tmp_path / name, assemble.build(person, lambda share, what: reports.append(share)))
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    half = reports[: len(reports) // 2]
    assert half == sorted(half)
    assert (half[0], half[-1]) == (0.0, 1.0)
