"""Words that take no turn: a listener's "mm-hm", "yeah", "嗯", said while the other one speaks."""

from __future__ import annotations

from collections.abc import Sequence

from mien.speech.listening.agreement import bare
from mien.speech.listening.events import Word

_MOST_WORDS = 3
_LONGEST_S = 1.5
_SIGNALS = frozenset(
    "mm mmm hm hmm mhm mmhm mmhmm uhhuh uhuh uh um huh ah oh eh yeah yep yes yup ok okay right sure "
    "嗯 嗯嗯 嗯哼 哦 噢 喔 啊 呃 唔 对 對 好 好的 是 是的 うん はい ええ ja oui sí si da".split()
)


def is_backchannel(words: Sequence[Word], rate_hz: int) -> bool:
    """Whether `words`, on a clock of `rate_hz`, only show that somebody listens: few and short."""
    if not words or (words[-1].end - words[0].start) > _LONGEST_S * rate_hz:
        return False
    parts = [bare(word.text) for word in words]
    joined = "".join(parts)
    return joined in _SIGNALS or (len(parts) <= _MOST_WORDS and all(part in _SIGNALS for part in parts))
