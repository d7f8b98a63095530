"""What `make demo` runs, with small pictures and the fastest persona, who repeats what it hears."""

import re
import subprocess
import sys
from pathlib import Path

import av
import pytest

from mien.media import FilmReader

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demo's folder, and what it prints."""
    out = tmp_path_factory.mktemp("demo")
    small = ["--size", "160x160", "--fps", "10", "--persona", "joe", "--interrupt", "0.7"]
    command = ["sh", ROOT / "scripts" / "demo.sh", Path(sys.executable).parent, out, *small]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out, done.stdout


def test_three_questions_are_answered_and_the_second_answer_is_interrupted(demo):
    answers = re.findall(r"^user: (.*)\n +(.*)$", demo[1], re.M)
    assert [asked.rstrip(".?") for asked, _ in answers][:2] == ["What can you do for me", "When are you open"]
    assert "bank" in answers[2][0]
    first, second, third = (answer for _, answer in answers)
    assert first == "All right, you said: what can you do for me."
    assert second.endswith("-- cut")
    heard = second.removesuffix("-- cut").strip()
    assert heard
    assert "All right, you said: when are you open.".startswith(heard)
    assert "bank" in third
    assert "cut" not in first + third


def test_it_tells_where_the_time_went_and_that_lips_keep_time(demo):
    for stage in ("pause", "words", "understanding", "breath", "endpoint", "sound", "sent"):
        assert len(re.findall(rf"^{stage} .* ms$", demo[1], re.M)) == 3
    assert re.search(r"to the first sound: median \d+ ms, worst \d+ ms, 3 turns", demo[1])
    assert "picture before sound" in demo[1]


def test_the_film_has_both_voices_and_what_they_say(demo):
    with FilmReader(demo[0] / "demo.mp4") as film:
        sound = film.audio()
    with av.open(str(demo[0] / "demo.mp4")) as container:
        read = [bytes(packet)[2:].decode() for packet in container.demux(container.streams.subtitles[0])]
    assert sum(text.startswith("– ") for text in read) == 3
    assert sum(text.endswith(" –") for text in read) == 1, "where it was interrupted"
    assert sound.duration_s > 8
    asked = sound.cut(0, sound.rate_hz)
    assert abs(asked.samples).max() > 0.1, "the caller speaks first"
