from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mien.avatar.model import Avatar
from mien.avatar.render import detail
from mien.avatar.render import fitted as fits

COARSE = 0.001  # metres a pixel


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("MIEN_HOME", str(tmp_path))
    monkeypatch.setattr(fits, "_WORTH", 0)
    return tmp_path / "avatars"


def same(one: Avatar, other: Avatar) -> bool:
    return all(
        a.two_sided == b.two_sided
        and (a.triangles == b.triangles).all()
        and (a.positions == b.positions).all()
        and all((a.morphs[name].positions == b.morphs[name].positions).all() for name in a.morphs)
        for a, b in zip(one.parts, other.parts, strict=True)
    )


def test_a_head_is_reduced_once_and_then_read(
    home: Path, toy: Avatar, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = fits.fitted(toy, COARSE)
    monkeypatch.setattr(detail, "fitted", lambda *_: pytest.fail("it was kept"))
    again = fits.fitted(toy, COARSE)
    assert same(first, again)
    assert again.skin is toy.skin
    assert len(list(home.glob("toy_fitted-*.npz"))) == 1


def test_another_size_or_shape_is_another_file(toy: Avatar) -> None:
    moved = replace(toy.parts[0], positions=toy.parts[0].positions + np.float32(1e-6))
    other = replace(toy, parts=(moved, *toy.parts[1:]))
    keys = [fits.kept_at(toy, COARSE), fits.kept_at(toy, 2 * COARSE), fits.kept_at(other, COARSE)]
    assert len(set(keys)) == 3
    assert fits.kept_at(toy, COARSE) == keys[0]


def test_a_damaged_file_is_made_again(home: Path, toy: Avatar) -> None:
    first = fits.fitted(toy, COARSE)
    fits.kept_at(toy, COARSE).write_bytes(b"PK\x03\x04 damaged")
    assert same(first, fits.fitted(toy, COARSE))
    assert same(first, fits.fitted(toy, COARSE))


def test_where_nothing_can_be_kept_it_is_reduced_all_the_same(home: Path, toy: Avatar) -> None:
    home.write_text("a file in the way")
    assert same(fits.fitted(toy, COARSE), detail.fitted(toy, COARSE))


def test_a_small_head_is_not_kept(toy: Avatar, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MIEN_HOME", str(tmp_path))
    fits.fitted(toy, COARSE)
    assert not list(tmp_path.rglob("*.npz"))
