"""A mind: the user's words → a stream of text to say, with feeling."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mien.mind import embedding, folder, policy
from mien.mind.actions import Caller
from mien.mind.acts import Say, Think
from mien.mind.answer import Answer
from mien.mind.brief import NOTHING, Brief
from mien.mind.content import Content
from mien.mind.embedding import Embedder
from mien.mind.model import LanguageModel, Settings
from mien.mind.state import MindState
from mien.mind.understand import Understander
from mien.progress import Progress, silent


class Mind:
    """What a persona knows and how it behaves; one mind serves any number of conversations."""

    def __init__(
        self,
        content: Content,
        understander: Understander,
        model: LanguageModel | None = None,
        *,
        seed: int = 0,
    ) -> None:
        self.content = content
        self.understander = understander
        self.model = model
        self.seed = seed
        self.caller = Caller()

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        embedder: Embedder | None = None,
        seed: int = 0,
        progress: Progress = silent,
    ) -> Mind:
        """Read a mind's folder and make it ready; the vectors of its examples are kept for the next time.

        Raises `MissingError` (no folder, no extra `mind`), `InputError` with file and line for what is wrong.
        """
        where = Path(path)
        content = folder.read(where)
        file = where / "model.yaml"
        model = LanguageModel(Settings.read(file)) if file.is_file() else None
        understander = Understander(content, embedder or embedding.shared(), progress=progress)
        return cls(content, understander, model, seed=seed)

    def begin(self, language: str = "en") -> MindState:
        """Return the state of a new conversation, in `language` (`"en"`, `"zh-cn"`) until words tell."""
        plain = language.partition("-")[0]
        spoken = self.content.languages
        return MindState(plain if plain in spoken else spoken[0])

    def welcome(self, state: MindState) -> Answer:
        """Return the words with which a conversation begins."""
        return Answer(self, state, (Say(self.content.manners.phrases["welcome"]),))

    async def answer(self, words: str, state: MindState, brief: Brief = NOTHING) -> Answer:
        """Understand a turn and decide; nothing outside is called before the answer's `parts` are taken.

        The understanding runs in a thread, so that the event loop goes on. `brief`: what a client adds.
        """
        if brief.results and self.model is not None:
            return Answer(self, state.said("user", words) if words else state, (Think(words, ()),), brief)
        heard = await asyncio.to_thread(self.understander.hear, words, state.language)
        return Answer(self, *policy.decide(self.content, state, heard, thinks=self.model is not None), brief)

    async def close(self) -> None:
        """Close the connections of actions and of the language model."""
        await self.caller.close()
        if self.model is not None:
            await self.model.close()
