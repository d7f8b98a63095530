import subprocess
import sys

import pytest

from mien.errors import MissingError, nearest, require


def test_a_missing_library_names_its_extra():
    with pytest.raises(
        MissingError, match=r"no_such_library is not installed; run: pip install 'mien\[voice\]'"
    ):
        require("no_such_library", extra="voice")


def test_a_library_that_lacks_another_is_not_called_missing(tmp_path, monkeypatch):
    (tmp_path / "needy.py").write_text("import no_such_library")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_library"):
        require("needy", extra="voice")


@pytest.mark.parametrize(
    ("value", "says"),
    [("jo", "; did you mean 'joe'?"), ("xyz", "; valid: ava, joe"), ("JOE", "; did you mean 'joe'?")],
)
def test_the_nearest_name_or_all(value, says):
    assert nearest(value, ["joe", "ava"]) == says
    assert nearest(value, []) == ""


def test_libraries_are_told_to_keep_to_themselves_and_the_user_wins():
    source = (
        "import os; os.environ['HF_HUB_DISABLE_TELEMETRY'] = '0';"
        "os.environ.pop('ORT_DISABLE_TELEMETRY', None);"
        "from mien.errors import require; require('json', extra='voice');"
        "print(os.environ['ORT_DISABLE_TELEMETRY'], os.environ['HF_HUB_DISABLE_TELEMETRY'])"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "0"]
