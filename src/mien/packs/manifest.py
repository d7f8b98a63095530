"""What a pack is: its files with their hashes, and where they can be fetched.

A manifest is `NAME.toml`; a part with thousands of files lists them in a companion beside it, one
`sha256 size path` a line. See docs/packs.md for the format.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from mien.errors import CorruptError, InputError, MissingError, nearest

KINDS = ("pypi", "npm", "huggingface", "file")
RECEIPT = "pack.json"
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class PackFile:
    """One file: `path` inside the pack (POSIX, relative), `size` in bytes, `sha256` in hex."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Archive:
    """One thing to fetch: a wheel, an npm tarball, a Hugging Face repository or a local file or folder.

    `kind` is one of `KINDS`; `name` the package, repository or path; `version` the version or revision;
    `sha256` the archive's hash, empty where only the files are hashed; `platform` and `python` choose
    the wheel of one platform on every machine (`manylinux_2_28_x86_64`, `3.11`); `size` in bytes, 0 when
    it is not known, is for the progress bar.
    """

    kind: str
    name: str
    version: str = ""
    sha256: str = ""
    platform: str = ""
    python: str = ""
    size: int = 0

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" + (f"=={self.version}" if self.version else "")


@dataclass(frozen=True, slots=True)
class Source:
    """One way to get a part: the archives that hold it together.

    A file of the pack is made of `members[path]`, joined in order, or else of `root + path`.
    """

    archives: tuple[Archive, ...]
    root: str
    members: Mapping[str, tuple[str, ...]]

    def pieces(self, path: str) -> tuple[str, ...]:
        """Return the archive members that make the pack's file `path`."""
        return self.members.get(path) or (self.root + path,)


@dataclass(frozen=True, slots=True)
class Part:
    """Files that come together from the first of `sources` that works."""

    files: tuple[PackFile, ...]
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class Manifest:
    """A pack: `name`, what it is, and its parts. `texts` are the manifest's own files, by name."""

    name: str
    title: str
    version: str
    licence: str
    origin: str
    parts: tuple[Part, ...]
    texts: Mapping[str, bytes]

    @cached_property
    def files(self) -> tuple[PackFile, ...]:
        """Return every file, sorted by path."""
        return tuple(sorted((f for part in self.parts for f in part.files), key=lambda f: f.path))

    @property
    def size(self) -> int:
        """Return the size of all files in bytes."""
        return sum(file.size for file in self.files)

    @property
    def download_size(self) -> int:
        """Return the bytes of what is fetched from the first sources, as far as the manifest knows them."""
        return sum(
            item.size for part in self.parts for source in part.sources[:1] for item in source.archives
        )

    @cached_property
    def digest(self) -> str:
        """Return the sha256 of the list of files: it changes when any file does, not when a source does."""
        lines = "".join(f"{f.sha256} {f.size} {f.path}\n" for f in self.files)
        return hashlib.sha256(lines.encode()).hexdigest()


def load(file: Path) -> Manifest:
    """Read and check a manifest; raises `InputError` that names the file and the key."""
    text = file.read_bytes()
    try:
        table = tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{file.name} is not TOML: {error}") from None
    _keys(table, ("title", "version", "licence", "origin", "parts"), file.name)
    texts = {file.name: text}
    parts = tuple(_part(part, file, texts) for part in table["parts"])
    title, version, licence, origin = (str(table[key]) for key in ("title", "version", "licence", "origin"))
    manifest = Manifest(file.stem, title, version, licence, origin, parts, texts)
    _unique(manifest)
    return manifest


def safe_path(path: str) -> str:
    """Return `path` when it stays inside a folder on every system, else raise `CorruptError`."""
    pure = PurePosixPath(path)
    bad = not pure.parts or pure.is_absolute() or ".." in pure.parts or str(pure) != path
    if bad or "\\" in path or ":" in path or "\0" in path or path == RECEIPT:
        raise CorruptError(f"unsafe file name {path!r}: it must be relative, without '..'")
    return path


def _part(table: Mapping[str, Any], file: Path, texts: dict[str, bytes]) -> Part:
    where = f"{file.name}, parts"
    _keys(table, ("files", "sources"), where)
    files = table["files"]
    if isinstance(files, str):
        rows = _companion(file.with_name(safe_path(files)), texts)
    else:
        rows = [_file(row, where) for row in files]
    return Part(tuple(rows), tuple(_source(source, where) for source in table["sources"]))


def _companion(file: Path, texts: dict[str, bytes]) -> list[PackFile]:
    try:
        texts[file.name] = file.read_bytes()
    except FileNotFoundError:
        raise MissingError(f"the manifest's list of files {file} is not there") from None
    rows = [line.split(" ", 2) for line in texts[file.name].decode().splitlines()]
    return [_file({"sha256": sha, "size": int(size), "path": path}, file.name) for sha, size, path in rows]


def _file(row: Mapping[str, Any], where: str) -> PackFile:
    _keys(row, ("path", "size", "sha256"), where)
    if not _HASH.fullmatch(row["sha256"]) or row["size"] < 0:
        raise InputError(f"{where}: {row['path']} needs a sha256 of 64 hex digits and a size in bytes")
    return PackFile(safe_path(row["path"]), row["size"], row["sha256"])


def _source(table: Mapping[str, Any], where: str) -> Source:
    _keys(table, ("archives",), where, ("root", "members"))
    members = {
        path: (piece,) if isinstance(piece, str) else tuple(piece)
        for path, piece in table.get("members", {}).items()
    }
    return Source(tuple(_archive(row, where) for row in table["archives"]), table.get("root", ""), members)


def _archive(row: Mapping[str, Any], where: str) -> Archive:
    kinds = [kind for kind in KINDS if kind in row]
    if len(kinds) != 1:
        raise InputError(f"{where}: an archive needs one of {', '.join(KINDS)}, not {sorted(row)}")
    (kind,) = kinds
    needed = {"pypi": ("version", "sha256"), "npm": ("version", "sha256"), "huggingface": ("revision",)}
    optional = {"pypi": ("platform", "python", "size"), "npm": ("size",), "file": ("sha256",)}
    _keys(row, (kind, *needed.get(kind, ())), where, optional.get(kind, ()))
    rest = {key: value for key, value in row.items() if key not in (kind, "revision")}
    return Archive(kind, row[kind], **{"version": row.get("revision", ""), **rest})


def _keys(
    table: Mapping[str, Any], needed: tuple[str, ...], where: str, optional: tuple[str, ...] = ()
) -> None:
    for key in table:
        if key not in needed + optional:
            raise InputError(f"{where}: unknown key {key!r}{nearest(key, needed + optional)}")
    for key in needed:
        if key not in table:
            raise InputError(f"{where}: the key {key!r} is missing")


def _unique(manifest: Manifest) -> None:
    paths = [file.path for file in manifest.files]
    for first, second in itertools.pairwise(paths):
        if first == second:
            raise InputError(f"{manifest.name}.toml lists {first} twice")
