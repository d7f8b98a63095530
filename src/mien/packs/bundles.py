"""One archive for a machine without a network: an uncompressed tar of packs, manifests and licences.

The same packs give the same bytes: members are sorted and carry neither time nor owner.
"""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, cast

from mien.errors import CorruptError, InputError, MissingError, nearest
from mien.packs import blocks, catalogue, store
from mien.packs.home import packs_folder
from mien.packs.manifest import Manifest, PackFile
from mien.packs.progress import Meter, Progress, Report, Step, silent


def bundle(names: Iterable[str], file: Path, progress: Report = silent) -> Path:
    """Write installed packs (and groups) to one tar, aside first, then renamed; returns its path.

    Raises `MissingError` when a pack is not installed, `CorruptError` when one of its files changed.
    """
    if not file.absolute().parent.is_dir():
        raise MissingError(f"no folder {file.parent}; make it first: mkdir -p {file.parent}")
    manifests = sorted(catalogue.select(names), key=lambda manifest: manifest.name)
    for manifest in manifests:
        store.path(manifest.name)
    aside = file.with_name(f".{file.name}.part")
    with blocks.disk(file.parent, f"mien packs bundle {file}"):
        try:
            with tarfile.open(aside, "w", format=tarfile.PAX_FORMAT) as tar:
                _write(tar, manifests, progress)
            aside.replace(file)
        finally:
            aside.unlink(missing_ok=True)
    return file


def install(file: Path, progress: Report = silent) -> list[str]:
    """Install every pack of a bundle; returns their names.

    Only names, sizes and hashes of the manifests of this mien are accepted, so a bundle can neither
    leave the packs' folder nor fill the disk. Raises `MissingError` for no such file, `CorruptError` for
    a truncated or hostile bundle, `InputError` for packs of another version; nothing is half-installed.
    """
    try:
        with file.open("rb") as stream, blocks.disk(packs_folder(), f"mien packs install {file}"):
            return _install(stream, file, progress)
    except FileNotFoundError:
        raise MissingError(f"no bundle {file}; make one with: mien packs bundle FILE") from None
    except tarfile.TarError as error:
        raise CorruptError(f"{file} is not a whole bundle: {error}") from None


def _write(tar: tarfile.TarFile, manifests: Sequence[Manifest], progress: Report) -> None:
    for manifest in manifests:
        for name, text in sorted(manifest.texts.items()):
            _add(tar, f"manifests/{name}", io.BytesIO(text), len(text))
    licences = "".join(
        f"{m.name} {m.version}: {m.title}\n  {m.licence}\n  {m.origin}\n" for m in manifests
    ).encode()
    _add(tar, "LICENCES.txt", io.BytesIO(licences), len(licences))
    for manifest in manifests:
        meter = Meter(progress, manifest.name, Step.UNPACK, manifest.size)
        for item in manifest.files:
            source = store.folder(manifest.name) / item.path
            if what := blocks.fault(source, item, meter):
                raise CorruptError(
                    f"{manifest.name}: {item.path} {what}; run: mien packs pull {manifest.name}"
                )
            with source.open("rb") as stream:
                _add(tar, f"packs/{manifest.name}/{item.path}", stream, item.size)


def _add(tar: tarfile.TarFile, name: str, stream: IO[bytes], size: int) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = size, 0o644
    tar.addfile(info, stream)


def _install(stream: IO[bytes], file: Path, progress: Report) -> list[str]:
    with tarfile.open(fileobj=stream, mode="r:") as tar, ExitStack() as stack:
        wanted: dict[str, tuple[Manifest, PackFile]] = {}
        stages: dict[str, tuple[Path, Meter]] = {}
        for member in tar:
            if not member.isreg() or member.issparse():
                raise CorruptError(
                    f"{file}: {member.name!r} is a link or no plain file; nothing was installed"
                )
            if member.name.startswith("packs/"):
                manifest = _manifest(member.name, file)
                if manifest.name not in stages:
                    stages[manifest.name] = _stage(manifest, stack, progress)
                    wanted |= {
                        f"packs/{manifest.name}/{item.path}": (manifest, item) for item in manifest.files
                    }
                _take(tar, member, wanted, stages, file)
        if wanted or not stages:
            raise CorruptError(
                f"{file} is cut short: {next(iter(wanted), 'no pack')} is missing; nothing was installed"
            )
        _end(stream, file)
    return list(stages)


def _manifest(member: str, file: Path) -> Manifest:
    name = member.split("/")[1]
    if name not in catalogue.names():
        raise InputError(
            f"{file} holds a pack {name!r} that this mien does not know{nearest(name, catalogue.names())}"
        )
    return catalogue.manifest(name)


def _stage(manifest: Manifest, stack: ExitStack, progress: Report) -> tuple[Path, Meter]:
    stack.enter_context(store.locked(manifest.name, lambda: progress(Progress(manifest.name, Step.WAIT))))
    stage = stack.enter_context(store.staged(manifest))
    return stage, Meter(progress, manifest.name, Step.UNPACK, manifest.size)


def _take(
    tar: tarfile.TarFile,
    member: tarfile.TarInfo,
    wanted: dict[str, tuple[Manifest, PackFile]],
    stages: dict[str, tuple[Path, Meter]],
    file: Path,
) -> None:
    if member.name not in wanted:
        raise CorruptError(f"{file} holds {member.name!r}, which is in no manifest; nothing was installed")
    manifest, item = wanted.pop(member.name)
    stage, meter = stages[manifest.name]
    with blocks.Writer(stage / item.path, item, meter) as writer:
        writer.add(cast("IO[bytes]", tar.extractfile(member)))
        writer.finish()


def _end(stream: IO[bytes], file: Path) -> None:
    """A whole tar ends in two blocks of zeros; a cut one may still have had every member."""
    stream.seek(-1024, os.SEEK_END)
    if stream.read(1024).strip(b"\0"):
        raise CorruptError(f"{file} is cut short: its end is missing; nothing was installed")
