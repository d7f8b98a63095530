"""Sound → words while it grows: short windows, drafts from the pass before, guards against inventions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mien.audio.pcm import Samples
from mien.engine.stop import Stop
from mien.errors import InputError, nearest
from mien.speech.listening.activity import RATE_HZ
from mien.speech.listening.agreement import bare
from mien.speech.listening.events import Word, text
from mien.speech.listening.whisper.boost import Boost
from mien.speech.listening.whisper.decoding import Decoded, Request, decode
from mien.speech.listening.whisper.model import LONGEST_S, WhisperModel
from mien.speech.listening.whisper.words import timed

AUTO = "auto"
PACKS = {"tiny.en": "whisper-tiny-en", "base": "whisper-base"}
WINDOW_S = 1.0  # the least that is encoded: shorter sound gets silence behind it
_AGAIN_S = 5.0  # the least when a short sound went wrong: much silence helps, 30 s of it cost over a second
# What Whisper writes where nobody spoke: subtitles end like that.
_INVENTED = frozenset(
    "you|thankyou|thankyouforwatching|thanksforwatching|pleasesubscribe|bye|byebye|so|"
    "谢谢观看|谢谢大家|謝謝觀看|請不吝點贊訂閱轉發打賞支持明鏡與點點欄目|字幕由amaraorg社区提供|ご視聴ありがとうございました".split(
        "|"
    )
)
_UNSURE = 0.4  # P(no speech) from which such words are not believed


@dataclass(frozen=True, slots=True)
class Speaking:
    """What is listened for: `language` (ISO 639-1 or `auto`), `expect`: names and terms that may come.

    `model`: `tiny.en` or `base`; empty takes `tiny.en` for English and `base` for all else. `window_s`:
    the least that is encoded, 30 for what other recognisers do; 0 takes what is enough.
    """

    language: str = "en"
    expect: tuple[str, ...] = ()
    model: str = ""
    window_s: float = 0.0

    def __post_init__(self) -> None:
        if self.model and self.model not in PACKS:
            raise InputError(f"no recogniser {self.model!r}{nearest(self.model, PACKS)}")
        if self.window_s and not 1.0 <= self.window_s <= LONGEST_S:
            raise InputError(f"a window of {self.window_s} s can not be heard; from 1 to 30 s can")

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model or ("tiny.en" if self.language == "en" else "base")


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    """What a pass heard. `tokens` are the next pass's draft; `words` are on the sound's own 16 kHz clock."""

    words: tuple[Word, ...] = ()
    tokens: tuple[int, ...] = ()
    language: str = ""
    confidence: float = 0.0
    accepted: int = 0

    @property
    def text(self) -> str:
        """The words as one text."""
        return text(self.words)


class Recogniser:
    """A Whisper model with what one persona listens for. Holds no state of a stream."""

    def __init__(self, model: WhisperModel, speaking: Speaking) -> None:
        words = model.vocabulary
        if speaking.language != AUTO:
            words.start(speaking.language)  # names a language that is not known
        self._model = model
        self._request = Request(
            speaking.window_s or WINDOW_S,
            speaking.language,
            boost=Boost.of(speaking.expect, words),
        )

    @classmethod
    def load(cls, speaking: Speaking) -> Recogniser:
        """Load the model's pack; raises `MissingError` or `CorruptError`, `InputError` for a language."""
        return cls(WhisperModel.load(PACKS[speaking.name]), speaking)

    def hear(
        self,
        samples: Samples,
        draft: tuple[int, ...] = (),
        context: tuple[int, ...] = (),
        *,
        last: bool = False,
        stop: Stop | None = None,
    ) -> Hypothesis:
        """Return the words of at most 30 s at 16 kHz; raises `Stopped`.

        `draft`: the tokens of the pass before. `context`: what was said before this sound. `last`: no other
        pass follows, so one that went wrong is done again with a longer window.
        """
        request = replace(self._request, draft=draft, context=context)
        decoded = decode(self._model, samples, request, stop)
        longer_s = min(LONGEST_S, max(_AGAIN_S, 2 * len(samples) / RATE_HZ))
        if last and not decoded.is_sane and request.window_s < longer_s and not decoded.is_silence:
            again = decode(
                self._model, samples, replace(request, window_s=longer_s, draft=(), context=()), stop
            )
            decoded = max(decoded, again, key=lambda each: (each.is_sane, each.likelihood))
        if decoded.is_silence or _is_invented(decoded):
            return Hypothesis(language=decoded.language)
        words = timed(decoded, self._model.vocabulary, len(samples))
        mean = sum(word.confidence for word in words) / max(1, len(words))
        return Hypothesis(words, decoded.tokens, decoded.language, mean, decoded.accepted)


def _is_invented(decoded: Decoded) -> bool:
    return decoded.no_speech > _UNSURE and bare(decoded.text) in _INVENTED
