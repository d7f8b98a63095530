"""Installed packs on disk: which are whole, and how a new one takes its place atomically."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from mien.atomic import write_bytes
from mien.contents import contents
from mien.errors import MissingError
from mien.packs import blocks, catalogue
from mien.packs.folders import packs_folder
from mien.packs.manifest import RECEIPT, Manifest, PackFile


class State(StrEnum):
    """What is in a pack's folder, by its receipt and its files' sizes; `verify` reads their bytes too."""

    INSTALLED = "installed"
    INCOMPLETE = "incomplete"
    OUTDATED = "outdated"
    ABSENT = "not installed"


@dataclass(frozen=True, slots=True)
class Fault:
    """A file of an installed pack that is not what the manifest says; `what` says how."""

    pack: str
    path: str
    what: str

    def __str__(self) -> str:
        return f"{self.pack}: {self.path} {self.what}"


def folder(name: str) -> Path:
    """Return where a pack is, or would be, installed."""
    return packs_folder() / name


def path(name: str) -> Path:
    """Return the folder of an installed pack.

    Raises `MissingError` with the command that pulls it when it is not installed, is of another
    version, or lacks a file.
    """
    manifest = catalogue.manifest(name)
    now = state(manifest)
    if now is not State.INSTALLED:
        raise MissingError(f"pack {name!r} is {now}; run: mien packs pull {name}")
    return folder(name)


def installed() -> list[str]:
    """Return the names of the packs that are installed whole."""
    return [name for name in catalogue.names() if state(catalogue.manifest(name)) is State.INSTALLED]


def state(manifest: Manifest) -> State:
    """Return a pack's state without reading its files' bytes; raises `ResourceError` when it may not look."""
    root = folder(manifest.name)
    try:
        receipt = json.loads(contents(root / RECEIPT))
    except MissingError:
        return State.INCOMPLETE if root.exists() else State.ABSENT
    except ValueError:  # neither JSON nor text
        return State.INCOMPLETE
    if not isinstance(receipt, dict):
        return State.INCOMPLETE
    if receipt.get("digest") != manifest.digest:
        return State.OUTDATED
    return State.INSTALLED if all(_sized(root, file) for file in manifest.files) else State.INCOMPLETE


def faults(manifest: Manifest, tick: blocks.Tick = lambda _: None) -> list[Fault]:
    """Hash every file of a pack's folder and return what is wrong, file by file."""
    root = folder(manifest.name)
    checked = ((file.path, blocks.fault(root / file.path, file, tick)) for file in manifest.files)
    return [Fault(manifest.name, path, what) for path, what in checked if what]


def remove(name: str) -> bool:
    """Delete an installed pack; returns whether there was one."""
    target = folder(catalogue.manifest(name).name)
    if not target.exists():
        return False
    with blocks.disk(target, f"mien packs remove {name}"), locked(name):
        gone = target.with_name(f".{name}.old")
        target.rename(gone)
        shutil.rmtree(gone)
    return True


@contextmanager
def locked(name: str, on_wait: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold a pack's lock between processes; calls `on_wait` once when another process holds it."""
    from filelock import FileLock, Timeout

    packs_folder().mkdir(parents=True, exist_ok=True)
    lock = FileLock(packs_folder() / f".{name}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        on_wait()
        lock.acquire()
    try:
        _recover(name)
        yield
    finally:
        lock.release()


@contextmanager
def staged(manifest: Manifest) -> Iterator[Path]:
    """Give an empty sibling folder that becomes the pack when the block ends well, else is removed.

    The caller holds the lock and has checked every file that it put there.
    """
    target = folder(manifest.name)
    stage = target.with_name(f".{manifest.name}.new")
    shutil.rmtree(stage, ignore_errors=True)
    stage.mkdir(parents=True)
    try:
        yield stage
        write_receipt(manifest, stage)
        blocks.sync_folder(stage)
        _replace(target, stage)
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def write_receipt(manifest: Manifest, root: Path) -> None:
    """Write `pack.json`, the mark of a whole pack, atomically."""
    text = json.dumps({"name": manifest.name, "version": manifest.version, "digest": manifest.digest})
    write_bytes(root / RECEIPT, f"{text}\n".encode())


def _replace(target: Path, stage: Path) -> None:
    old = target.with_name(f".{target.name}.old")
    if target.exists():
        target.rename(old)
    stage.rename(target)
    blocks.sync_entry(target.parent)
    shutil.rmtree(old, ignore_errors=True)


def _recover(name: str) -> None:
    """Undo a replacement that was killed between its two renames."""
    target, old = folder(name), folder(name).with_name(f".{name}.old")
    if old.exists() and not target.exists():
        old.rename(target)
    shutil.rmtree(old, ignore_errors=True)


def _sized(root: Path, file: PackFile) -> bool:
    try:
        return os.stat(f"{root}/{file.path}").st_size == file.size  # noqa: PTH116 (ten times Path's speed)
    except (FileNotFoundError, NotADirectoryError):
        return False
