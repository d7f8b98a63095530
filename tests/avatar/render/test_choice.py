from __future__ import annotations

import subprocess
import sys

import pytest

from mien.avatar.render import SoftwareRenderer, choice, open_renderer
from mien.avatar.render.gl import GlRenderer, is_software
from mien.errors import InputError
from mien.progress import silent

ABSENT = """
import sys
sys.modules["moderngl"] = None
from mien.avatar.render import choice
from mien.avatar.render.gl import Stage
from mien.errors import MissingError
try:
    Stage()
except MissingError as error:
    print(error)
"""


def test_each_name_opens_its_renderer(toy, stage):
    with open_renderer("software", toy, (64, 64), "studio", silent) as renderer:
        assert isinstance(renderer, SoftwareRenderer)
    with open_renderer("gl", toy, (64, 64), "transparent", silent) as renderer:
        assert isinstance(renderer, GlRenderer)
        assert renderer.transparent


def test_auto_takes_a_gpu_only(toy, stage):
    with open_renderer("auto", toy, (64, 64), "studio", silent) as renderer:
        assert isinstance(renderer, SoftwareRenderer) == is_software(stage.device) == (not choice.has_gpu())


def test_another_name_is_refused(toy):
    with pytest.raises(InputError, match="renderer 'opengl'"):
        open_renderer("opengl", toy, (64, 64), "studio", silent)


def test_without_moderngl_its_extra_is_named():
    done = subprocess.run([sys.executable, "-c", ABSENT], capture_output=True, text=True, check=True)
    assert done.stdout == "moderngl is not installed; run: pip install 'mien[gl]'\n"


def test_without_a_driver_the_remedy_is_named(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setenv("GLCONTEXT_LINUX_LIBEGL", "libnothing.so")
        done = subprocess.run(
            [sys.executable, "-c", ABSENT.replace('sys.modules["moderngl"] = None', "")],
            capture_output=True,
            text=True,
            check=True,
        )
    assert done.stdout.count("\n") == 1
    assert "apt-get install libegl1" in done.stdout
