"""Models and assets: hashed file by file; and a word spoken with them."""

from __future__ import annotations

import asyncio
import time

import numpy as np

from mien.audio.pcm import Samples
from mien.check.place import Place
from mien.check.result import Result, failed, ok, warning
from mien.packs import catalogue, store

_NEEDED = ("core", "listen")


def packs(_: Place) -> Result:
    """Hash every file of every pack that is here."""
    needed = {name for group in _NEEDED for name in catalogue.GROUPS[group]}
    states = {name: store.state(catalogue.manifest(name)) for name in catalogue.names()}
    here = [name for name, state in states.items() if state is store.State.INSTALLED]
    wrong = [fault for name in here for fault in store.faults(catalogue.manifest(name))]
    if wrong:
        bad = " ".join(sorted({fault.pack for fault in wrong}))
        return failed(
            f"{len(wrong)} files are not what their hashes say: {wrong[0].pack}/{wrong[0].path}",
            f"mien packs pull {bad}",
            "; ".join(map(str, wrong[:3])),
        )
    half = [name for name, state in states.items() if state in (store.State.INCOMPLETE, store.State.OUTDATED)]
    lacking = sorted(needed - set(here))
    evidence = f"hashed: {', '.join(here) or 'none'}"
    if half:
        told = ", ".join(f"{name} is {states[name]}" for name in half)
        return failed(told, f"mien packs pull {' '.join(half)}", evidence)
    if "voice-joe" in lacking or "human" in lacking:
        return failed(
            f"not installed: {', '.join(lacking)}", f"mien packs pull {' '.join(_NEEDED)}", evidence
        )
    if lacking:
        return warning(
            f"not installed: {', '.join(lacking)}; nobody is listened to",
            f"mien packs pull {_NEEDED[1]}",
            evidence,
        )
    return ok(f"{len(here)} packs, every file as its hash says", evidence)


def voice(_: Place) -> Result:
    """Speak two words with the voice of the persona `joe`."""
    store.path("voice-joe")
    began = time.perf_counter()
    sound, rate_hz = asyncio.run(_spoken())
    took, length = time.perf_counter() - began, len(sound) / rate_hz
    loudest = float(np.abs(sound).max(initial=0.0))
    if not 0.2 < length < 4 or not 0.02 < loudest <= 1.0:
        return failed(
            f"the voice made {length:.2f} s of sound, at most {loudest:.2f} loud",
            "mien packs verify voice-joe",
        )
    return ok(f"two words of {length:.2f} s, with their face", f"{took:.1f} s, loading the voice among them")


async def _spoken() -> tuple[Samples, int]:
    from mien.persona import Persona

    chunks = [chunk async for chunk in Persona.load("joe").stream("Good morning.")]
    return np.concatenate([chunk.pcm.samples for chunk in chunks]), chunks[0].pcm.rate_hz
