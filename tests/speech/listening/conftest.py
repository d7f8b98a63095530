import pytest

from mien import packs
from mien.audio import Pcm
from mien.audio.files import read
from mien.audio.resample import resample
from mien.speech.listening.activity import SileroVad
from mien.speech.listening.models import Models
from mien.speech.listening.whisper.model import WhisperModel

# Where the first two stretches of speech are: "It was the best of times, it was the worst of times," and
# "it was the age of wisdom,".
FIRST_S, SECOND_S = (1.22, 4.64), (5.02, 6.30)


@pytest.fixture(scope="session")
def recording() -> Pcm:
    return read(packs.path("samples") / "two_cities.wav")


@pytest.fixture(scope="session")
def at_16k(recording: Pcm) -> Pcm:
    return resample(recording.cut(0, 9 * recording.rate_hz), 16_000)


@pytest.fixture(scope="session")
def tiny() -> WhisperModel:
    return WhisperModel.load("whisper-tiny-en", threads=2)


@pytest.fixture(scope="session")
def vad() -> SileroVad:
    return SileroVad.load()


@pytest.fixture(scope="session")
def models():
    made = Models.load()
    yield made
    made.close()
