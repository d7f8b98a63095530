"""What a model is calibrated and compared on: a `.npz` read sample by sample, or random numbers.

An entry of the file is named like the model's input. With one axis more than the input it holds
all samples, `(samples, ...)`; so does one for an input that states no shape. Samples of different shapes
are entries of their own: `NAME@0`, `NAME@1`, ...
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np
from numpy.lib import format as npy

from mien.engine.cache import fingerprint
from mien.engine.engine import Port, Tensor
from mien.errors import CorruptError, InputError, MissingError, nearest

Sample = Mapping[str, Tensor]
_RANDOM = re.compile(r"random:(\d+)((?:,[^,=]+=\d+)*)")


class Samples(Protocol):
    """Samples that can be gone through any number of times; only one is in memory."""

    @property
    def origin(self) -> str:
        """Where they come from, with the sha256 of a file."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Sample]: ...


@dataclass(frozen=True, slots=True)
class Subset:
    """The samples of `whole` whose place (from 0) `takes` says yes to."""

    whole: Samples
    takes: Callable[[int], bool]

    @property
    def origin(self) -> str:
        """Where the whole comes from."""
        return self.whole.origin

    def __len__(self) -> int:
        return sum(map(self.takes, range(len(self.whole))))

    def __iter__(self) -> Iterator[Sample]:
        return (sample for place, sample in enumerate(self.whole) if self.takes(place))


def split(samples: Samples, every: int = 5) -> tuple[Samples, Samples]:
    """Return the samples to calibrate on and those held out, each `every`-th; with fewer, all are both."""
    if len(samples) < every:
        return samples, samples
    last = every - 1
    return Subset(samples, lambda n: n % every != last), Subset(samples, lambda n: n % every == last)


def first(samples: Samples, count: int) -> Samples:
    """Return the first `count` samples."""
    return Subset(samples, lambda n: n < count)


def find(given: str, ports: Sequence[Port], *, seed: int = 0) -> Samples:
    """Return the samples of `--data`: a file's path, or `random:COUNT[,AXIS=SIZE...]`.

    Raises `MissingError`, `CorruptError`, or `InputError` when names, types or shapes are not the model's.
    """
    if given.startswith("random"):
        return _random(given, ports, seed)
    return NpzSamples(Path(given), ports)


class NpzSamples:
    """The samples of a `.npz`; names, types and shapes are checked at once, numbers when they are read."""

    def __init__(self, path: Path, ports: Sequence[Port]) -> None:
        self._path = path
        self._ports = {port.name: port for port in ports}
        entries = _entries(path)
        self._stacked = {name: entries[name] for name in self._ports if name in entries}
        self._single = {name: _numbered(name, entries) for name in self._ports if name not in entries}
        self._check_names(entries)
        self._count = self._counted()

    @property
    def origin(self) -> str:
        """The file's name and sha256."""
        return f"{self._path.name} sha256:{fingerprint(self._path)}"

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Sample]:
        with zipfile.ZipFile(self._path) as file, ExitStack() as stack:
            streams = {name: stack.enter_context(closing(self._stream(file, name))) for name in self._ports}
            for place in range(self._count):
                yield {
                    name: _finite(next(stream), name, place, self._path) for name, stream in streams.items()
                }

    def _stream(self, file: zipfile.ZipFile, name: str) -> Generator[Tensor, None, None]:
        """Yield one input's values; of a stack only the next one is read."""
        port = self._ports[name]
        if name not in self._stacked:
            for entry in self._single[name]:
                with file.open(f"{entry}.npy") as stream:
                    yield npy.read_array(stream, allow_pickle=False)
            return
        with file.open(f"{name}.npy") as stream:
            shape, fortran, dtype = _header(stream)
            stacked = _is_stack(shape, port)
            one = shape[1:] if stacked else shape
            if fortran:
                yield from self._whole(file, name, stacked)
                return
            for _ in range(self._count):
                data = stream.read(int(np.prod(one)) * dtype.itemsize)
                yield np.frombuffer(data, dtype).reshape(one)

    def _whole(self, file: zipfile.ZipFile, name: str, stacked: bool) -> Iterator[Tensor]:
        """Yield the samples of an array in Fortran's order, whose samples do not lie one behind another."""
        with file.open(f"{name}.npy") as stream:
            array = npy.read_array(stream, allow_pickle=False)
        yield from map(np.ascontiguousarray, array if stacked else [array])

    def _check_names(self, entries: Mapping[str, tuple[tuple[int, ...], np.dtype[Any]]]) -> None:
        for name, port in self._ports.items():
            wanted = [name] if name in entries else self._single[name]
            if not wanted:
                raise InputError(
                    f"{self._path} has no samples for the input {name!r}; it has {', '.join(entries)}"
                )
            for entry in wanted:
                shape, dtype = entries[entry]
                _check_entry(self._path, entry, shape, dtype, port)
        for entry in entries:
            base = entry if entry in self._ports else entry.rpartition("@")[0]
            if base not in self._ports:
                raise InputError(
                    f"{self._path} holds {entry!r}, which is no input{nearest(entry, self._ports)}"
                )

    def _counted(self) -> int:
        counts = {name: len(entries) for name, entries in self._single.items()}
        for name, (shape, _) in self._stacked.items():
            counts[name] = shape[0] if _is_stack(shape, self._ports[name]) else 1
        if len(set(counts.values())) > 1:
            listed = ", ".join(f"{name!r} {count}" for name, count in counts.items())
            raise InputError(f"{self._path} holds different numbers of samples: {listed}; make them equal")
        if not (count := next(iter(counts.values()), 0)):
            raise InputError(f"{self._path} holds no sample; at least one is needed")
        return count


@dataclass(frozen=True, slots=True)
class RandomSamples:
    """Standard normal numbers (whole numbers are 0): good for speed and shapes, not for ranges."""

    ports: Sequence[Port]
    count: int
    sizes: Mapping[str, int]
    seed: int

    @property
    def origin(self) -> str:
        """The numbers' recipe."""
        return f"random:{self.count} seed {self.seed}"

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Sample]:
        draw = np.random.default_rng(self.seed)
        for _ in range(self.count):
            yield {port.name: self._drawn(draw, port) for port in self.ports}

    def _drawn(self, draw: np.random.Generator, port: Port) -> Tensor:
        shape = [self.sizes[str(size)] if not isinstance(size, int) else size for size in port.shape]
        if not np.issubdtype(port.dtype, np.floating):
            return np.zeros(shape, port.dtype)
        return draw.standard_normal(shape, np.float32).astype(port.dtype)


def _random(given: str, ports: Sequence[Port], seed: int) -> RandomSamples:
    match = _RANDOM.fullmatch(given)
    if match is None or not int(match[1]):
        raise InputError(
            f"{given!r} is no random data; write random:COUNT[,AXIS=SIZE...], as random:9,frames=96"
        )
    sizes = {name: int(size) for name, size in (part.split("=") for part in match[2].split(",")[1:])}
    free = {str(size) for port in ports for size in port.shape if not isinstance(size, int)}
    for name in sizes.keys() - free:
        raise InputError(f"no input has a free axis {name!r}{nearest(name, free)}")
    if missing := sorted(free - sizes.keys()):
        raise InputError(
            f"random data needs sizes: random:{match[1]}," + ",".join(f"{n}=64" for n in missing)
        )
    return RandomSamples(ports, int(match[1]), sizes, seed)


def _entries(path: Path) -> dict[str, tuple[tuple[int, ...], np.dtype[Any]]]:
    """Return each entry's shape and type from its header alone."""
    try:
        with zipfile.ZipFile(path) as file:
            found = {}
            for name in file.namelist():
                with file.open(name) as stream:
                    shape, _, dtype = _header(stream)
                found[name.removesuffix(".npy")] = (shape, dtype)
            return found
    except FileNotFoundError:
        raise MissingError(f"no samples {str(path)!r}; give a .npz, or random:COUNT by name") from None
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise CorruptError(f"{str(path)!r} is not a .npz of plain arrays: {error}") from None


def _header(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = npy.read_magic(stream)
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    return read(stream)


def _numbered(name: str, entries: Mapping[str, object]) -> list[str]:
    """Return `NAME@0`, `NAME@1`, ... in the order of their numbers."""
    numbers = [int(e.rpartition("@")[2]) for e in entries if re.fullmatch(re.escape(name) + r"@\d+", e)]
    return [f"{name}@{number}" for number in sorted(numbers)]


def _is_stack(shape: tuple[int, ...], port: Port) -> bool:
    """Whether an array holds several samples; a port that states `()` may have any shape."""
    return len(shape) == len(port.shape) + 1 if port.shape else bool(shape)


def _check_entry(path: Path, entry: str, shape: tuple[int, ...], dtype: np.dtype[Any], port: Port) -> None:
    one = shape[1:] if "@" not in entry and _is_stack(shape, port) else shape
    fits = not port.shape or (
        len(one) == len(port.shape)
        and all(not isinstance(size, int) or size == n for size, n in zip(port.shape, one, strict=True))
    )
    if dtype != port.dtype or not fits:
        wanted = ", ".join("free" if size is None else str(size) for size in port.shape)
        raise InputError(
            f"{entry!r} in {path} is {dtype} {shape}; the model takes {port.dtype} ({wanted}), "
            "with one axis more for several samples"
        )


def _finite(value: Tensor, name: str, place: int, path: Path) -> Tensor:
    if np.issubdtype(value.dtype, np.floating) and not np.isfinite(value).all():
        raise InputError(f"sample {place} of {name!r} in {path} holds NaN or infinity; leave it out")
    return value
