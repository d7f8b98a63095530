import numpy as np

from mien import packs
from mien.audio.files import read
from mien.audio.pcm import Pcm
from mien.bench import load
from mien.bench.recordings import Utterance
from mien.speech.listening.activity import SileroVad

BOOK = "it was the age of wisdom"


def value(figures, name):
    return next(row.value for row in figures if row.name.startswith(name))


def test_callers_are_answered_at_once_and_interrupt(server, question):
    recording = read(packs.path("samples") / "two_cities.wav")
    other = recording.cut(round(0.2 * recording.rate_hz), round(2.3 * recording.rate_hz))
    said = [Utterance("wisdom", question, BOOK), Utterance("times", other, "it was the best of times")]
    figures = load.run(f"{server.http}/", "joe", said, 2, 2, interrupts=True, limit=False)
    assert value(figures, "answers") == 4
    assert value(figures, "interruptions") == 2
    for none in ("sound before its face", "sound or faces of an answer", "utterances without", "errors"):
        assert value(figures, none) == 0, none
    assert 0 < value(figures, "voice of an interruption") < 5000


def test_where_a_voice_begins_and_ends(question):
    padded = np.concatenate([np.zeros(12_000, np.float32), question.samples, np.zeros(24_000, np.float32)])
    spoken = load.spoken_of(Utterance("wisdom", Pcm(padded, 24_000), BOOK), SileroVad.load())
    assert spoken.first == 2_400
    assert 1.1 < spoken.last / 24_000 < 1.7
    assert np.array_equal(spoken.samples[-24_000:], padded[-24_000:])
    assert len(padded) - 0.9 * 24_000 < len(spoken.samples) < len(padded) - 0.3 * 24_000
