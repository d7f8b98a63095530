"""A persona with its real voice, into real files."""

import asyncio
import itertools

import numpy as np
import pytest

from mien import Film, InputError, Pcm, Persona, ResourceError
from mien.audio import files
from mien.face import formats, metrics
from mien.media import FilmReader
from mien.persona import Chunk
from mien.speech import Voice
from mien.speech.breath import Breath, Piece
from mien.speech.voices import load

TEXT = "Bob may map it. Five waves."


@pytest.fixture(scope="module")
def joe() -> Persona:
    return Persona.load("joe")


@pytest.fixture(scope="module")
def chunks(joe) -> list[Chunk]:
    async def collect() -> list[Chunk]:
        return [chunk async for chunk in joe.stream(TEXT)]

    return asyncio.run(collect())


@pytest.fixture(scope="module")
def spoken(chunks) -> Pcm:
    return Pcm.join([chunk.pcm for chunk in chunks], chunks[0].pcm.rate_hz)


def test_the_first_chunk_comes_before_the_speech_is_whole(chunks):
    assert chunks[0].text
    assert len(chunks) > 3
    assert chunks[0].pcm.duration_s <= 0.5


def test_lips_close_for_what_is_heard(chunks):
    phones = [phone for chunk in chunks for phone in chunk.phones]
    track = type(chunks[0].face).join([chunk.face for chunk in chunks if len(chunk.face)])
    found = metrics.measure(track, phones, chunks[0].pcm.rate_hz)
    assert found.closure_recall == 1.0
    assert found.contact_recall == 1.0
    assert found.still_pauses == 1.0


def test_the_same_text_gives_the_same_film_frames_and_sound(joe, chunks):
    async def again() -> list[Chunk]:
        return [chunk async for chunk in joe.stream(TEXT)]

    for one, other in itertools.zip_longest(chunks, asyncio.run(again())):
        np.testing.assert_array_equal(one.pcm.samples, other.pcm.samples)
        np.testing.assert_array_equal(one.face.weights, other.face.weights)


def test_a_film_has_a_picture_for_every_moment_of_its_sound(joe, tmp_path):
    said = joe.say_sync(TEXT, to=tmp_path / "a.mp4", film=Film((128, 128)))
    with FilmReader(tmp_path / "a.mp4") as film:
        times = [time for time, _ in film]
        sound = film.audio()
    assert times == pytest.approx([i / 30 for i in range(len(times))], abs=1e-6)
    assert len(times) == -(-said.speech_s * 30 // 1)
    assert sound.duration_s == pytest.approx(said.speech_s, abs=0.05)
    assert {"voice", "face", "render", "encode"} <= set(said.spent_s)


def test_an_animated_head_is_written(joe, tmp_path):
    joe.say_sync("Hi.", to=tmp_path / "a.glb")
    assert (tmp_path / "a.glb").read_bytes()[:4] == b"glTF"


def test_a_recording_is_heard_unchanged_and_moves_the_lips(joe, spoken, tmp_path):
    files.write(tmp_path / "own.wav", spoken)
    to = [tmp_path / "a.wav", tmp_path / "a.npz", tmp_path / "a.phones"]
    asyncio.run(joe.dub(tmp_path / "own.wav", TEXT, to=to))
    np.testing.assert_allclose(files.read(to[0]).samples, spoken.samples, atol=1e-3)
    assert formats.read(to[1]).weights[:, 17].max() > 0.05


def test_a_recording_without_its_words_moves_the_lips(joe, spoken, tmp_path):
    asyncio.run(joe.dub(spoken, to=tmp_path / "a.npz"))
    track = formats.read(tmp_path / "a.npz")
    assert track.weights[:, 17].max() > 0.05
    assert len(track) == pytest.approx(spoken.duration_s * 60, abs=1)


def test_words_that_are_not_in_the_recording_are_told(joe, spoken, tmp_path):
    text = "A much longer text than anyone could have said in so short a time. " * 5
    with pytest.raises(InputError, match="right text"):
        asyncio.run(joe.dub(spoken, text, to=tmp_path / "a.npz"))
    assert not list(tmp_path.iterdir())


def test_another_voice_can_be_called_by_ssml(joe, tmp_path):
    text = "<speak>One.<voice name='ava'>Two.</voice>Three.</speak>"
    joe.say_sync(text, to=tmp_path / "a.wav")
    own: Voice = load({"kind": "piper", "name": "joe"})
    assert files.read(tmp_path / "a.wav").rate_hz == own.rate_hz


def test_a_voice_can_be_given_by_its_file(tmp_path):
    from mien import packs

    file = packs.path("voice-joe") / "en_US-joe-medium.onnx"
    said = Persona.load("ava", voice=file).say_sync("Hi.", to=tmp_path / "a.wav")
    assert said.speech_s > 0.4
    with pytest.raises(InputError, match="no voice"):
        Persona.load("ava", voice="a.txt")


def test_a_cancelled_film_leaves_nothing(joe, tmp_path):
    async def cancel() -> None:
        started = asyncio.Event()
        loop = asyncio.get_running_loop()

        def tell(what: str, share: float) -> None:
            if what == "speaking" and share > 0:
                loop.call_soon_threadsafe(started.set)

        task = asyncio.create_task(
            joe.say(TEXT * 5, to=tmp_path / "a.mp4", film=Film((64, 64)), progress=tell)
        )
        await started.wait()
        assert list(tmp_path.iterdir())
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(cancel())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("other", ["a.wav", "./b/../a.wav", "link.wav"])
def test_one_file_is_not_written_twice(joe, tmp_path, other):
    (tmp_path / "b").mkdir()
    (tmp_path / "link.wav").symlink_to("a.wav")
    with pytest.raises(InputError, match="twice"):
        joe.say_sync("Hi.", to=[tmp_path / "a.wav", tmp_path / other])
    assert not (tmp_path / "a.wav").exists()


def test_a_recording_is_never_replaced(joe, spoken, tmp_path):
    files.write(tmp_path / "own.wav", spoken)
    before = (tmp_path / "own.wav").read_bytes()
    with pytest.raises(InputError, match="another file"):
        asyncio.run(joe.dub(tmp_path / "own.wav", to=tmp_path / "own.wav"))
    assert (tmp_path / "own.wav").read_bytes() == before


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.npz", "a.glb", "a.wav", "a.mp4"])
def test_a_folder_that_is_not_there_is_told_before_a_word_is_spoken(joe, tmp_path, name):
    said = []
    with pytest.raises(ResourceError, match="make it first"):
        joe.say_sync(
            "Hi.", to=tmp_path / "no" / name, progress=lambda what, _: said.append(what), film=Film((64, 64))
        )
    assert "speaking" not in said


def test_say_sync_in_an_event_loop_says_what_to_call(joe, tmp_path):
    async def wrong() -> None:
        joe.say_sync("Hi.", to=tmp_path / "a.wav")

    with pytest.raises(InputError, match=r"await persona\.say"):
        asyncio.run(wrong())


@pytest.mark.parametrize(("to", "what"), [([], "no file to make"), ("a\0b.wav", "NUL")])
def test_no_file_and_no_name_are_told(joe, to, what):
    with pytest.raises(InputError, match=what):
        joe.say_sync("Hi.", to=to)


def test_what_the_voice_does_not_speak_is_not_spoken_ahead(joe):
    spoken = [Breath((Piece("Hello.", "en"),)), Breath((Piece("你好", "zh"),))]
    assert asyncio.run(joe.prepare(spoken)) == 1
