"""Which targets are used together: speech of two languages under every feeling, counted frame by frame.

python benchmarks/combinations.py
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path

import numpy as np

from mien import Persona
from mien.bench.say import TEXT
from mien.face import Animator
from mien.face.feeling import EMOTIONS, Emotion
from mien.face.pose import ARKIT_NAMES
from mien.measure import read_phones

MANDARIN = (
    "你好，欢迎来到银行。请问需要办理什么业务？今天天气很好，我们可以一起去公园散步。"
    "这本书非常有意思，我推荐你读一读。小张昨天买了五斤苹果，花了二十块钱。"
)
SPEECH = {"joe": TEXT, "xiaoxiao": MANDARIN}
ACTIVE, SHOWN = 0.12, 20


FEELINGS = [Emotion(name, s) for name in EMOTIONS for s in ((0.5, 1.0) if name != "neutral" else (0.0,))]


def faces(moods: Iterable[Emotion]) -> Iterator[np.ndarray]:
    """Yield the weights (T, 52) of each text under each of the moods."""
    with tempfile.TemporaryDirectory() as folder:
        for persona, text in SPEECH.items():
            file = Path(folder) / f"{persona}.phones"
            Persona.load(persona).say_sync(text, to=[file])
            heard = read_phones(file)
            for mood in moods:
                animator = Animator(heard.rate_hz, energy=0.6, mood=mood, seed=1)
                animator.feed(heard.phones)
                yield animator.finish(heard.phones[-1].end).weights


def stem(name: str) -> str:
    """Return a target's name without its side."""
    bare = name.removesuffix("Left").removesuffix("Right")
    return bare if f"{bare}Left" in ARKIT_NAMES and bare not in ("jaw", "mouth") else name


def main() -> None:
    rows = np.concatenate(list(faces(FEELINGS)))
    stems = sorted({stem(name) for name in ARKIT_NAMES if not name.startswith("eyeLook")})
    used = {s: rows[:, [stem(name) == s for name in ARKIT_NAMES]].max(axis=1) > ACTIVE for s in stems}
    shares = {pair: (used[pair[0]] & used[pair[1]]).mean() for pair in combinations(stems, 2)}
    print(f"{len(rows) / 3600:.1f} minutes")
    for pair in sorted(shares, key=shares.__getitem__, reverse=True)[:SHOWN]:
        print(f"{shares[pair]:6.1%}  {' + '.join(pair)}")


if __name__ == "__main__":
    main()
