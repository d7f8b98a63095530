import numpy as np
import pytest

from mien.audio import Pcm
from mien.audio.files import write
from mien.bench import recordings
from mien.errors import InputError, MissingError


def test_a_folder_of_recordings_with_their_words(tmp_path):
    write(tmp_path / "greeting.wav", Pcm.silence(1.0, 16_000))
    write(tmp_path / "short.wav", Pcm.silence(0.2, 16_000))
    write(tmp_path / "tone.wav", Pcm.silence(1.0, 16_000))
    write(tmp_path / "unknown.wav", Pcm.silence(1.0, 16_000))
    write(tmp_path / "part.wav", Pcm.silence(1.0, 16_000))
    words = "; note\ngreeting: Good morning.\nshort: Hi.\ntone: [a tone].\npart: You have\n"
    (tmp_path / "words.txt").write_text(words)
    (found,) = recordings.from_folder(tmp_path)
    assert (found.name, found.text, found.pcm.duration_s) == ("greeting", "Good morning.", 1.0)


def test_folders_that_can_not_be_used(tmp_path):
    with pytest.raises(MissingError, match="no folder"):
        recordings.from_folder(tmp_path / "none")
    with pytest.raises(InputError, match="no recording with its words"):
        recordings.from_folder(tmp_path)


def test_g722_of_a_telephone_system_can_be_read(tmp_path):
    av = pytest.importorskip("av")
    tone = (8000 * np.sin(2 * np.pi * 440 * np.arange(16_000) / 16_000)).astype(np.int16)
    with av.open(tmp_path / "tone.g722", "w", format="g722") as container:
        stream = container.add_stream("g722", rate=16_000, layout="mono")
        frame = av.AudioFrame.from_ndarray(tone[None], layout="mono")
        frame.sample_rate = 16_000
        container.mux([*stream.encode(frame), *stream.encode(None)])
    (tmp_path / "words.txt").write_text("tone: La.")
    (found,) = recordings.from_folder(tmp_path)
    loudest = np.abs(np.fft.rfft(found.pcm.samples[:16_000])).argmax()
    assert found.pcm.rate_hz == 16_000
    assert abs(loudest * 16_000 / 16_000 - 440) < 3


def test_every_part_is_given_its_words_however_it_was_heard():
    text = "one two three four five six"
    assert recordings._shares(text, ["one too", "three for five", "six"]) == [
        "one two",
        "three four five",
        "six",
    ]
    assert recordings._shares(text, ["one two three", "four five six"]) == ["one two three", "four five six"]
