"""A language model behind any OpenAI-compatible endpoint, for what the mind's folder does not answer."""

from mien.mind.model.chat import LanguageModel
from mien.mind.model.settings import Settings

__all__ = ["LanguageModel", "Settings"]
