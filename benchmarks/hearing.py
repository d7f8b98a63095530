"""What hearing only the sound that is there costs in words and saves in time, and when words are known.

    .venv/bin/python benchmarks/hearing.py                 # English: tiny.en, recorded speech
    .venv/bin/python benchmarks/hearing.py --model base    # the multilingual model on the same
    .venv/bin/python benchmarks/hearing.py --mandarin      # base on Mandarin, spoken by a synthetic voice
    .venv/bin/python benchmarks/hearing.py --write wenti   # that Mandarin, noisy, for mien bench live

Two cores are enough; the packs listen, samples (whisper-base, kokoro) must be installed.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mien import packs
from mien.audio import Pcm, files
from mien.audio.files import read
from mien.audio.resample import resample
from mien.bench.recordings import BOOK
from mien.speech.listening import Final, Models, Options, Speaking, SpeechStopped
from mien.speech.listening.error_rate import edits, units
from mien.speech.listening.playback import play
from mien.speech.listening.recogniser import PACKS, Recogniser
from mien.speech.listening.whisper.model import WhisperModel

MANDARIN = (
    "你好，我想开一个银行账户。", "请问开户需要什么材料？", "我的余额是多少？", "你们几点开门？",
    "我想找人工客服。", "今天天气怎么样？", "我要把五百块钱转给我妈妈。", "信用卡丢了怎么办？",
    "离我最近的分行在哪里？", "谢谢你，再见。",
    "可以帮我查一下上个月的账单吗？", "我忘记密码了，怎么重新设置？",
)  # fmt: skip


async def turns(models: Models, pcm: Pcm) -> list[Final]:
    """Return the turns of a recording, as the listener cuts it."""
    return [event async for event, _ in play(models, pcm) if isinstance(event, Final)]


async def spoken(name: str = "zf_xiaoxiao") -> list[Pcm]:
    from mien.speech import Breath, Piece
    from mien.speech.voices.registry import load

    voice = load({"kind": "kokoro", "name": name})
    out = []
    for text in MANDARIN:
        chunks = [chunk.pcm async for chunk in voice.speak(Breath((Piece(text, "zh"),)))]
        out.append(resample(Pcm.join(chunks, voice.rate_hz), 16_000))
    return out


def write(folder: Path) -> None:
    """Write the Mandarin sentences, by two voices with a fan 25 dB below them, as recordings with words."""
    folder.mkdir(parents=True, exist_ok=True)
    lines, rng = [], np.random.default_rng(0)
    for name in ("zm_yunxi", "zf_xiaobei"):
        for number, (pcm, text) in enumerate(zip(asyncio.run(spoken(name)), MANDARIN, strict=True)):
            loudness = float(np.sqrt(np.mean(pcm.samples**2)))
            noise = rng.standard_normal(len(pcm)).astype(np.float32) * loudness * 10 ** (-25 / 20)
            files.write(folder / f"{name}-{number}.wav", Pcm(pcm.samples + noise, pcm.rate_hz))
            lines.append(f"{name}-{number}: {text}")
    (folder / "words.txt").write_text("\n".join(lines), "utf-8")


def windows(recogniser: dict[float, Recogniser], sounds: Sequence[Pcm], wanted: str, language: str) -> None:
    """Print a row for each window: errors, and times with and without the draft of the pass before."""
    print("| window | errors | a turn | real-time factor | a turn, with a draft of its first part |")
    print("| --- | --- | --- | --- | --- |")
    length = sum(sound.duration_s for sound in sounds)
    for window, ear in recogniser.items():
        texts, alone, drafted = [], [], []
        for sound in sounds:
            early = ear.hear(sound.samples[: max(8_000, len(sound) - 6_400)])  # what 0.4 s before was heard
            began = time.perf_counter()
            heard = ear.hear(sound.samples, last=True)
            alone.append(time.perf_counter() - began)
            began = time.perf_counter()
            ear.hear(sound.samples, early.tokens, last=True)
            drafted.append(time.perf_counter() - began)
            texts.append(heard.text)
        wrong, all_ = _errors(wanted, " ".join(texts), language)
        print(
            f"| {window:g} s | {100 * wrong / all_:.1f} % ({wrong} of {all_}) | {np.median(alone):.3f} s "
            f"| {sum(alone) / length:.3f} | {np.median(drafted):.3f} s |"
        )


def _errors(wanted: str, heard: str, language: str) -> tuple[int, int]:
    return edits(units(wanted, language), units(heard, language)), len(units(wanted, language))


async def latency(models: Models, pcm: Pcm) -> None:
    """Print how long after the last voiced sample a turn was taken, and its words were known."""
    taken, known = [], []
    async for event, late_s in play(models, pcm, Options(), live=True):
        if isinstance(event, SpeechStopped):
            taken.append(late_s)
        if isinstance(event, Final):
            known.append(late_s)
    for name, values in (("turn taken", taken), ("words known", known)):
        p50, p95 = np.percentile(values, [50, 95]) * 1000
        print(f"{name}: median {p50:.0f} ms, p95 {p95:.0f} ms after the voice ({len(values)} turns)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", default="tiny.en", choices=sorted(PACKS))
    parser.add_argument("--mandarin", action="store_true")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--windows", default="1,12,30")
    parser.add_argument("--no-latency", action="store_true")
    given = parser.parse_args()
    if given.write:
        write(given.write)
        return
    model = "base" if given.mandarin else given.model
    language = "zh" if given.mandarin else "en"
    loaded = WhisperModel.load(PACKS[model])
    ears = {
        seconds: Recogniser(loaded, Speaking(language, model=model, window_s=seconds))
        for seconds in map(float, given.windows.split(","))
    }
    if given.mandarin:
        windows(ears, asyncio.run(spoken()), "".join(MANDARIN), language)
        return
    pcm = read(packs.path("samples") / "two_cities.wav")
    models = Models.load(Speaking(language, model=model))
    sounds = [_cut(pcm, final) for final in asyncio.run(turns(models, pcm))]
    print(f"{model}: {len(sounds)} turns, {sum(s.duration_s for s in sounds):.1f} s of recorded speech")
    windows(ears, sounds, BOOK, language)
    if not given.no_latency:
        asyncio.run(latency(models, pcm))
    models.close()


def _cut(pcm: Pcm, final: Final) -> Pcm:
    start = max(0, final.words[0].start - round(0.3 * pcm.rate_hz))
    return resample(pcm.cut(start, final.sample + round(0.1 * pcm.rate_hz)), 16_000)


if __name__ == "__main__":
    main()
