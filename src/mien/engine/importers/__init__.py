"""Models of other kinds become ONNX: the one form that the engine knows."""

from mien.engine.importers.source import Imported, imported

__all__ = ["Imported", "imported"]
