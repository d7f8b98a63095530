import json

import pytest
from click.testing import CliRunner

from mien import packs
from mien.audio.files import SoundWriter, read
from mien.cli.talk import command


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
