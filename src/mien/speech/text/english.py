"""What English writes and wetext or espeak-ng misreads, brought into a form that they read.

Each rule is a row: a pattern and what to put in its place. Numbers stay digits; wetext says them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from mien.speech.text.addresses import spoken_addresses
from mien.speech.text.english_words import (
    ABBREVIATIONS,
    CURRENCIES,
    DECADES,
    MAGNITUDES,
    MONTHS,
    ORDINALS,
    ROMAN_AFTER,
    SIGNS,
    UNITS,
)

Spoken = str | Callable[[re.Match[str]], str]

_AMOUNT = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_MONTH = "|".join(f"{month}|{month[:3]}\\.?" for month in MONTHS) + r"|Sept\.?"
_UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_SIGN = "|".join(map(re.escape, CURRENCIES))


def before(text: str, language: str) -> str:
    """Return `text` with its dates, money, units, abbreviations and addresses in a form wetext reads.

    Outside `"en-gb"` and its like, `3/4/2026` is March 4.
    """
    text = spoken_addresses(text, dot="dot", slash="slash", at="at", dash="dash", underscore="underscore")
    for needed, rules in _rules():
        if needed.search(text):
            for pattern, spoken in rules:
                text = pattern.sub(spoken, text)
    return _DATE.sub(_day_first if language in _DAY_FIRST else _month_first, text)


_DATE = re.compile(r"(?<![\d/.])(\d{1,2})([/.])(\d{1,2})\2(\d{4})(?![\d/])")
_DAY_FIRST = frozenset({"en-gb", "en-au", "en-nz", "en-ie", "en-in", "en-za", "en-gb-scotland"})


def _month_first(match: re.Match[str]) -> str:
    return _calendar(match, int(match[1]), int(match[3]), False)


def _day_first(match: re.Match[str]) -> str:
    return _calendar(match, int(match[3]), int(match[1]), True)


def _calendar(match: re.Match[str], month: int, day: int, day_first: bool) -> str:
    if month > 12:
        month, day = day, month
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return match[0]
    return f"{_day(month, day, day_first)}, {match[4]}"


def _day(month: int, day: int, day_first: bool = False) -> str:
    name, nth = MONTHS[month - 1], ORDINALS[day - 1]
    return f"the {nth} of {name}" if day_first else f"{name} {nth}"


def _iso(match: re.Match[str]) -> str:
    return f"{_day(int(match[2]), int(match[3]))}, {match[1]}"


def _written_date(match: re.Match[str]) -> str:
    name = next(m for m in MONTHS if m.startswith(match["month"][:3]))
    year = f", {match['year']}" if match["year"] else ""
    day = int(match["day"])
    day_first = match.start("day") < match.start("month")
    return _day(MONTHS.index(name) + 1, day, day_first) + year if 1 <= day <= 31 else match[0]


def _money(match: re.Match[str]) -> str:
    one, many, cent, cents = CURRENCIES[match["sign"]]
    amount, magnitude = match["amount"].replace(",", ""), match["magnitude"]
    if magnitude:
        return f"{amount} {MAGNITUDES.get(magnitude.strip(), magnitude.strip())} {many}"
    whole, _, part = amount.partition(".")
    if not cent or len(part) != 2:
        return f"{_plain(amount)} {one if amount == '1' else many}"
    said = [f"{_plain(whole)} {one if whole == '1' else many}"] if int(whole) or not int(part) else []
    if int(part):
        said.append(f"{int(part)} {cent if int(part) == 1 else cents}")
    return " and ".join(said)


def _plain(amount: str) -> str:
    """Return a number so that wetext takes it for a quantity, not for a year."""
    whole, dot, part = amount.partition(".")
    return f"{int(whole):,}{dot}{part}" if len(whole) < 16 else amount


def _thousand(match: re.Match[str]) -> str:
    """`1,200`, which wetext reads without its "one"."""
    rest = match[1].lstrip("0")
    return f"1 thousand {rest}".rstrip()


def _measure(match: re.Match[str]) -> str:
    one, many = UNITS[match["unit"]]
    amount = match["amount"]
    return f"{_plain(amount.replace(',', ''))} {one if amount == '1' else many}"


def _decade(match: re.Match[str]) -> str:
    century, tens = match["century"], DECADES[match["tens"]]
    if not century:
        return tens
    if match["tens"] == "0":
        return f"{century[0]} thousands" if century == "20" else f"{century} hundreds"
    return f"{century} {tens}"


def _clock(match: re.Match[str]) -> str:
    half = f"{match['half'][0].upper()} M" if match["half"] else ""
    half += "." * (half != "" and match["half"].endswith(".") and match.end() == len(match.string))
    hour, minute = int(match["hour"]), match["minute"]
    if hour > 23 or (minute and int(minute) > 59):
        return match[0]
    if minute and int(minute):
        minute = f"oh {int(minute)}" if int(minute) < 10 else minute
        return f"{hour} {minute} {half}".rstrip()
    return f"{hour} {half}" if half else f"{hour} o'clock" if 0 < hour <= 12 else f"{hour} hundred hours"


def _phone(match: re.Match[str]) -> str:
    words = "zero one two three four five six seven eight nine".split()
    groups = (" ".join(words[int(d)] for d in group) for group in re.findall(r"\d+", match[0]))
    return ("plus " if match[0].startswith("+") else "") + ", ".join(groups)


def _roman(match: re.Match[str]) -> str:
    values = {"I": 1, "V": 5, "X": 10, "L": 50}
    digits = [values[c] for c in match[2]]
    after = [*digits[1:], 0]
    return f"{match[1]} {sum(-d if d < n else d for d, n in zip(digits, after, strict=True))}"


def _version(match: re.Match[str]) -> str:
    return ("version " if match[1] else "") + " point ".join(match[2].split("."))


_PHONE = r"(?<![\w.])\+\d{1,3}[ -.]?(?:\(\d{1,4}\)[ -.]?)?\d{2,4}(?:[ -.]\d{2,4}){1,4}(?![\w.]\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?:,? (?P<year>[12]\d{3}))?(?![\d:])\b"
_HALF = r"(?P<half>[aApP](?:\.[mM]\.|[mM]\b))"
_TIME = rf"(?<![\d:])(?P<hour>\d{{1,2}}):(?P<minute>\d\d)(?: ?{_HALF})?(?![\d:])"
_HOUR = rf"(?<![\d:.])(?P<hour>\d{{1,2}})(?P<minute>) ?{_HALF}"

_NUMBER_RULES: tuple[tuple[str, Spoken], ...] = (
    (_PHONE, _phone),
    (r"(?<![\w+])(?:\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}(?![\w-])", _phone),
    (r"(?<![\w+-])\d{3}-\d{4}(?![\w-])", _phone),
    (r"(?<![\d-])(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?![\d-])", _iso),
    (rf"\b(?P<month>{_MONTH}) {_DAY}{_YEAR}", _written_date),
    (rf"\b{_DAY} (?P<month>{_MONTH}){_YEAR}", _written_date),
    (rf"(?P<a>{_SIGN})(\d+)[-–](?P=a)?(\d+)", r"\g<a>\2 to \g<a>\3"),
    (
        rf"(?P<sign>{_SIGN}) ?(?P<amount>{_AMOUNT})"
        rf"(?P<magnitude> ?(?:thousand|million|billion|trillion|bn|[kKMB](?![A-Za-z])))?",
        _money,
    ),
    (_TIME, _clock),
    (_HOUR, _clock),
    (r"(?<!\d)(?P<century>1[0-9]|20)(?P<tens>\d)0['’]?s\b", _decade),
    (r"(?<![\w])['’](?P<century>)(?P<tens>[2-9])0s\b", _decade),
    (rf"(?<![\w.,])(?P<amount>{_AMOUNT}) ?(?P<unit>{_UNIT})(?![\w/²³])", _measure),
    (r"\b(v|V)?(\d+\.\d+\.\d+(?:\.\d+)*)\b", _version),
    (r"\b(v|V)(\d+(?:\.\d+)?)\b", _version),
    (r"\b24/7\b", "24 7"),
    (r"(?<=\d)\s?[–—]\s?(?=[$€£]?\d)", " to "),
    (r"(?<![\w-])(1[0-9]\d\d|20\d\d)-((?:1[0-9]|20)?\d\d)(?![\w-])", r"\1 to \2"),
    (r"(?<![\w.,])1,(\d{3})(?![\d,])", _thousand),
    (r"(?<!\d)([3-8])['’](\d{1,2})(?:\"|”|'')", r"\1 foot \2"),
)  # fmt: skip

_WORD_RULES: tuple[tuple[str, Spoken], ...] = (
    *ABBREVIATIONS,
    (rf"\b({ROMAN_AFTER}) ([IVX]{{1,5}})\b(?!['’.]\w)", _roman),
    *SIGNS,
)


# Without these none of the rules can apply.
_DIGIT = r"\d"
_SHORT = (
    r"[^\w\s,;:!?'’\"“”.-]|\.(?!$)|_|\b(?:etc|Inc|Ltd|Corp|Jr|Sr)\.|"
    r"\b(?:Mr|Mrs|Ms|Dr|St|vs|Ave|Blvd|Rd|[IVX]+)\b"
)


@functools.cache
def _rules() -> tuple[tuple[re.Pattern[str], tuple[tuple[re.Pattern[str], Spoken], ...]], ...]:
    return tuple(
        (re.compile(needed), tuple((re.compile(pattern), spoken) for pattern, spoken in rules))
        for needed, rules in ((_DIGIT, _NUMBER_RULES), (_SHORT, _WORD_RULES))
    )
