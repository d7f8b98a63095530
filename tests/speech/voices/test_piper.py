import asyncio
from contextlib import aclosing
from itertools import pairwise

import numpy as np
import pytest

from mien.errors import CorruptError, InputError, MissingError
from mien.speech.breath import Breath, Piece, Prosody
from mien.speech.voices import piper
from mien.speech.voices.piper import PiperVoice

from . import small_piper

pytestmark = pytest.mark.usefixtures("engines_aside")

BREATH = Breath((Piece("hello", mark="here"), Piece("all on the table", mark="there")))


@pytest.fixture
def voice(tmp_path):
    return PiperVoice.load(small_piper.write(tmp_path))


def spoken(voice, breath):
    async def collect():
        return [chunk async for chunk in voice.speak(breath)]

    return asyncio.run(collect())


def sound(chunks):
    return np.concatenate([chunk.pcm.samples for chunk in chunks])


def check_clock(chunks):
    start = 0
    for chunk in chunks:
        assert chunk.start == start
        start += len(chunk.pcm)
    phones = [phone for chunk in chunks for phone in chunk.phones]
    assert phones[0].start == 0
    assert phones[-1].end == start
    assert all(before.end == after.start for before, after in pairwise(phones))


def test_windows_join_without_a_seam(voice, monkeypatch):
    whole_only = spoken_in_one(voice, monkeypatch)
    monkeypatch.setattr(piper, "window_frames", lambda: iter([3, 1, 7] + [5] * 1000))
    pieces = spoken(voice, BREATH)
    assert len(pieces) > 5
    np.testing.assert_allclose(sound(pieces), whole_only, atol=1e-5)


def spoken_in_one(voice, monkeypatch):
    monkeypatch.setattr(piper, "window_frames", lambda: iter([100_000]))
    return sound(spoken(voice, BREATH))


@pytest.mark.parametrize(
    "prosody", [Prosody(), Prosody(rate=1.7), Prosody(pitch=5.0), Prosody(rate=0.6, pitch=-7.0, volume=12.0)]
)
def test_phones_and_chunks_cover_the_breath_exactly(prosody, voice):
    chunks = spoken(voice, Breath(BREATH.pieces, prosody=prosody))
    check_clock(chunks)
    assert np.abs(sound(chunks)).max() <= 1.0
    assert not any(chunk.phones for chunk in chunks[1:])


def test_the_same_breath_gives_the_same_samples(tmp_path):
    path = small_piper.write(tmp_path)
    first, second = (sound(spoken(PiperVoice.load(path), BREATH)) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_rate_shortens_and_pitch_keeps_the_length(voice):
    length = {
        name: len(sound(spoken(voice, Breath(BREATH.pieces, prosody=prosody))))
        for name, prosody in {"own": Prosody(), "fast": Prosody(rate=2.0), "high": Prosody(pitch=6.0)}.items()
    }
    assert length["fast"] < 0.8 * length["own"]
    assert abs(length["high"] / length["own"] - 1.0) < 0.2


def test_emphasis_slows_only_its_piece(voice):
    stressed = Breath((BREATH.pieces[0], Piece("all on the table", emphasis=1.0, mark="there")))
    plain, slow = spoken(voice, BREATH), spoken(voice, stressed)
    assert len(sound(slow)) > len(sound(plain))
    assert [mark.sample for mark in plain[0].marks] == [mark.sample for mark in slow[0].marks]


def test_marks_lie_where_their_piece_starts(voice):
    here, there = spoken(voice, BREATH)[0].marks
    assert (here.name, there.name) == ("here", "there")
    assert 0 <= here.sample < there.sample


def test_speakers_differ_and_unknown_ones_are_named(tmp_path):
    path = small_piper.write(tmp_path, 2)
    ann, bob = (sound(spoken(PiperVoice.load(path, speaker=name), BREATH)) for name in ("ann", 1))
    assert np.abs(ann - bob[: len(ann)]).max() > 1e-3
    with pytest.raises(InputError, match="no speaker 'bobb'; did you mean 'bob'"):
        PiperVoice.load(path, speaker="bobb")


@pytest.mark.parametrize("options", [{"durations": "Floor"}, {"pointwise": "Softmax"}])
def test_a_foreign_export_still_speaks(options, tmp_path):
    chunks = spoken(PiperVoice.load(small_piper.write(tmp_path, **options)), BREATH)
    check_clock(chunks)
    assert len([phone for phone in chunks[0].phones if phone.symbol]) > 8


def test_another_language_is_refused_by_name(voice):
    with pytest.raises(InputError, match="voice 'small' speaks en, not zh: '你好'"):
        spoken(voice, Breath((Piece("你好", "zh"),)))


@pytest.mark.parametrize(("text", "script"), [("hello 你好", "Chinese characters"), ("привет", "Cyrillic")])
def test_another_script_is_refused_by_name(text, script, voice):
    with pytest.raises(InputError, match=f"speaks en, not {script}"):
        spoken(voice, Breath((Piece(text),)))


@pytest.mark.parametrize("prosody", [Prosody(rate=0.0), Prosody(pitch=40.0), Prosody(volume=float("nan"))])
def test_prosody_out_of_range_is_refused(prosody, voice):
    with pytest.raises(InputError, match="prosody"):
        spoken(voice, Breath(BREATH.pieces, prosody=prosody))


@pytest.mark.parametrize("pieces", [(), (Piece(""),), (Piece("…"),)])
def test_nothing_to_say_is_no_sound(pieces, voice):
    assert spoken(voice, Breath(pieces)) == []


def test_closing_the_stream_stops_the_work(voice, monkeypatch):
    asked = []
    monkeypatch.setattr(piper, "window_frames", lambda: (asked.append(1) or 2 for _ in range(10_000)))

    async def listen_to_one():
        async with aclosing(voice.speak(BREATH)) as chunks:
            async for _ in chunks:
                break
        return len(asyncio.all_tasks())

    assert asyncio.run(listen_to_one()) == 1
    assert len(asked) <= 2
    assert sound(spoken(voice, BREATH)).size  # and the voice can speak again


def test_streams_of_one_voice_may_run_together(voice):
    async def both():
        async def one():
            return [chunk async for chunk in voice.speak(BREATH)]

        return await asyncio.gather(one(), one())

    first, second = asyncio.run(both())
    np.testing.assert_array_equal(sound(first), sound(second))


def test_broken_configurations_are_named(tmp_path):
    path = small_piper.write(tmp_path)
    beside = tmp_path / "small.onnx.json"
    for text, error in (("{", "not JSON"), ("{}", "phoneme_id_map"), ('{"phoneme_id_map": {"a": [1]}}', "_")):
        beside.write_text(text)
        with pytest.raises(CorruptError, match=error):
            PiperVoice.load(path)
    small_piper.write(tmp_path, changes={"phoneme_type": "text"})
    with pytest.raises(InputError, match="phoneme type 'text'"):
        PiperVoice.load(path)
    beside.unlink()
    with pytest.raises(MissingError, match=r"small\.onnx\.json"):
        PiperVoice.load(path)


def test_a_truncated_model_is_corrupt(tmp_path):
    path = small_piper.write(tmp_path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(CorruptError, match=r"small\.onnx"):
        PiperVoice.load(path)
