import json
from pathlib import Path

import pytest

from mien.errors import InputError, MissingError
from mien.measure.phones import read_phones

GOOD = {"rate_hz": 22050, "phones": [{"symbol": "b", "start": 0, "end": 1200}]}


def write(folder: Path, data: object) -> Path:
    file = folder / "phones.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return file


def test_phones_are_read(tmp_path: Path) -> None:
    heard = read_phones(write(tmp_path, GOOD))
    assert heard.rate_hz == 22050
    assert [(p.symbol, p.start, p.end) for p in heard.phones] == [("b", 0, 1200)]


@pytest.mark.parametrize(
    "data",
    [
        "",
        "[1, 2",
        [],
        {"phones": []},
        {"rate_hz": "fast", "phones": []},
        {"rate_hz": 0, "phones": []},
        {"rate_hz": 100, "phones": [{"symbol": "b"}]},
        {"rate_hz": 100, "phones": [{"symbol": "b", "start": 5, "end": 4}]},
        {"rate_hz": 100, "phones": 7},
    ],
)
def test_another_form_is_refused(tmp_path: Path, data: object) -> None:
    with pytest.raises(InputError, match=r"phones\.json"):
        read_phones(write(tmp_path, data))


def test_no_file_is_missing(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match=r"no phones .*none\.json"):
        read_phones(tmp_path / "none.json")
