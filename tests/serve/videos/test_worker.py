import asyncio
import json
import subprocess
import sys

import numpy as np
import pytest

from mien.errors import InputError
from mien.face.pose import ARKIT_INDEX, FaceTrack
from mien.persona import Persona
from mien.serve.videos.request import Work
from mien.serve.videos.worker import Limited
from mien.speech.text import breaths


def perform(**options):
    async def main():
        own = await Persona.load("joe").performance()
        performance = Limited(own.voice, own.animator, **options)
        return [
            chunk async for chunk in performance.chunks(breaths("Hello there, my friend.", language="en-us"))
        ]

    return asyncio.run(main())


def test_a_mouth_stays_still_when_it_is_told_to():
    jaw = ARKIT_INDEX["jawOpen"]
    moves = []
    for lips in (True, False):
        chunks = perform(longest_s=10.0, lip_sync=lips)
        moves.append(np.max(FaceTrack.join([chunk.face for chunk in chunks]).weights[:, jaw]))
    assert moves[0] > 0.1
    assert moves[1] == 0.0


def test_what_lasts_too_long_is_not_made():
    with pytest.raises(InputError, match="max_duration_ms"):
        perform(longest_s=0.5)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits")
def test_a_disk_that_is_full_is_an_error_and_leaves_nothing(tmp_path):
    work = Work(
        persona="joe",
        text="Hello there.",
        emotion="neutral",
        lip_sync=True,
        longest_s=9.0,
        size=(64, 64),
        fps="5",
        file=str(tmp_path / "film.mp4"),
    )
    limited = f"ulimit -f 4 && exec {sys.executable} -m mien.serve.videos.worker"
    done = subprocess.run(["sh", "-c", limited], input=work.model_dump_json(), capture_output=True, text=True)
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["status"] == 500
    assert "film.mp4" in told["error"]
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())
