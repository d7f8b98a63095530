"""What all sessions of a server share: personas, voices, minds, recognisers; each is loaded once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from mien import avatar
from mien.avatar.render import Renderer
from mien.avatar.render.choice import open_renderer
from mien.engine.priority import PriorityThread
from mien.errors import InputError, MissingError, nearest
from mien.live import minds
from mien.live.admission import Admission
from mien.live.mind import Mind
from mien.live.phrases import prepare
from mien.mind import folder
from mien.persona import Persona
from mien.persona import spec as specs
from mien.persona.threads import in_thread
from mien.progress import silent
from mien.serve.operation.watch import Watch
from mien.speech.languages import base
from mien.speech.listening import Models, Speaking
from mien.speech.listening.recogniser import PACKS, Recogniser
from mien.speech.listening.whisper.model import WhisperModel

Thing = TypeVar("Thing")
AHEAD_S = 20.0  # for known answers; the next start goes on where this one ended
OWN_VOICE = frozenset(
    "default alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse".split()
)
"""Names that mean a persona's own voice: clients of OpenAI's always name one."""


@dataclass(eq=False)
class House:
    """`default`: the persona of who names none. All methods may be called from any thread."""

    default: str = "ava"
    admission: Admission = field(default_factory=Admission)
    watch: Watch = field(default_factory=Watch)
    _things: dict[Hashable, Any] = field(default_factory=dict)
    _locks: dict[Hashable, threading.RLock] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def spec(self, name: str) -> specs.PersonaSpec:
        """Return a persona's file; raises `MissingError` for one that is not among `personas`."""
        if name not in self.personas():
            raise MissingError(f"no persona {name!r}{nearest(name, self.personas())}")
        return specs.read(name)

    def personas(self) -> list[str]:
        """Return the names of those who may be talked to."""
        return sorted({*specs.names(), self.default})

    def languages(self, name: str) -> list[str]:
        """Return what a persona understands and speaks, its own language first."""
        spec = self.spec(name)
        own = base(spec.language)
        if spec.mind is None:
            return [own]
        read = self.once(("languages", name), lambda: folder.read(spec.mind).languages)  # type: ignore[arg-type]
        return [own, *sorted(each for each in read if each != own)]

    def persona(self, name: str, voice: str = "default") -> Persona:
        """Return a persona with its own or another voice; raises `MissingError`, `InputError`."""
        spec = self.spec(name)
        if voice not in OWN_VOICE and voice != name:
            spec = self._with_voice(spec, voice)
        return self.once(("persona", name, str(spec.voice), str(spec.voices)), lambda: Persona(spec))

    def _with_voice(self, spec: specs.PersonaSpec, voice: str) -> specs.PersonaSpec:
        if voice not in self.personas():
            raise MissingError(f"no voice {voice!r}{nearest(voice, self.personas())}")
        other = self.spec(voice)
        return replace(spec, voice=other.voice, voices=other.voices, volume=other.volume)

    def mind(self, name: str) -> Mind:
        """Return a persona's mind."""
        return self.once(("mind", name), lambda: minds.load(self.persona(name)))

    def thinks(self, name: str) -> bool:
        """Return whether a persona's mind has a language model."""
        mind = self.spec(name).mind
        return mind is not None and (mind / "model.yaml").is_file()

    def models(self, speaking: Speaking) -> Models:
        """Return what listens for `speaking`; all share threads and networks."""
        shared = self.once("models", lambda: self._first_models(speaking))
        return self.once(speaking, lambda: replace(shared, recogniser=self._recogniser(speaking)))

    def models_for_files(self, speaking: Speaking) -> Models:
        """Return what listens to recordings, in threads of its own: who talks does not wait for it."""
        own = self.once(
            "file models",
            lambda: replace(
                self.models(speaking),
                ears=PriorityThread("mien-file-ears"),
                turns=PriorityThread("mien-file-turns"),
                words=PriorityThread("mien-file-words"),
            ),
        )
        return replace(own, recogniser=self.models(speaking).recogniser)

    def _first_models(self, speaking: Speaking) -> Models:
        from mien.speech.listening.activity import SileroVad
        from mien.speech.listening.turn import SmartTurn

        return Models(SileroVad.load(), SmartTurn.load(), self._recogniser(speaking))

    def _recogniser(self, speaking: Speaking) -> Recogniser:
        pack = PACKS[speaking.name]
        return Recogniser(self.once(("whisper", pack), lambda: WhisperModel.load(pack)), speaking)

    def renderer(self, name: str, size: tuple[int, int]) -> Renderer:
        """Return a renderer of a persona's head before the studio's wall, for any thread.

        Raises `MissingError`.
        """
        head = self.once(("avatar", name), lambda: avatar.load(self.spec(name).avatar))
        return open_renderer("software", head, size, "studio", silent)

    async def warm(self) -> None:
        """Load what the default persona needs, speak ahead how known answers begin, and a word that nobody
        hears.
        """
        language = self.languages(self.default)[0]
        await in_thread(lambda: self.models(Speaking(language)).warm())
        mind = await in_thread(lambda: self.mind(self.default))
        persona = self.persona(self.default)
        await prepare(persona, mind, within_s=AHEAD_S)
        async for _ in persona.stream("Hello." if language != "zh" else "你好。"):
            pass

    def close(self) -> None:
        """End the threads."""
        for name in ("models", "file models"):
            if (models := self._things.get(name)) is not None:
                models.close()

    def check_language(self, name: str, language: str) -> str:
        """Return a language that a persona knows (empty: its own); raises `InputError`."""
        known = self.languages(name)
        if language and base(language) not in known:
            raise InputError(f"persona {name} does not speak {language!r}{nearest(language, known)}")
        return base(language) if language else known[0]

    def once(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """Return what `make` returned the first time that `key` was asked for."""
        with self._lock:
            lock = self._locks.setdefault(key, threading.RLock())
        with lock:
            if key not in self._things:
                self._things[key] = make()
            thing: Thing = self._things[key]
            return thing
