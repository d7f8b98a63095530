import asyncio
from dataclasses import replace

import numpy as np
import pytest

from mien.audio.pcm import Pcm
from mien.errors import InputError
from mien.speech.breath import Breath, Piece
from mien.speech.voices.alignment import Alignment
from mien.speech.voices.recorded import RecordedVoice, _judge

from .spoken import WORDS, breaths, errors_ms, gather, joe, speech


def test_gives_the_recording_with_its_phones() -> None:
    recording, truth = speech(0.85)
    voice = RecordedVoice(recording, joe())

    async def run():
        return await gather(voice, await voice.script(breaths(*WORDS)))

    sound, phones = asyncio.run(run())
    assert np.array_equal(sound.samples, recording.samples)
    assert [p.start for p in phones] == [0, *(p.end for p in phones[:-1])]
    assert phones[-1].end == len(recording)
    errors = errors_ms(phones, truth, recording.rate_hz)
    assert len(errors) > 40
    assert np.median(errors) < 15.0
    assert np.percentile(errors, 90) < 45.0


def test_the_pauses_of_the_text_are_left_to_the_recording() -> None:
    voice = RecordedVoice(speech(1.0)[0], joe())
    said = [replace(b, pause_s=0.7) for b in breaths(*WORDS)]
    scripted = asyncio.run(voice.script([said[0], Breath((), pause_s=1.0), said[1]]))
    assert [b.pause_s for b in scripted] == [0.0, 0.0]


def test_marks_are_placed() -> None:
    voice = RecordedVoice(speech(1.0)[0], joe())
    pieces = (Piece(WORDS[0]), Piece(WORDS[1], mark="here"))

    async def run():
        (breath,) = await voice.script([Breath(pieces)])
        return [chunk async for chunk in voice.speak(breath)]

    (chunk,) = asyncio.run(run())
    assert chunk.marks[0].name == "here"
    assert 0.3 < chunk.marks[0].sample / len(chunk.pcm) < 0.6


def test_words_that_are_not_in_the_recording_are_refused() -> None:
    voice = RecordedVoice(speech(1.0)[0], joe())
    with pytest.raises(InputError, match="is it the right text"):
        asyncio.run(voice.script(breaths("No.")))
    with pytest.raises(InputError, match="text of the recording is empty"):
        asyncio.run(voice.script([Breath((Piece("  "),))]))


def test_another_text_of_the_same_length_is_refused() -> None:
    voice = RecordedVoice(speech(1.0)[0], joe())
    other = "Such a quick story shows us how it goes when nobody looks at the house."
    with pytest.raises(InputError, match="not what is said in the recording"):
        asyncio.run(voice.script(breaths(other)))


def test_a_short_text_is_given_the_benefit_of_the_doubt(caplog: pytest.LogCaptureFixture) -> None:
    sure = Alignment(np.zeros(1, np.float32), 0.7, 1.0, 1.0, 10.0, ())
    _judge(sure)
    assert not caplog.records
    _judge(replace(sure, cost=0.88, speech_s=1.0))
    assert "the text may not be what is said" in caplog.text
    with pytest.raises(InputError, match=r"mismatch 0.88, at most 0.85"):
        _judge(replace(sure, cost=0.88))


def test_a_breath_outside_the_script_is_refused() -> None:
    voice = RecordedVoice(Pcm.silence(1.0, 16_000), joe())
    with pytest.raises(InputError, match="script it first"):
        asyncio.run(gather(voice, breaths("Hello.")))
