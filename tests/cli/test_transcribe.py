import json

import pytest
from click.testing import CliRunner

from mien import packs
from mien.audio.files import read, write
from mien.cli.transcribe import command
from mien.errors import InputError, MissingError


@pytest.fixture(scope="module")
def question(tmp_path_factory):
    path = tmp_path_factory.mktemp("sound") / "question.wav"
    pcm = read(packs.path("samples") / "two_cities.wav")
    write(path, pcm.cut(round(4.7 * pcm.rate_hz), round(6.6 * pcm.rate_hz)))
    return path


def run(*words: str, data: bytes | None = None) -> str:
    done = CliRunner().invoke(command, list(words), input=data, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_a_line_for_each_turn(question):
    assert "It was the age of wisdom." in run(str(question))


def test_json_from_standard_input(question):
    lines = run(
        "-", "--json", "--reference", "it was the age of wisdom", data=question.read_bytes()
    ).splitlines()
    rows = [json.loads(line) for line in lines]
    assert next(row["event"] for row in rows if "event" in row) == "SpeechStarted"
    (final,) = [row for row in rows if row.get("event") == "Final"]
    assert final["text"] == "It was the age of wisdom."
    assert final["words"][0]["text"] == " It"
    assert rows[-1] == {"error_rate": 0.0}


def test_wrong_options_are_named(question):
    with pytest.raises(InputError, match="eagerness"):
        run(str(question), "--eagerness", "keen")
    with pytest.raises(InputError, match="English alone"):
        run(str(question), "--model", "tiny.en", "--language", "de")
    with pytest.raises(MissingError, match="no sound file"):
        run("nothing.wav")
