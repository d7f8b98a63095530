"""A persona: a voice, a head and manners that speak together."""

from __future__ import annotations

import asyncio
import math
import time
import zlib
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mien.audio import files
from mien.audio.pcm import Pcm
from mien.errors import InputError, MissingError, nearest
from mien.face.animator import Animator
from mien.face.feeling import Emotion
from mien.home import home
from mien.persona import spec as specs
from mien.persona.cast import Cast
from mien.persona.making import Said, check_recording, make, output_paths
from mien.persona.outputs import Film, Setting
from mien.persona.performance import Chunk, Performance
from mien.persona.spec import PersonaSpec
from mien.persona.threads import in_thread
from mien.progress import Progress, silent
from mien.speech import voices
from mien.speech.breath import Breath
from mien.speech.text import breaths
from mien.speech.voice import Voice
from mien.speech.voices import references
from mien.speech.voices.identity import identity, together
from mien.speech.voices.recorded import RecordedVoice
from mien.speech.voices.remembered import RememberedVoice
from mien.speech.voices.spec import parse
from mien.speech.voices.tongues import Tongue, Tongues
from mien.speech.voices.unaligned import UnalignedVoice

LEAD_IN_S = 0.25  # a film does not begin in the middle of a word


@dataclass(slots=True)
class Persona:
    """Speaks: to files (`say`) or to whoever listens (`stream`)."""

    spec: PersonaSpec
    _voice: Voice | None = field(default=None, repr=False)

    @classmethod
    def load(
        cls, name: str | Path, *, voice: str | Path | None = None, avatar: str | Path | None = None
    ) -> Persona:
        """Read a persona by name (`ava`, `joe`, `xiaoxiao`) or from a TOML file; models load when needed.

        `voice`: a Piper voice (`.onnx`) or a Kokoro voice vector (`.bin`) instead of the file's.
        `avatar`: a built-in head or a file (`.glb`, `.vrm`, `.gltf`, `.toml`) instead of the file's.
        Raises `MissingError` when it is not there, `InputError` when its file is wrong.
        """
        spec = specs.read(name)
        spec = spec if voice is None else specs.with_voice(spec, Path(voice))
        return cls(spec if avatar is None else specs.with_avatar(spec, str(avatar)))

    async def stream(
        self,
        text: str,
        *,
        voice: Voice | None = None,
        emotion: Emotion | None = None,
        lead_in_s: float = 0.0,
    ) -> AsyncGenerator[Chunk, None]:
        """Yield sound with its face, on one clock, as soon as it is ready.

        `text` is plain text or SSML; `voice` and `emotion` stand in for the persona's own; `lead_in_s`
        seconds of a still face come first. Raises `InputError` for a text that can not be spoken.
        """
        spoken = breaths(text, language=self.spec.language, lexicon=self.spec.lexicon)
        performance = await self._performance(text, voice, emotion, lead_in_s)
        async with aclosing(performance.chunks(spoken)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def performance(self, seed: str = "", emotion: Emotion | None = None) -> Performance:
        """Return a new performance: the voice and the face of what is said next, breath by breath, for one
        whose text is still being made. `seed`: what decides when it blinks; `emotion`: instead of its mood.
        """
        return await self._performance(seed, None, emotion, 0.0)

    async def say(
        self,
        text: str,
        *,
        to: str | Path | Sequence[str | Path],
        film: Film | None = None,
        voice: Voice | None = None,
        emotion: Emotion | None = None,
        progress: Progress = silent,
    ) -> Said:
        """Speak `text` into one file or several at once; the suffix says what each becomes:
        `.mp4 .webm` a film, `.wav .flac .ogg .mp3` the voice, `.csv .json .npz .glb` the face.

        Raises `InputError` for a text or a file name that can not be used, `MissingError` for a pack
        or a library that is not there, `ResourceError` when the disk refuses; no partial file is left.
        """
        began = time.perf_counter()
        paths = output_paths(to)
        spoken = list(breaths(text, language=self.spec.language, lexicon=self.spec.lexicon))
        progress("loading the voice", 0.0)
        performance = await self._performance(text, voice, emotion, LEAD_IN_S)
        return await make(performance, spoken, paths, self._setting(performance, film, progress), began)

    async def dub(
        self,
        recording: str | Path | Pcm,
        text: str = "",
        *,
        to: str | Path | Sequence[str | Path],
        film: Film | None = None,
        emotion: Emotion | None = None,
        progress: Progress = silent,
    ) -> Said:
        """Give a recording a face; `to` and the errors are those of `say`.

        `text` is what is said in it, in the persona's language; without it the sound alone moves the
        lips. Raises `InputError` when the words do not fit the recording.
        """
        began = time.perf_counter()
        paths = output_paths(to)
        if not isinstance(recording, Pcm):
            check_recording(recording, paths)
        pcm = recording if isinstance(recording, Pcm) else await in_thread(files.read, recording)
        voice: RecordedVoice | UnalignedVoice
        progress("listening to the recording", 0.0)
        if text.strip():
            words = list(breaths(text, language=self.spec.language, lexicon=self.spec.lexicon))
            voice = RecordedVoice(pcm, await in_thread(self._reference))
        else:
            words, voice = [], UnalignedVoice(pcm)
        spoken = await voice.script(words)
        performance = await self._performance(text, voice, emotion, 0.0)
        return await make(performance, spoken, paths, self._setting(performance, film, progress), began)

    async def prepare(
        self, spoken: Sequence[Breath], progress: Progress = silent, *, within_s: float = math.inf
    ) -> int:
        """Load the voice, and speak breaths ahead: whoever says them later has their sound at once, also in
        another process (`$MIEN_HOME/phrases`). What is said besides is remembered for as long as there is
        room. Breaths for other voices, and in languages that the voice does not speak, are left out; none is
        begun after `within_s` seconds. Returns how many are ready; raises what the voice raises.
        """
        voice, end = await in_thread(self._remembering), time.perf_counter() + within_s
        cast = Cast(voice, self._find_voice, self.spec.volume)
        own = [breath for breath in spoken if breath.voice is None and cast.speaks(breath)]
        for number, breath in enumerate(own):
            if time.perf_counter() > end:
                return number
            progress("speaking known answers", number / len(own))
            await voice.prepare(cast.directed(breath))
        return len(own)

    def _setting(self, performance: Performance, film: Film | None, progress: Progress) -> Setting:
        film = film or Film(background=self.spec.background)
        return Setting(self.spec.avatar, performance.voice.rate_hz, film, progress)

    def say_sync(
        self,
        text: str,
        *,
        to: str | Path | Sequence[str | Path],
        film: Film | None = None,
        voice: Voice | None = None,
        emotion: Emotion | None = None,
        progress: Progress = silent,
    ) -> Said:
        """Do what `say` does, for code that has no event loop; raises `InputError` where one runs."""
        if asyncio._get_running_loop() is not None:
            raise InputError("say_sync can not wait where an event loop runs; use: await persona.say(...)")
        return asyncio.run(self.say(text, to=to, film=film, voice=voice, emotion=emotion, progress=progress))

    async def _performance(
        self, text: str, voice: Voice | None, emotion: Emotion | None, lead_in_s: float
    ) -> Performance:
        own = voice if voice is not None else await in_thread(self._own_voice)
        cast = Cast(own, self._find_voice, self.spec.volume if voice is None else 0.0)
        manners = self.spec.manners
        seed = zlib.crc32(text.encode("utf-8", "replace"))  # two texts blink differently, one always alike
        animator = Animator(cast.rate_hz, energy=manners.energy, mood=emotion or manners.mood, seed=seed)
        return Performance(cast, animator, lead_in_s=lead_in_s)

    def _reference(self) -> Voice:
        """Return the built-in voice that says the words of a recording, for comparison."""
        voice = references.find(self.spec.language)
        if voice is None:
            raise InputError(f"no built-in voice speaks {self.spec.language}; leave the text out")
        return voice

    def _own_voice(self) -> Voice:
        voice = self._voice or voices.load(self.spec.voice)
        if self._voice is None and self.spec.voices:
            voice = Tongues(voice, {code: self._tongue(table) for code, table in self.spec.voices.items()})
        self._voice = voice
        return voice

    def _tongue(self, table: Mapping[str, Any]) -> Tongue:
        return Tongue(
            voices.load(_plain(table)), float(table.get("volume", self.spec.volume)) - self.spec.volume
        )

    def _remembering(self) -> RememberedVoice:
        voice = self._own_voice()
        if not isinstance(voice, RememberedVoice):
            name = self._identity()
            self._voice = voice = RememberedVoice(voice, None if name is None else home() / "phrases" / name)
        return voice

    def _identity(self) -> str | None:
        """Return a name for the sound of all its voices; None when one of them is remote."""
        names = [identity(parse(_plain(table))) for table in (self.spec.voice, *self.spec.voices.values())]
        known = [name for name in names if name is not None]
        if len(known) < len(names):
            return None
        others = zip(known[1:], self.spec.voices.items(), strict=True)
        return together(known[0], {code: (name, table.get("volume")) for name, (code, table) in others})

    def _find_voice(self, name: str) -> Voice:
        """Return a voice that SSML calls: another persona's, or one of the own voice's kind."""
        if name in specs.names():
            return voices.load(specs.read(name).voice)
        try:
            return voices.load({"kind": self.spec.voice["kind"], "name": name})
        except MissingError:
            raise InputError(f"no voice {name!r}{nearest(name, specs.names())}") from None


def _plain(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a language's table is its voice."""
    return {key: value for key, value in table.items() if key != "volume"}
