from pathlib import Path

import pytest

from mien.atomic import refused, replacing, write_bytes
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
