"""Only a process without NumPy can be told how many threads OpenBLAS starts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mien import blas

COUNTED = """
import contextlib, os, sys
import mien.cli
sys.argv = ["mien", "--version"]
with contextlib.suppress(SystemExit):
    mien.cli.main()
assert "numpy" not in sys.modules
import numpy as np
square = np.ones((512, 512), np.float32)
square @ square
print(len(os.listdir("/proc/self/task")))
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="this system does not list threads")
def test_the_command_multiplies_in_one_thread():
    plain = {name: value for name, value in os.environ.items() if name not in blas.VARIABLES}
    done = subprocess.run(
        [sys.executable, "-c", COUNTED], env=plain, capture_output=True, text=True, check=True
    )
    assert done.stdout.split()[-1] == "1"


def test_what_the_user_said_stays():
    for name in blas.VARIABLES:
        environ = {name: "3"}
        blas.keep_to_one_thread(environ)
        assert environ == {name: "3"}
