import os

import pytest

from mien.contents import contents
from mien.errors import MissingError, ResourceError


def test_a_file_is_read(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    assert contents(tmp_path / "a") == b"abc"


@pytest.mark.parametrize("name", ["a", "file/a"])
def test_a_missing_file_is_named_with_what_to_do(tmp_path, name):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(MissingError, match=rf"no lexicon .*{name}; create it"):
        contents(tmp_path / name, "lexicon", "create it")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(ResourceError, match="is a directory"):
        contents(tmp_path)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_says_so(tmp_path):
    (tmp_path / "a").write_bytes(b"")
    (tmp_path / "a").chmod(0)
    with pytest.raises(ResourceError, match="permission denied"):
        contents(tmp_path / "a")
