"""A persona = a voice + a head + manners, in one readable file; what it says becomes files or a stream."""

from mien.persona.making import Said
from mien.persona.outputs import Film
from mien.persona.performance import Chunk
from mien.persona.persona import Persona
from mien.persona.spec import PersonaSpec, names

__all__ = ["Chunk", "Film", "Persona", "PersonaSpec", "Said", "names"]
