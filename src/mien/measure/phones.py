"""The phones of a film's sound, from a file."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path

from mien.contents import contents, parse_json
from mien.errors import InputError
from mien.face.phone import Phone
from mien.measure.speech import Span


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """What is said in a film: `phones` in samples of `rate_hz`, from the film's time 0."""

    phones: Sequence[Phone]
    rate_hz: int

    def spans(self, symbols: Container[str]) -> list[Span]:
        """Return when the phones of these symbols sound."""
        chosen = [phone for phone in self.phones if phone.symbol in symbols]
        return [Span(phone.start / self.rate_hz, phone.end / self.rate_hz) for phone in chosen]


def read_phones(path: Path | str) -> Heard:
    """Read `{"rate_hz": 22050, "phones": [{"symbol": "b", "start": 0, "end": 1200}, …]}`.

    Raises `MissingError` for no such file, `InputError` for one of another form.
    """
    try:
        data = parse_json(contents(Path(path), "phones", "make them with: mien say TEXT -o NAME.phones"))
    except ValueError as error:
        raise InputError(f"{path} is not JSON: {error}") from None
    try:
        rate_hz = int(data["rate_hz"])
        phones = [Phone(str(row["symbol"]), int(row["start"]), int(row["end"])) for row in data["phones"]]
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        form = '{"rate_hz": 22050, "phones": [{"symbol": "b", "start": 0, "end": 1200}, ...]}'
        raise InputError(f"{path} has no phones ({error}); its form must be {form}") from None
    if rate_hz <= 0 or any(phone.end < phone.start for phone in phones):
        raise InputError(f"{path} has a rate of {rate_hz} Hz or a phone that ends before it starts")
    return Heard(phones, rate_hz)
