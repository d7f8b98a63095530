import asyncio
import io

import av
import numpy as np
import pytest

from mien.audio.pcm import Pcm
from mien.audio.resample import resample
from mien.errors import InputError
from mien.measure.aligned import aligner
from mien.measure.judge import HEARING_HZ
from mien.speech.text import breaths
from mien.speech.voices import references

TEXT = "Bob bought a big map of Memphis."


async def spoken() -> tuple[Pcm, list[float]]:
    """Return the sentence after 0.4 s of silence, and when its p, b and m are."""
    voice = references.find("en")
    assert voice is not None
    sound, times, at = [Pcm.silence(0.4, voice.rate_hz)], [], 0.4
    for breath in breaths(TEXT, language="en"):
        async for chunk in voice.speak(breath):
            sound.append(chunk.pcm)
            middles = [
                (p.start + p.end) / 2 / voice.rate_hz + at
                for p in chunk.phones
                if p.symbol in "pbm" and p.symbol
            ]
            times += middles
    return Pcm.join(sound, voice.rate_hz), times


def test_the_phones_of_a_text_are_found_in_its_sound() -> None:
    sound, truth = asyncio.run(spoken())
    heard = aligner(TEXT, "en")(resample(sound, HEARING_HZ))
    found = [(span.start_s + span.end_s) / 2 for span in heard.spans(frozenset("pbm"))]
    assert len(found) == len(truth) >= 6
    assert np.median(np.abs(np.array(found) - truth)) < 0.03


def coded(pcm: Pcm) -> Pcm:
    """Return `pcm` as it comes out of an MP4's AAC."""
    sound, file = resample(pcm, 48_000).samples, io.BytesIO()
    with av.open(file, "w", format="mp4") as out:
        stream = out.add_stream("aac", rate=48_000, layout="mono")
        for at in range(0, len(sound), 1024):
            frame = av.AudioFrame.from_ndarray(sound[None, at : at + 1024], format="fltp", layout="mono")
            frame.sample_rate, frame.pts = 48_000, at
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    file.seek(0)
    with av.open(file) as back:
        blocks = [frame.to_ndarray()[0] for frame in back.decode(audio=0)]
    return Pcm(np.concatenate(blocks), 48_000)


def test_another_speaker_is_followed_through_aac() -> None:
    sound, truth = asyncio.run(spoken())
    taller = 0.85  # a longer vocal tract, a lower pitch, slower
    other = coded(Pcm(sound.samples, round(sound.rate_hz * taller)))
    heard = aligner(TEXT, "en")(resample(other, HEARING_HZ))
    found = [(span.start_s + span.end_s) / 2 for span in heard.spans(frozenset("pbm"))]
    assert np.median(np.abs(np.array(found) - np.array(truth) / taller)) < 0.03


def test_what_can_not_be_aligned_is_refused() -> None:
    with pytest.raises(InputError, match="no voice to align 'tlh'"):
        aligner(TEXT, "tlh")
    with pytest.raises(InputError, match="the text is empty"):
        aligner("", "en")
