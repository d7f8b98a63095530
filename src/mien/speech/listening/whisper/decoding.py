"""Tokens of a sound, the likeliest one each time, with a draft of them checked in one step.

While a user speaks, each pass hears what the last one heard and a little more: nearly all its tokens are
known before. They are put into the decoder at once; those that it would have chosen itself stay. The
result is that of decoding one by one (Leviathan et al., Fast Inference from Transformers via Speculative
Decoding, 2023, with yesterday's words as the draft).
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mien.audio.pcm import Samples
from mien.engine.stop import Stop
from mien.speech.listening.whisper.boost import Boost
from mien.speech.listening.whisper.mel import RATE_HZ
from mien.speech.listening.whisper.model import Heard, WhisperModel

Floats = NDArray[np.float32]

_NEVER = np.float32(-1e9)
_PROMPT = 64  # tokens of context at most; the decoder holds 448 in all
_TOKENS_A_SECOND = 14  # nobody speaks faster: fast English has 7, Mandarin up to 12
_MOST = 224  # tokens of 30 s of sound, half of what the decoder holds
_LOOP = 3  # times that a phrase may be said in a row
_LOOP_TOKENS = 12  # the longest phrase that is looked for
# openai/whisper `transcribe.py`: text that gzip shrinks more than this repeats itself, tokens less likely
# than this are guessed
SQUEEZED, GUESSED, SILENT = 2.4, -1.0, 0.6


@dataclass(frozen=True, slots=True)
class Request:
    """How a sound is decoded.

    `window_s`: silence is put behind shorter sound. `language`: ISO 639-1, or `auto`. `context`: tokens said
    before. `boost`: words that may come. `draft`: the tokens that are expected.
    """

    window_s: float
    language: str = "en"
    context: tuple[int, ...] = ()
    boost: Boost = Boost()
    draft: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    """What was heard: `tokens` with their log-probabilities `(n,)`, and how likely it is that nobody spoke.

    `looks (A, n, T)`: where in the sound (20 ms each) the alignment heads looked to write each token.
    `accepted`: how many tokens of the draft were right. `looped`: a phrase came again and again, and was cut.
    """

    tokens: tuple[int, ...]
    logprobs: Floats
    no_speech: float
    language: str
    looks: Floats
    accepted: int
    looped: bool
    text: str

    @property
    def likelihood(self) -> float:
        """The mean log-probability of a token; 0 without any."""
        return float(self.logprobs.mean()) if len(self.logprobs) else 0.0

    @property
    def is_sane(self) -> bool:
        """Whether it looks like speech that was understood, not like a guess or a loop."""
        return not self.looped and self.likelihood > GUESSED and squeezed(self.text) < SQUEEZED

    @property
    def is_silence(self) -> bool:
        """Whether the model itself thinks that nobody spoke."""
        return self.no_speech > SILENT and self.likelihood < GUESSED / 2


def decode(model: WhisperModel, samples: Samples, request: Request, stop: Stop | None = None) -> Decoded:
    """Return the tokens of 16 kHz `samples`. Raises `InputError` for an unknown language, `Stopped`."""
    heard = model.hear(samples, request.window_s, stop)
    opening, no_speech, language = _open(model, heard, request, stop)
    before = heard.length + len(opening)
    writer = _Writer(model, heard, request, stop)
    limit = min(_MOST, 4 + round(_TOKENS_A_SECOND * len(samples) / RATE_HZ))
    accepted = writer.begin(opening, request.draft[:limit])
    looped = False
    while not writer.ended and len(writer.tokens) < limit:
        loop = repeated(writer.tokens)
        if loop:
            writer.cut(loop)
            looped = True
            break
        writer.step()
    tokens = tuple(writer.tokens)
    looks = _looks(heard, before, len(tokens))
    logprobs = np.array(writer.logprobs, np.float32)
    text = model.vocabulary.text(tokens)
    return Decoded(tokens, logprobs, no_speech, language, looks, accepted, looped, text)


def squeezed(text: str) -> float:
    """Return how many times smaller `text` gets when it is compressed."""
    data = text.encode()
    return len(data) / len(zlib.compress(data)) if data else 1.0


def repeated(tokens: Sequence[int]) -> int:
    """Return how many tokens at the end only say again what was said `_LOOP` times in a row; 0 mostly."""
    for size in range(1, min(_LOOP_TOKENS, len(tokens)) + 1):
        phrase = list(tokens[-size:])
        times = 1
        while list(tokens[-(times + 1) * size : -times * size]) == phrase:
            times += 1
        if times > (_LOOP if size > 1 else _LOOP + 3):
            return (times - 1) * size
    return 0


def _open(
    model: WhisperModel, heard: Heard, request: Request, stop: Stop | None
) -> tuple[list[int], float, str]:
    """Return the tokens that are still to be read before the first word, P(no speech) and the language."""
    words = model.vocabulary
    context = [words.special["<|startofprev|>"], *request.context[-_PROMPT:]] if request.context else []
    start = words.special["<|startoftranscript|>"]
    logits = model.read(heard, [*context, start], stop)[-1]
    silence = words.special.get("<|nospeech|>", words.special.get("<|nocaptions|>", words.end))
    no_speech = float(_log_softmax(logits)[silence])
    language = request.language
    if language == "auto":
        tokens = words.languages
        language = max(tokens, key=lambda code: logits[tokens[code]]) if tokens else "en"
    return words.start(language)[1:], float(np.exp(no_speech)), language


class _Writer:
    """One decoding: the tokens so far, the greedy choice of the next."""

    def __init__(self, model: WhisperModel, heard: Heard, request: Request, stop: Stop | None) -> None:
        self._model, self._heard, self._stop = model, heard, stop
        words = model.vocabulary
        self._bias = np.zeros(words.special["<|notimestamps|>"] + 1, np.float32)
        self._boost = request.boost
        self._bias[words.end + 1 :] = _NEVER
        self._bias[list(model.config.suppressed)] = _NEVER
        self._first = np.array(model.config.suppressed_first, np.int64)
        self.tokens: list[int] = []
        self.logprobs: list[float] = []
        self.ended = False

    def begin(self, opening: Sequence[int], draft: Sequence[int]) -> int:
        """Read the opening and the draft at once; return how many of the draft's tokens are right."""
        rows = self._model.read(self._heard, [*opening, *draft], self._stop)[len(opening) - 1 :]
        for place, row in enumerate(rows):
            wrong = not self._take(row) or place == len(draft) or self.tokens[-1] != draft[place]
            if wrong:
                self._heard.forget(len(draft) - place)
                return place
        raise AssertionError("the last row is behind the draft")

    def step(self) -> None:
        """Read the last token and choose the next."""
        self._take(self._model.read(self._heard, self.tokens[-1:], self._stop)[-1])

    def cut(self, tokens: int) -> None:
        """Take back the last tokens."""
        del self.tokens[-tokens:], self.logprobs[-tokens:]

    def _take(self, logits: Floats) -> bool:
        scores = logits[: len(self._bias)] + self._bias
        for token, gain in dict(self._boost.after(self.tokens)).items():
            scores[token] += gain
        if not self.tokens:
            scores[self._first] = _NEVER
        best = int(np.argmax(scores))
        if best == self._model.vocabulary.end:
            self.ended = True
            return False
        self.tokens.append(best)
        self.logprobs.append(float(_log_softmax(scores)[best]))
        return True


def _looks(heard: Heard, before: int, tokens: int) -> Floats:
    """Return where the heads looked in the steps that wrote the tokens: the one before each was read."""
    looks = np.concatenate(heard.attention, axis=1)
    return np.asarray(looks[:, before - 1 : before - 1 + tokens], np.float32)


def _log_softmax(values: Floats) -> Floats:
    shifted = values - values.max()
    return np.asarray(shifted - np.log(np.exp(shifted).sum()), np.float32)
