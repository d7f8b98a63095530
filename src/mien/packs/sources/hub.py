"""Files of a Hugging Face repository by `huggingface_hub`: it honours `HF_ENDPOINT` and resumes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mien.errors import MissingError, ResourceError, require
from mien.packs.manifest import Archive
from mien.packs.sources.tool import Seen


def fetch(archive: Archive, members: Sequence[str], downloads: Path, seen: Seen) -> Path:
    """Return a folder that holds `members` at their paths in the repository."""
    hub = require("huggingface_hub", extra="hub")
    errors = require("huggingface_hub.errors", extra="hub")
    folder = downloads / archive.name.replace("/", "--")
    size = 0
    for member in members:
        try:
            got = hub.hf_hub_download(archive.name, member, revision=archive.version, local_dir=folder)
        except errors.LocalEntryNotFoundError:
            raise ResourceError(
                f"{archive}: no answer from the hub; check the network or HF_ENDPOINT"
            ) from None
        except (errors.EntryNotFoundError, errors.RepositoryNotFoundError, errors.RevisionNotFoundError):
            raise MissingError(f"{archive}: the hub has no {member} there") from None
        except errors.HfHubHTTPError as error:
            raise ResourceError(f"{archive}: {str(error).splitlines()[0]}") from None
        size += Path(got).stat().st_size
        seen(size)
    return folder
