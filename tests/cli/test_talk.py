import json
import wave

import numpy as np
import pytest
from click.testing import CliRunner

from mien import packs
from mien.audio.files import SoundWriter, read
from mien.cli.talk import command
from mien.errors import MienError


@pytest.fixture(scope="module")
def question(tmp_path_factory):
    recording = read(packs.path("samples") / "two_cities.wav")
    path = tmp_path_factory.mktemp("talk") / "question.wav"
    with SoundWriter(path, recording.rate_hz) as writer:
        writer.write(recording.cut(round(4.9 * recording.rate_hz), round(6.6 * recording.rate_hz)))
    return path


def test_a_question_becomes_an_answer_with_its_latencies(question, tmp_path):
    sound, face = tmp_path / "answer.wav", tmp_path / "answer.csv"
    run = CliRunner().invoke(
        command, [str(question), "-o", str(sound), "-o", str(face), "--persona", "joe", "--json"]
    )
    assert run.exit_code == 0, run.output
    table = json.loads(run.stdout)
    last = table["turns"][-1]
    assert "wisdom" in last["said"].lower()
    assert "wisdom" in last["answered"]
    assert set(last["waterfall"]) >= {"words", "understanding", "breath", "endpoint", "sound", "sent"}
    heard = read(sound)
    assert heard.duration_s > 3.0
    assert len(face.read_text().splitlines()) > 29 * (heard.duration_s - 0.5)


def test_a_wrong_output_is_refused_before_anything_is_loaded(question, tmp_path):
    run = CliRunner().invoke(command, [str(question), "-o", str(tmp_path / "answer.doc")])
    assert "unknown suffix" in str(run.exception)


def recorded(path, seconds=1.0, rate_hz=16_000, channels=1, width=2, samples=None):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setframerate(rate_hz)
        file.setsampwidth(width)
        if samples is not None:
            return file.writeframes(samples.tobytes()) or path
        file.writeframes(bytes([128 if width == 1 else 0]) * round(seconds * rate_hz * channels * width))
    return path


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: recorded(path, 1200, 8000, 1, 1), "the recordings last 1200 s; up to 900 s"),
        (lambda path: recorded(path, 0), "holds no sound"),
        (lambda path: path.write_bytes(recorded(path).read_bytes()[:30]), "question.wav"),
        (lambda path: path.write_bytes(b"no sound at all"), "question.wav"),
        (lambda path: path.write_bytes(b""), "question.wav"),
    ],
)
def test_a_recording_that_can_not_be_said_is_told_before_anything_is_loaded(tmp_path, make, says):
    make(tmp_path / "question.wav")
    run = CliRunner().invoke(
        command, [str(tmp_path / "question.wav"), "-o", str(tmp_path / "answer.wav"), "--persona", "joe"]
    )
    assert isinstance(run.exception, MienError), run.output
    assert says in str(run.exception)
    assert "\n" not in str(run.exception)
    assert [file.name for file in tmp_path.iterdir()] == ["question.wav"]


def noise(path):
    samples = 128 + np.random.default_rng(0).normal(0, 20, 12_000)
    return recorded(path, rate_hz=8_000, width=1, samples=samples.clip(0, 255).astype("u1"))


def chord(path):
    sound = sum(np.sin(np.arange(96_000) * 2 * np.pi * hz / 96_000) for hz in (262, 330, 392))
    return recorded(path, rate_hz=96_000, channels=2, samples=np.repeat((4000 * sound).astype("<i2"), 2))


@pytest.mark.parametrize("make", [lambda path: recorded(path, 1.0, 96_000, 2), noise, chord])
def test_a_recording_in_which_nobody_speaks_is_said_so(tmp_path, make):
    quiet = make(tmp_path / "quiet.wav")
    run = CliRunner().invoke(
        command, [str(quiet), "-o", str(tmp_path / "answer.wav"), "--persona", "joe", "--report"]
    )
    assert run.exit_code == 0, run.output
    assert "nobody said a word in this recording" in run.stdout
    assert read(tmp_path / "answer.wav").duration_s > 1.0
