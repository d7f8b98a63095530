"""Graph passes: small, with promises, each verified by running the model before it is believed."""

from mien.engine.passes.base import Condition, FunctionPass, Outcome, Pass
from mien.engine.passes.batchnorm import BATCHNORM
from mien.engine.passes.casts import CASTS
from mien.engine.passes.conditional import STATIC_IF
from mien.engine.passes.dead import DEAD
from mien.engine.passes.fold import FOLD
from mien.engine.passes.instancenorm import INSTANCENORM
from mien.engine.passes.layernorm import LAYERNORM
from mien.engine.passes.loop import STATIC_LOOP
from mien.engine.passes.runner import Record, Status, preview, run
from mien.engine.passes.snake import SNAKE
from mien.engine.passes.transposes import TRANSPOSES
from mien.engine.passes.whole import DEQUANTISE, DEQUANTISE_TOLERANCE, WIDEN

# Those that keep every result, in their order: folding makes conditions constant, and choosing a branch
# makes more to fold.
STANDARD: tuple[Pass, ...] = (DEAD, FOLD, STATIC_IF, STATIC_LOOP, FOLD, BATCHNORM, CASTS, TRANSPOSES, DEAD)

__all__ = [
    "BATCHNORM",
    "CASTS",
    "DEAD",
    "DEQUANTISE",
    "DEQUANTISE_TOLERANCE",
    "FOLD",
    "INSTANCENORM",
    "LAYERNORM",
    "SNAKE",
    "STANDARD",
    "STATIC_IF",
    "STATIC_LOOP",
    "TRANSPOSES",
    "WIDEN",
    "Condition",
    "FunctionPass",
    "Outcome",
    "Pass",
    "Record",
    "Status",
    "preview",
    "run",
]
