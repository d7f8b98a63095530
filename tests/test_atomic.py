import os
from pathlib import Path

import pytest

from mien.atomic import abandon, check, refused, replacing, write_bytes
from mien.errors import ResourceError


def test_a_file_takes_the_place_of_the_old_one(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")
    write_bytes(target, b"new")
    assert target.read_text() == "new"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_after_an_error_the_old_file_is_untouched_and_nothing_is_left(tmp_path, error):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(error), replacing(target) as aside:
        aside.write_text("half")
        raise error
    assert target.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_a_folder_that_is_not_there_is_told_before_any_work(tmp_path):
    with pytest.raises(ResourceError, match="make it first"), replacing(tmp_path / "no" / "a.txt"):
        pytest.fail("the block must not run")


def test_a_folder_in_the_way_is_told(tmp_path):
    with pytest.raises(ResourceError, match="is a folder"):
        write_bytes(tmp_path, b"x")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_told(tmp_path):
    target = tmp_path / "a.txt"
    with (
        pytest.raises(ResourceError, match="disk full"),
        replacing(target),
        Path("/dev/full").open("wb") as full,
    ):
        full.write(b"x" * 100_000)
    assert not list(tmp_path.iterdir())


def test_a_refusal_without_a_known_number_still_says_why(tmp_path):
    assert "broken pipe" in str(refused(BrokenPipeError(32, "Broken pipe"), tmp_path / "a"))


@pytest.mark.parametrize("name", ["a.txt/b.txt", "x" * 300, "a\0b"])
def test_a_path_that_can_not_be_is_told(tmp_path, name):
    (tmp_path / "a.txt").write_text("a file, not a folder")
    with pytest.raises(ResourceError):
        write_bytes(tmp_path / name, b"x")
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("name", ["x" * 251 + ".wav", "长" * 83 + ".wav"])
def test_the_longest_name_can_be_written(tmp_path, name):
    write_bytes(tmp_path / name, b"x")
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_link_stays_and_its_file_is_replaced(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("a.txt")
    write_bytes(tmp_path / "link.txt", b"new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "a.txt").read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names on this system")
def test_a_pipe_or_device_is_never_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ResourceError, match="device or a pipe"):
        write_bytes(tmp_path / "pipe", b"x")
    assert (tmp_path / "pipe").is_fifo()


def test_a_write_protected_file_is_kept(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # what root sees is always writable
    with pytest.raises(ResourceError, match="write-protected"):
        write_bytes(tmp_path / "a.txt", b"x")
    assert (tmp_path / "a.txt").read_text() == "old"


def test_a_check_leaves_nothing_and_tells_what_writing_would(tmp_path):
    check(tmp_path / "a.txt")
    assert not list(tmp_path.iterdir())
    with pytest.raises(ResourceError, match="make it first"):
        check(tmp_path / "no" / "a.txt")


def test_a_folder_deleted_meanwhile_is_told(tmp_path):
    folder = tmp_path / "gone"
    folder.mkdir()
    with pytest.raises(ResourceError, match="make it first"), replacing(folder / "a.txt") as aside:
        aside.unlink()
        folder.rmdir()


def test_what_is_abandoned_is_gone_and_the_old_file_stays(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(ResourceError), replacing(tmp_path / "a.txt") as aside:
        aside.write_text("half")
        abandon()
        assert not aside.exists()
    assert (tmp_path / "a.txt").read_text() == "old"
