from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from filelock import FileLock

from mien.avatar.pruning import CALM_S, prune


@pytest.fixture
def heads(tmp_path: Path) -> Path:
    """Five heads of ava and two of joe, of 100 bytes each, used one day apart; the last yesterday."""
    for day, name in enumerate(("ava-1", "joe-1", "ava-2", "ava-3", "joe-2", "ava-4", "ava-5")):
        path = tmp_path / f"{name}.npz"
        path.write_bytes(bytes(100))
        path.with_suffix(".lock").touch()
        os.utime(path, (time.time() - (8 - day) * 86_400,) * 2)
    return tmp_path


def left(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.npz"))


def test_of_each_name_the_last_used_stay(heads: Path) -> None:
    removed = prune(heads, keep=2)
    assert sorted(path.stem for path in removed) == ["ava-1", "ava-2", "ava-3"]
    assert left(heads) == ["ava-4", "ava-5", "joe-1", "joe-2"]
    assert sorted(path.stem for path in heads.glob("*.lock")) == left(heads)


def test_of_all_together_the_last_used_stay(heads: Path) -> None:
    prune(heads, most_bytes=350)
    assert left(heads) == ["ava-4", "ava-5", "joe-2"]


def test_what_was_used_in_the_last_hour_stays(heads: Path) -> None:
    os.utime(heads / "ava-1.npz", (time.time() - CALM_S / 2,) * 2)
    prune(heads, keep=0, most_bytes=0)
    assert left(heads) == ["ava-1"]


def test_what_someone_is_making_stays(heads: Path) -> None:
    with FileLock(heads / "ava-1.lock"):
        prune(heads, keep=0)
    assert left(heads) == ["ava-1"]


def test_other_files_stay(heads: Path) -> None:
    (heads / "mine.npz").touch()
    os.utime(heads / "mine.npz", (1, 1))
    prune(heads, keep=0)
    assert left(heads) == ["mine"]
    assert prune(heads / "none") == []
