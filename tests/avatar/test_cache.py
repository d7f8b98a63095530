import dataclasses
import os
import time
import zipfile

import numpy as np
import pytest

from mien import avatar, packs
from mien.avatar import cache, pruning
from mien.avatar.model import Morph
from mien.errors import CorruptError, InputError, MissingError, ResourceError


def same(first, second) -> bool:
    for field in dataclasses.fields(first):
        a, b = getattr(first, field.name), getattr(second, field.name)
        if field.name == "parts":
            if not all(same(x, y) for x, y in zip(a, b, strict=True)):
                return False
        elif field.name == "morphs":
            if list(a) != list(b) or not all(same(a[name], b[name]) for name in a):
                return False
        elif not np.array_equal(a, b):
            return False
    return True


def test_what_is_written_is_read(tiny, tmp_path):
    path = tmp_path / "deep" / "tiny.npz"
    cache.write(path, tiny)
    assert same(tiny, cache.read(path))
    assert same(tiny, avatar.load(str(path)))
    assert [file.name for file in path.parent.iterdir()] == ["tiny.npz"]


def test_equal_avatars_are_equal_files(tiny, tmp_path):
    for name in ("a.npz", "b.npz"):
        cache.write(tmp_path / name, tiny)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_an_unknown_name_names_the_nearest():
    with pytest.raises(InputError, match=r"no avatar 'jo'; did you mean 'joe'\?"):
        avatar.load("jo")


def test_a_missing_file_says_so(tmp_path):
    with pytest.raises(MissingError, match="no avatar file"):
        avatar.load(str(tmp_path / "none.npz"))


@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_a_cut_off_file_is_corrupt(tiny, tmp_path, share):
    path = tmp_path / "tiny.npz"
    cache.write(path, tiny)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(CorruptError, match="not a mien avatar"):
        cache.read(path)


@pytest.mark.parametrize("bad", [-1, 5, 2**31 - 1])
@pytest.mark.parametrize("where", ["triangles", "morph"])
def test_vertices_that_are_not_there_are_refused(tiny, tmp_path, bad, where):
    first = tiny.parts[0]
    if where == "triangles":
        changed = dataclasses.replace(first, triangles=np.array([[0, 1, bad]], np.int32))
    else:
        moves = np.zeros((1, 3), np.float32)
        changed = dataclasses.replace(
            first, morphs={"jawOpen": Morph(np.array([bad], np.int32), moves, moves)}
        )
    cache.write(tmp_path / "bad.npz", dataclasses.replace(tiny, parts=(changed, *tiny.parts[1:])))
    with pytest.raises(CorruptError, match="not a mien avatar"):
        cache.read(tmp_path / "bad.npz")


def test_another_npz_is_no_avatar(tmp_path):
    path = tmp_path / "other.npz"
    np.savez(path, a=np.zeros(3))
    with pytest.raises(CorruptError, match="not a mien avatar"):
        cache.read(path)


def test_another_format_says_what_to_do(tiny, tmp_path, monkeypatch):
    path = tmp_path / "old.npz"
    monkeypatch.setattr(cache, "FORMAT", 0)
    cache.write(path, tiny)
    monkeypatch.undo()
    with pytest.raises(CorruptError, match="format 0, not 1; build it again"):
        cache.read(path)


def test_a_folder_that_can_not_be_made(tiny, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ResourceError, match="file"):
        cache.write(tmp_path / "file" / "a.npz", tiny)


def test_without_the_pack_the_command_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("MIEN_HOME", str(tmp_path))
    with pytest.raises(MissingError, match="mien packs pull human"):
        avatar.load("ava")


def test_the_kept_file_is_used_and_a_damaged_one_is_built_again(tiny, tmp_path, monkeypatch):
    from mien.avatar.build import assemble

    monkeypatch.setattr(cache, "cached_path", lambda name: tmp_path / f"{name}.npz")
    built: list[str] = []
    monkeypatch.setattr(assemble, "build", lambda person, progress: built.append(person.name) or tiny)
    for _ in range(2):
        assert same(tiny, avatar.load("ava"))
    assert built == ["ava"]
    (tmp_path / "ava.npz").write_bytes(b"PK\x03\x04 damaged")
    assert same(tiny, avatar.load("ava"))
    assert built == ["ava", "ava"]


def test_the_name_of_the_kept_file_follows_the_recipe(monkeypatch):
    ava, joe = cache.cached_path("ava"), cache.cached_path("joe")
    assert ava.parent == packs.home() / "avatars"
    assert ava.name.split("-")[1] != joe.name.split("-")[1]
    monkeypatch.setattr(cache, "FORMAT", 99)
    assert cache.cached_path("ava") != ava


def test_heads_of_old_recipes_go_when_a_new_one_is_kept(tiny, tmp_path):
    for number in range(pruning.KEEP + 2):
        path = tmp_path / f"ava-{number}.npz"
        path.write_bytes(b"")
        os.utime(path, (time.time() - 1e6 - number,) * 2)
    cache.keep(tmp_path / "ava-new.npz", lambda: tiny)
    left = sorted(path.stem for path in tmp_path.glob("*.npz"))
    assert left == [*(f"ava-{number}" for number in range(pruning.KEEP - 1)), "ava-new"]


def test_a_head_that_is_worn_counts_as_used(tiny, tmp_path):
    path = tmp_path / "ava-1.npz"
    cache.write(path, tiny)
    os.utime(path, (1, 1))
    cache.keep(path, lambda: pytest.fail("it was kept"))
    assert time.time() - path.stat().st_mtime < 60


def test_kept_files_are_stored_uncompressed(tiny, tmp_path):
    cache.write(tmp_path / "a.npz", tiny)
    with zipfile.ZipFile(tmp_path / "a.npz") as archive:
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}


def test_a_lock_that_can_not_be_made_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "cached_path", lambda _: tmp_path / "ava.npz")
    (tmp_path / "ava.lock").mkdir()  # root may write everywhere, but no file over a folder
    with pytest.raises(ResourceError, match="can not write"):
        avatar.load("ava")
