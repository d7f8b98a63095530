"""What engines say of themselves, written once: of their own model, or of the engine that they are around."""

from __future__ import annotations

from mien.engine.engine import Engine, Port


class Described:
    """An engine that knows its ports: a subclass sets `_inputs`, `_outputs` and `_metadata`."""

    _inputs: tuple[Port, ...]
    _outputs: tuple[Port, ...]
    _metadata: dict[str, str]

    @property
    def inputs(self) -> tuple[Port, ...]:
        """What `run` takes, in the model's order."""
        return self._inputs

    @property
    def outputs(self) -> tuple[Port, ...]:
        """What `run` returns, in the model's order."""
        return self._outputs

    @property
    def metadata(self) -> dict[str, str]:
        """What the model's file says of itself; empty where the format or the library does not pass it on."""
        return self._metadata

    def _describe(self, engine: Engine) -> None:
        """Take the ports of another engine of the same model."""
        self._inputs, self._outputs, self._metadata = engine.inputs, engine.outputs, engine.metadata


class Around:
    """An engine around another, `_engine`, whose ports are its own."""

    _engine: Engine

    @property
    def inputs(self) -> tuple[Port, ...]:
        """What `run` takes, in the model's order."""
        return self._engine.inputs

    @property
    def outputs(self) -> tuple[Port, ...]:
        """What `run` returns, in the model's order."""
        return self._engine.outputs

    @property
    def metadata(self) -> dict[str, str]:
        """What the model's file says of itself."""
        return self._engine.metadata
