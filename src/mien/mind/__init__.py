"""A mind: what a persona knows, understands and answers, from a folder that anybody can edit."""

from mien.mind.answer import Answer
from mien.mind.mind import Mind
from mien.mind.state import MindState
from mien.mind.template import Part

__all__ = ["Answer", "Mind", "MindState", "Part"]
