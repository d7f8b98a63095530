from __future__ import annotations

import os
import subprocess
import sys

from mien.avatar.render import compiled, warm_up


def test_progress_hears_of_every_step_and_all_is_compiled() -> None:
    heard: list[tuple[int, int, str]] = []
    warm_up(lambda done, total, name: heard.append((done, total, name)))
    assert [done for done, _, _ in heard] == list(range(heard[0][1] + 1))
    assert heard[-1][2] == "ready"
    assert compiled()


def test_a_renderer_uses_what_was_compiled_and_no_other_types() -> None:
    warm_up()
    from mien.avatar.render.kernels import draw, geometry, yuv

    for kernel in (
        draw.draw, draw.draw_planes, geometry.morph, geometry.roll, geometry.project, geometry.sort,
        yuv.convert,
    ):  # fmt: skip
        assert len(kernel.signatures) == 1, kernel  # type: ignore[attr-defined]


def test_importing_the_renderer_imports_no_numba() -> None:
    code = "import sys, mien.avatar.render as r; r.compiled(); assert 'numba' not in sys.modules, 'numba'"
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ})
