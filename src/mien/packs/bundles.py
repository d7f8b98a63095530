"""One archive for a machine without a network: an uncompressed tar of packs, manifests and licences.

The same packs give the same bytes: members are sorted and carry neither time nor owner.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, cast

from mien.atomic import replacing
from mien.errors import CorruptError, InputError, MienError, MissingError, nearest
from mien.packs import blocks, catalogue, store
from mien.packs.folders import packs_folder
from mien.packs.manifest import Manifest, PackFile
from mien.packs.progress import Meter, Progress, Report, Step, silent


def bundle(names: Iterable[str], file: Path, progress: Report = silent) -> Path:
    """Write installed packs (and groups) to one tar, whole or not at all; returns its path.

    Raises `MissingError` when a pack is not installed, `CorruptError` when one of its files changed,
    `ResourceError` when the disk refuses.
    """
    if not file.absolute().parent.is_dir():
        raise MissingError(f"no folder {file.parent}; make it first: mkdir -p {file.parent}")
    manifests = sorted(catalogue.select(names), key=lambda manifest: manifest.name)
    for manifest in manifests:
        store.path(manifest.name)
    with replacing(file) as aside, tarfile.open(aside, "w", format=tarfile.PAX_FORMAT) as tar:
        _write(tar, manifests, progress)
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
        intake = _Intake(file, progress, stack)
        try:
            for member in tar:
                intake.take(member, tar)
            intake.check()
        except CorruptError as error:
            raise intake.explain(error) from None
    return list(intake.stages)


@dataclass(slots=True)
class _Intake:
    """Takes a bundle's members, one after the other, into a staging folder for each pack.

    The stages become packs when `stack` closes without an error.
    """

    file: Path
    progress: Report
    stack: ExitStack
    promised: set[str] = field(default_factory=set)
    other: set[str] = field(default_factory=set)
    stages: dict[str, tuple[Path, Meter]] = field(default_factory=dict)
    wanted: dict[str, PackFile] = field(default_factory=dict)

    def take(self, member: tarfile.TarInfo, tar: tarfile.TarFile) -> None:
        if not member.isreg() or member.issparse():
            raise self._corrupt(f"{member.name!r} is not a plain file")
        top, _, rest = member.name.partition("/")
        if top == "manifests":
            self._compare(member, rest, tar)
        if top == "packs":
            self._write(member, rest.partition("/")[0], tar)

    def check(self) -> None:
        """Raise `CorruptError` when something that the bundle promised did not come."""
        missing = [*self.wanted, *(f"packs/{name}" for name in sorted(self.promised - set(self.stages)))]
        if missing or not self.stages:
            raise self._corrupt(f"it is cut short: {missing[0] if missing else 'every pack'} is missing")

    def _compare(self, member: tarfile.TarInfo, file: str, tar: tarfile.TarFile) -> None:
        """Note which packs the bundle promises, and which of them are of another version than ours."""
        name = Path(file).stem
        if not file.endswith(".toml"):
            return
        self.promised.add(name)
        text = cast("IO[bytes]", tar.extractfile(member)).read(blocks.BLOCK)
        if name in catalogue.names() and catalogue.manifest(name).texts[file] != text:
            self.other.add(name)

    def _write(self, member: tarfile.TarInfo, name: str, tar: tarfile.TarFile) -> None:
        if name not in self.stages:
            self._begin(name)
        if member.name not in self.wanted:
            raise self._corrupt(f"{member.name!r} is in no manifest")
        item, (stage, meter) = self.wanted.pop(member.name), self.stages[name]
        with blocks.Writer(stage / item.path, item, meter) as writer:
            writer.add(cast("IO[bytes]", tar.extractfile(member)))
            writer.finish()

    def _begin(self, name: str) -> None:
        if name not in catalogue.names():
            known = nearest(name, catalogue.names())
            raise InputError(f"{self.file} holds a pack {name!r} that this mien does not know{known}")
        manifest = catalogue.manifest(name)
        self.stack.enter_context(store.locked(name, lambda: self.progress(Progress(name, Step.WAIT))))
        stage = self.stack.enter_context(store.staged(manifest))
        self.stages[name] = stage, Meter(self.progress, name, Step.UNPACK, manifest.size)
        self.wanted |= {f"packs/{name}/{item.path}": item for item in manifest.files}

    def explain(self, error: CorruptError) -> MienError:
        """Return the better reason, when there is one: packs made by another version of mien."""
        if not self.other:
            return error
        packs = ", ".join(sorted(self.other))
        return InputError(
            f"{self.file} holds {packs} of another version than this mien needs ({error}); "
            f"make it again with this version: mien packs bundle {self.file.name} {packs}"
        )

    def _corrupt(self, what: str) -> CorruptError:
        return CorruptError(f"{self.file}: {what}; nothing was installed")
