from __future__ import annotations

from pathlib import Path

import pytest

from mien.avatar.render import cache


def test_kernels_are_kept_in_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(cache.VARIABLE, raising=False)
    monkeypatch.setenv("MIEN_HOME", str(tmp_path))
    assert cache.folder().parent == tmp_path / "numba"
    assert cache.folder() == cache.folder()
    assert cache.marker().parent == cache.folder()


def test_the_users_choice_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    assert cache.folder() == tmp_path


def test_a_file_in_the_way_is_not_writable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert cache.writable(tmp_path / "new" / "folder")
    assert not cache.writable(tmp_path / "file" / "folder")
