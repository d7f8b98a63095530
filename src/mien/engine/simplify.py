"""A model that was cut out of another, with fewer nodes and the same results."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray
from onnx import ModelProto

from mien.engine import passes
from mien.errors import MienError

_log = logging.getLogger(__name__)
QUICK: Sequence[passes.Pass] = (passes.FOLD, passes.LAYERNORM)  # what cut models have work for


def simplify(model: ModelProto, samples: Sequence[Mapping[str, NDArray[Any]]]) -> ModelProto:
    """Return `model` after the passes that keep its results on `samples`, each checked by running it.

    A model that does not run on the samples is returned as it is, with a warning.
    """
    try:
        made, records = passes.run(model, QUICK, samples)
    except MienError as error:
        _log.warning("the model is not simplified: %s", error)
        return model
    for record in records:
        _log.info("%s: %s, %s", record.name, record.status, record.reason or record.note)
    return made
