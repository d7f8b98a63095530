"""ONNX Runtime on a CUDA device: the options that a launch is fast by, and launches that are captured.

Measured on an H200: a captured launch of a vocoder takes 0.48 ms instead of 0.59. The algorithm that cuDNN
thinks best is faster than the one it finds by trying all, and known in a quarter of the time: at a shape
not seen before every convolution is planned anew. With it, NHWC takes a captured batch of 64 from 6.3 to 4.8
ms, but where shapes vary it triples the time of planning; with cuDNN's search it gained nothing, and ran half
precision ten to thirty times more slowly.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mien.engine.engine import Tensor

if TYPE_CHECKING:
    from types import ModuleType

PROVIDER: Final = "CUDAExecutionProvider"
_GRAPH: Final = "gpu_graph_id"  # the run option that says which captured launch is meant; -1: none


def settings(number: int, *, tf32: bool, capture: bool) -> dict[str, Any]:
    """Return the provider's options for device `number`.

    `tf32`: products keep ten bits. `capture`: launches become a CUDA graph.
    """
    return {
        "device_id": number,
        "arena_extend_strategy": "kSameAsRequested",
        "use_tf32": int(tf32),
        "enable_cuda_graph": int(capture),
        "cudnn_conv_algo_search": "HEURISTIC",
        "prefer_nhwc": int(tf32 and capture),
    }


class Turns:
    """Who may use a device now: any number of runs, or one capture, which nothing else may disturb.

    While a stream is captured, an allocation or a launch of another thread breaks both.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._runs = 0
        self._capturing = False
        self._waiting = 0  # captures, which go first

    @contextmanager
    def beside_others(self) -> Iterator[None]:
        """Use the device while no launch is captured."""
        with self._changed:
            self._changed.wait_for(lambda: not self._capturing and not self._waiting)
            self._runs += 1
        try:
            yield
        finally:
            with self._changed:
                self._runs -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Use the device when all others have ended, and before they begin again."""
        with self._changed:
            self._waiting += 1
            self._changed.wait_for(lambda: not self._capturing and not self._runs)
            self._waiting -= 1
            self._capturing = True
        try:
            yield
        finally:
            with self._changed:
                self._capturing = False
                self._changed.notify_all()


_turns: defaultdict[str, Turns] = defaultdict(Turns)
_lock = threading.Lock()


def turns(device: str) -> Turns:
    """Return who takes turns at a device of this process: `cuda` is `cuda:0`."""
    with _lock:
        return _turns[device if ":" in device else f"{device}:0"]


class Replay:
    """A session's launch for the first shapes that it is given: buffers that stay, and a captured graph.

    ONNX Runtime keeps a graph for each thread that runs a session, so each captures once. Other shapes run as
    they would without. Safe to use from several threads, which take turns.
    """

    def __init__(self, runtime: ModuleType, session: Any, device: str) -> None:
        kind, _, number = device.partition(":")
        self._runtime, self._session = runtime, session
        self._place, self._turns = (kind, int(number or 0)), turns(device)
        self._lock = threading.Lock()
        self._mine = threading.local()  # `captured`: this thread has its graph
        self._given: dict[str, Any] = {}
        self._made: list[Any] = []
        self._binding: Any = None

    def run(self, inputs: Mapping[str, Tensor]) -> list[Tensor]:
        """Copy the inputs in, launch, and copy the outputs out, in the model's order."""
        with self._lock:
            if not getattr(self._mine, "captured", False):
                with self._turns.alone():
                    self._capture(inputs)
                self._mine.captured = True
            with self._turns.beside_others():
                return self._replayed(inputs)

    def _replayed(self, inputs: Mapping[str, Tensor]) -> list[Tensor]:
        if any(list(self._given[name].shape()) != list(each.shape) for name, each in inputs.items()):
            return list(self._session.run(None, dict(inputs), self._uncaptured()))
        for name, value in inputs.items():
            self._given[name].update_inplace(np.ascontiguousarray(value))
        self._session.run_with_iobinding(self._binding)
        found = [value.numpy() for value in self._made]
        if self._place[0] == "cpu":  # the buffers themselves, which the next run writes to
            found = [value.copy() for value in found]
        return found

    def _capture(self, inputs: Mapping[str, Tensor]) -> None:
        """Run, and let this thread's launch be captured; the first thread finds a place for every tensor."""
        if self._binding is None:
            self._binding = self._placed(inputs)
        self._session.run_with_iobinding(self._binding)

    def _placed(self, inputs: Mapping[str, Tensor]) -> Any:
        """Run once, uncaptured, to learn the outputs' shapes, and bind every tensor to its place."""
        value = self._runtime.OrtValue
        self._given = {
            name: value.ortvalue_from_numpy(np.array(each, order="C"), *self._place)
            for name, each in inputs.items()
        }
        tried = self._bound()
        self._session.run_with_iobinding(tried, self._uncaptured())
        self._made = [
            value.ortvalue_from_shape_and_type(list(each.shape()), each.numpy().dtype.type, *self._place)
            for each in tried.get_outputs()
        ]
        return self._bound(self._made)

    def _bound(self, made: list[Any] | None = None) -> Any:
        binding = self._session.io_binding()
        for name, each in self._given.items():
            binding.bind_ortvalue_input(name, each)
        for i, port in enumerate(self._session.get_outputs()):
            if made is None:
                binding.bind_output(port.name, *self._place)
            else:
                binding.bind_ortvalue_output(port.name, made[i])
        return binding

    def _uncaptured(self) -> Any:
        options = self._runtime.RunOptions()
        options.add_run_config_entry(_GRAPH, "-1")
        return options
