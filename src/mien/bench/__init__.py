"""What a machine reaches, beside what is asked of it."""

from mien.bench.figures import Figure, Figures

__all__ = ["Figure", "Figures"]
