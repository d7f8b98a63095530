"""The figures of `mien say`: start, voice, lips, sync of the encoded films, time and memory."""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import aclosing
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from mien.bench import voice
from mien.bench.figures import Figures
from mien.face import formats
from mien.face import metrics as lips
from mien.measure import measure, read_phones
from mien.persona import Film, Persona
from mien.progress import Progress, silent
from mien.speech.voices import load

TEXT = (
    "Hello, and welcome. My name is Joe, and I am a digital person on this very machine. "
    "Please bring me a bit more pepper, mom, because the broth has become bland. "
    "Five very fine waves of coffee flavour fill the village every evening. "
    "Peter bought a purple umbrella for the big parade, but nobody remembered to open it. "
    "We moved from the farm to the suburb, and Bob prefers it, as far as I can tell. "
    "Maybe a map would help them; perhaps a compass is better. Before you leave, wave to the family."
)
RATES = {"25": Fraction(25), "29.97": Fraction(30000, 1001), "30": Fraction(30), "60": Fraction(60)}
PERSONA = "joe"
AUDIBLE = 0.01  # of full scale: -40 dB


def run(*, minutes: float = 0.0, tell: Progress = silent) -> Figures:
    """Measure everything; `minutes` > 0 adds a film of that length, for drift and memory."""
    figures = Figures()
    with tempfile.TemporaryDirectory(prefix="mien-bench-") as name:
        folder = Path(name)
        tell("start-up", 0.0)
        _start_up(figures)
        tell("voices", 0.1)
        _voices(figures)
        _stream(figures)
        tell("lips", 0.3)
        _lips(figures, folder)
        for i, rate in enumerate(RATES):
            tell(f"film at {rate} fps", 0.4 + 0.1 * i)
            _film(figures, folder, rate)
        if minutes:
            tell(f"film of {minutes:g} minutes", 0.8)
            _long(figures, folder, minutes)
    return figures


def _best(command: list[str], runs: int = 5) -> float:
    """Return the best wall time of a command, milliseconds."""
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    return min(times) * 1e3


def _start_up(figures: Figures) -> None:
    empty = _best([sys.executable, "-c", "pass"])
    loaded = _best([sys.executable, "-c", "import mien"])
    figures.add("import mien", loaded - empty, "ms", "<=", 150)
    figures.add("mien --help", _best([sys.executable, "-m", "mien", "--help"]), "ms", "<=", 300)


def _voices(figures: Figures) -> None:
    voices = {
        "Piper": ({"kind": "piper", "name": "joe"}, "en"),
        "Kokoro, English": ({"kind": "kokoro", "name": "af_heart"}, "en"),
        "Kokoro, Mandarin": ({"kind": "kokoro", "name": "zf_xiaoxiao"}, "zh"),
    }
    for name, (table, language) in voices.items():
        found = voice.measure_sync(load(table), language)
        piper = name == "Piper"
        figures.add(f"{name}: first sound, best", found.first_ms[0], "ms", "<=", 80 if piper else None)
        figures.add(f"{name}: first sound, median", found.first_ms[1], "ms")
        factor = found.real_time_factor
        figures.add(f"{name}: real-time factor, best", factor[0], "", "<=", 0.1 if piper else None)
        figures.add(f"{name}: real-time factor, median", factor[1], "")


def _stream(figures: Figures) -> None:
    """Time from the call of `Persona.stream` to the first chunk, and to what can be heard in it."""
    persona = Persona.load(PERSONA)

    async def first() -> tuple[float, float]:
        began = time.perf_counter()
        async with aclosing(persona.stream(TEXT)) as chunks:
            chunk = await anext(chunks)
        took_s = time.perf_counter() - began
        loud = np.flatnonzero(np.abs(chunk.pcm.samples) > AUDIBLE)
        return took_s, took_s + (loud[0] if len(loud) else len(chunk.pcm)) / chunk.pcm.rate_hz

    asyncio.run(first())
    runs = [asyncio.run(first()) for _ in range(10)]
    given, heard = ([run[i] * 1e3 for run in runs] for i in (0, 1))
    figures.add("stream: first chunk after the call, best", min(given), "ms", "<=", 80)
    figures.add("stream: first chunk after the call, median", statistics.median(given), "ms")
    figures.add("stream: first audible sample, best", min(heard), "ms", "<=", 80)
    figures.add("stream: first audible sample, median", statistics.median(heard), "ms")


def _lips(figures: Figures, folder: Path) -> None:
    """Judge the face track itself, before any picture is drawn."""
    track, phones = folder / "lips.npz", folder / "lips.phones"
    Persona.load(PERSONA).say_sync(TEXT, to=[track, phones])
    heard = read_phones(phones)
    found = lips.measure(formats.read(track), heard.phones, heard.rate_hz)
    figures.add("track: bilabials closed", found.closure_recall * 100, "%", ">=", 98)
    figures.add("track: f and v in contact", found.contact_recall * 100, "%", ">=", 95)
    figures.add("track: pauses closed and still", found.still_pauses * 100, "%", ">=", 100)


def _film(figures: Figures, folder: Path, rate: str) -> None:
    """Make a film, and judge its encoded pictures and sound."""
    film, phones = folder / f"{rate}.mp4", folder / f"{rate}.phones"
    said = Persona.load(PERSONA).say_sync(TEXT, to=[film, phones], film=Film((512, 512), RATES[rate]))
    report = measure(film, phones=read_phones(phones))
    name = f"{rate} fps"
    figures.add(f"{name}: A/V offset, + picture first", report.av_offset_ms, "ms", "±", 15)
    figures.add(f"{name}: A/V offset, standard error", report.av_offset_error_ms, "ms")
    if rate == "30":
        _time(figures, said.speech_s, said.took_s, said.spent_s)
        figures.add("film: bilabials closed", _percent(report.closure_recall), "%", ">=", 98)
        figures.add("film: f and v in contact", _percent(report.labiodental_recall), "%", ">=", 95)
        figures.add("film: closed in pauses", _percent(report.closed_in_silence), "%")
        figures.add("film: closed at the end", float(bool(report.closed_at_end)), "0 or 1", ">=", 1)
        figures.add("film: jitter", (report.jitter or 0.0) * 1e3, "1/1000 face width")
        figures.add("film: blinks", report.blinks_per_minute, "per minute")


def _time(figures: Figures, speech_s: float, took_s: float, spent_s: dict[str, float]) -> None:
    figures.add("512² 30 fps film: time / speech", took_s / speech_s, "ratio", "<=", 1.0)
    for stage, seconds in spent_s.items():
        figures.add(f"512² 30 fps film: {stage} / speech", seconds / speech_s, "ratio")


def _percent(share: float | None) -> float | None:
    return None if share is None else share * 100


# The peak is read from /proc where there is one: a child's `ru_maxrss` starts at its parent's.
_CHILD = """
import json, pathlib, re, resource, sys
from mien import Persona
said = Persona.load(sys.argv[1]).say_sync(sys.stdin.read(), to=sys.argv[2])
status = pathlib.Path("/proc/self/status")
own = re.search(r"VmHWM:\\s+(\\d+)", status.read_text()) if status.exists() else None
peak = int(own[1]) if own else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([said.speech_s, said.took_s, peak]))
"""


def _long(figures: Figures, folder: Path, minutes: float) -> None:
    """Make a long film in a process of its own, for its peak memory and its drift."""
    film, text = folder / "long.mp4", TEXT
    seconds_of_text = 28.0
    text = "\n\n".join([TEXT] * max(1, round(minutes * 60 / seconds_of_text)))
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, PERSONA, str(film)],
        input=text, capture_output=True, text=True, check=True,
    )  # fmt: skip
    speech_s, took_s, peak_kib = json.loads(done.stdout.splitlines()[-1])
    report: Any = measure(film)
    name = f"{speech_s / 60:.1f} min film"
    figures.add(f"{name}: peak memory", peak_kib / 1024 / 1024, "GiB", "<=", 1.2 * 1e9 / 2**30)
    figures.add(f"{name}: time / speech", took_s / speech_s, "ratio", "<=", 1.0)
    figures.add(f"{name}: drift", report.av_drift_ms_per_10min, "ms per 10 min", "±", 5)
    figures.add(f"{name}: drift, standard error", report.av_drift_error_ms, "ms")
