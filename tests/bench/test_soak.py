import mmap
import os
from pathlib import Path

import pytest

from mien.bench.soak import Held, growth


def test_growth_is_that_behind_the_warm_up():
    warming = [float(i) for i in range(30)]
    assert growth(warming + [30.0] * 70) == 0.0
    assert growth(warming + [30.0 + i for i in range(70)]) == pytest.approx(56.0)
    assert growth([1.0, 2.0]) is None


def test_what_a_process_holds():
    before = Held.of(os.getpid())
    if before is None:
        pytest.skip("this system has no /proc")
    held = mmap.mmap(-1, 64 << 20)  # new memory, where an allocator may give out what it had
    held.write(b"x" * len(held))
    with Path(os.devnull).open():
        after = Held.of(os.getpid())
    assert after.files == before.files + 1
    assert len(held) / 2 < after.memory - before.memory < 2 * len(held)
    assert Held.of(2**30) is None
