"""What a backend on a device can do, as data: one TOML file a target."""

from mien.engine.targets.target import Int8, Target, choose, names

__all__ = ["Int8", "Target", "choose", "names"]
