"""Getting packs: adopt what is already here, fetch the rest, check every byte, install atomically."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from mien.errors import CorruptError, MienError, ResourceError
from mien.packs import archive, blocks, catalogue, sources, store
from mien.packs.folders import downloads_folder, packs_folder
from mien.packs.manifest import Manifest, PackFile, Part, Source
from mien.packs.progress import Meter, Progress, Report, Step, silent

MB = 1_000_000  # bytes


def pull(names: Iterable[str], progress: Report = silent) -> list[str]:
    """Make sure that packs and groups are installed and whole; returns the names that were not before.

    A pack that is whole is left alone; a folder whose files verify gets its receipt; parts that are
    whole are kept and the others fetched from the first source that works. A second process waits
    for the first. Raises `InputError` for an unknown name; `MissingError`, `CorruptError` or
    `ResourceError` when a pack can not be had: then nothing of it is installed, and finished downloads
    stay for the next pull.
    """
    return [manifest.name for manifest in catalogue.select(names) if _pull(manifest, progress)]


def verify(names: Iterable[str], progress: Report = silent) -> list[store.Fault]:
    """Hash every file of packs and groups; returns what is wrong (missing files too), file by file."""
    out = []
    for manifest in catalogue.select(names):
        out += store.faults(manifest, Meter(progress, manifest.name, Step.CHECK, manifest.size))
    return out


def _pull(manifest: Manifest, report: Report) -> bool:
    name, again = manifest.name, f"mien packs pull {manifest.name}"
    if _whole(manifest, report):
        return False
    with blocks.disk(packs_folder(), again), store.locked(name, lambda: report(Progress(name, Step.WAIT))):
        if _whole(manifest, report):
            return False
        bad = {fault.path for fault in _faults(manifest, report)}
        if bad:
            _room(manifest, again)
            with store.staged(manifest) as stage:
                _fill(manifest, stage, bad, report)
        else:
            store.write_receipt(manifest, store.folder(name))
        shutil.rmtree(downloads_folder(name), ignore_errors=True)
    report(Progress(name, Step.DONE, done=manifest.size, total=manifest.size))
    return True


def _whole(manifest: Manifest, report: Report) -> bool:
    return store.state(manifest) is store.State.INSTALLED and not _faults(manifest, report)


def _faults(manifest: Manifest, report: Report) -> list[store.Fault]:
    return store.faults(manifest, Meter(report, manifest.name, Step.CHECK, manifest.size))


def _room(manifest: Manifest, again: str) -> None:
    packs_folder().mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(packs_folder()).free
    needed = manifest.size + manifest.download_size
    if free < needed:
        raise ResourceError(
            f"disk full at {packs_folder()}: {manifest.name} needs {-(-needed // MB)} MB and "
            f"{free // MB} MB are free; free some space or set MIEN_HOME to a larger disk, then run: {again}"
        )


def _fill(manifest: Manifest, stage: Path, bad: set[str], report: Report) -> None:
    meter = Meter(report, manifest.name, Step.UNPACK, manifest.size)
    for part in manifest.parts:
        if any(file.path in bad for file in part.files):
            _fetch_part(manifest, part, stage, meter)
        else:
            for file in part.files:
                _keep(store.folder(manifest.name) / file.path, stage / file.path)
                meter(file.size)


def _keep(old: Path, new: Path) -> None:
    new.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(old, new)
    except OSError:  # a file system without hard links
        shutil.copyfile(old, new)


def _fetch_part(manifest: Manifest, part: Part, stage: Path, meter: Meter) -> None:
    reasons: list[MienError] = []
    for source in part.sources:
        before = meter.done
        try:
            paths = _fetched(manifest, part, source, meter)
            with _forgotten_if_corrupt(paths, downloads_folder(manifest.name)):
                _unpack(part.files, source, paths, stage, meter)
        except MienError as error:
            reasons.append(error)
            meter.done = before
        else:
            return
    if not reasons:
        raise CorruptError(f"pack {manifest.name!r}: {part.files[0].path} has no source")
    said, again = "; ".join(str(reason) for reason in reasons), f"mien packs pull {manifest.name}"
    raise type(reasons[0])(f"pack {manifest.name!r} could not be pulled: {said}; then run: {again}")


@contextmanager
def _forgotten_if_corrupt(paths: Sequence[Path], downloads: Path) -> Iterator[None]:
    """Delete downloads that turn out to hold something else, so that the next pull asks anew."""
    try:
        yield
    except CorruptError:
        for path in paths:
            if downloads in path.parents:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        raise


def _fetched(manifest: Manifest, part: Part, source: Source, meter: Meter) -> list[Path]:
    members = [member for file in part.files for member in source.pieces(file.path)]
    paths = []
    for number, item in enumerate(source.archives, 1):
        count = f" {number}/{len(source.archives)}" if len(source.archives) > 1 else ""
        label = item.name + count
        seen = partial(_seen, meter, label, item.size)
        seen(0)
        paths.append(sources.fetch(item, members, downloads_folder(manifest.name), seen))
    return paths


def _seen(meter: Meter, label: str, total: int, done: int) -> None:
    meter.report(Progress(meter.pack, Step.DOWNLOAD, label, min(done, total or done), total))


def _unpack(
    files: Sequence[PackFile], source: Source, paths: Sequence[Path], stage: Path, meter: Meter
) -> None:
    with ExitStack() as stack:
        archives = [stack.enter_context(archive.opened(path)) for path in paths]
        holder = {name: each for each in reversed(archives) for name in each.order}
        for file in files:
            for piece in source.pieces(file.path):
                if piece not in holder:
                    raise CorruptError(f"{', '.join(map(str, source.archives))} holds no {piece}")

        def place(file: PackFile) -> int:
            first = source.pieces(file.path)[0]
            return holder[first].order[first]

        for file in sorted(files, key=place):
            with blocks.Writer(stage / file.path, file, meter) as writer:
                for piece in source.pieces(file.path):
                    with holder[piece].open(piece) as stream:
                        writer.add(stream)
                writer.finish()
