"""Environments that are broken on purpose: each is found, named, and given the right fix."""

import os
import subprocess
import sys

from mien.check import Place, Status
from mien.check.child import attempt
from mien.check.probes import pictures
from mien.errors import MissingError

from .expected import found, linux


def test_an_encoder_that_is_not_here(monkeypatch):
    monkeypatch.setenv("MIEN_H264_ENCODER", "h264_nothing")
    found(pictures.h264(Place()), Status.FAILED, "no encoder h264_nothing", "unset MIEN_H264_ENCODER")


def test_an_ffmpeg_without_opus(monkeypatch):
    def lacking(encoder):
        raise MissingError(f"FFmpeg 8 has no encoder {encoder}")

    monkeypatch.setattr("mien.media.trial.encode", lacking)
    found(pictures.opus(Place()), Status.FAILED, "no encoder libopus", "--no-deps av")


def test_no_pyav(monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    found(
        attempt("mien.check.probes.pictures:vp9", Place()),
        Status.FAILED,
        "av is not",
        "pip install 'mien[video]'",
    )


@linux
def test_no_driver_of_opengl():
    source = (
        "from mien.check.probes.pictures import opengl; from mien.check import Place; r = opengl(Place());"
    )
    done = subprocess.run(
        [sys.executable, "-c", source + "print(r.status, r.line, r.remedy)"],
        env={**os.environ, "__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere.json"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("failed no OpenGL 4.3"), done.stdout
    assert "apt-get install libegl1" in done.stdout
