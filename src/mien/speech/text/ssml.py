"""SSML 1.1 (https://www.w3.org/TR/speech-synthesis11/) → items; errors name line and column."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from xml.parsers import expat

from mien.errors import InputError, nearest
from mien.face.feeling import Emotion
from mien.speech.breath import Prosody
from mien.speech.text import ssml_values as values
from mien.speech.text.clean import without_emoji
from mien.speech.text.items import Atom, Break, Close, Item, MarkAt, Style, Text
from mien.speech.text.say_as import say_as
from mien.speech.text.tokens import LONGEST

_DEEPEST = 40
_ATTRIBUTES: Mapping[str, frozenset[str]] = {
    name: frozenset(allowed.split())
    for name, allowed in {
        "speak": "version xml:lang xml:base xsi:schemaLocation",
        "p": "xml:lang",
        "s": "xml:lang",
        "break": "time strength",
        "prosody": "rate pitch volume",
        "emphasis": "level",
        "say-as": "interpret-as format",
        "sub": "alias",
        "phoneme": "alphabet ph",
        "lang": "xml:lang",
        "mark": "name",
        "voice": "name xml:lang",
        "mien:emotion": "name strength",
        "mien:look": "at yaw pitch",
    }.items()
}
_REQUIRED = {
    "say-as": "interpret-as",
    "sub": "alias",
    "phoneme": "ph",
    "lang": "xml:lang",
    "mark": "name",
    "voice": "name",
    "mien:emotion": "name",
}
_COLLECTS = frozenset({"say-as", "sub", "phoneme"})
_EMPTY = frozenset({"break", "mark"})
_CLOSES = {"p": "paragraph", "s": "sentence"}
_HINTS = {
    "undefined entity": "write it as a character; XML knows only &amp; &lt; &gt; &quot; &apos;",
    "not well-formed (invalid token)": "write & as &amp; and < as &lt;, and quote every attribute",
    "unclosed token": "the text ends inside a tag; finish it with >",
}


@dataclass(slots=True)
class _Element:
    name: str
    attributes: Mapping[str, str]
    style: Style
    place: str
    items: int
    text: list[str] = field(default_factory=list)


class Ssml:
    """Takes SSML apart; DTDs and entities are refused, so no input can grow when it is read."""

    def __init__(self, style: Style) -> None:
        self._style = style
        self._stack: list[_Element] = []
        self._items: list[Item] = []
        self._count = 0
        self._fresh = True
        self._ended = ""
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.EntityDeclHandler = self._doctype

    def feed(self, text: str) -> list[Item]:
        """Return what became known; raises `InputError` with line and column."""
        if self._fresh and text.lstrip().startswith("<?xml"):
            text = text.lstrip()
        self._fresh = False
        return self._parse(text, False)

    def finish(self) -> list[Item]:
        """Return what is left; raises `InputError` when a tag is open."""
        try:
            return self._parse("", True)
        except _UnfinishedError as error:
            if not self._stack:
                raise self._wrong(f"{error}; {_HINTS['unclosed token']}") from None
            open_ = self._stack[-1]
            raise InputError(f"{open_.place}: <{open_.name}> is not closed; add </{open_.name}>") from None

    def _parse(self, text: str, final: bool) -> list[Item]:
        try:
            self._parser.Parse(text, final)
        except expat.ExpatError as error:
            raise self._syntax(error) from None
        items, self._items = self._items, []
        return items

    def _syntax(self, error: expat.ExpatError) -> InputError:
        if self._ended:
            return InputError(
                f"{self._ended}: the text goes on after </speak>; put everything inside one <speak>"
            )
        reason = expat.ErrorString(error.code)
        if reason in ("no element found", "unclosed token"):
            return _UnfinishedError(reason)
        hint = _HINTS.get(reason, "correct the markup")
        if reason == "mismatched tag" and self._stack:
            open_ = self._stack[-1]
            hint = (
                f"</{open_.name}> must come first, for <{open_.name}> at {open_.place.removeprefix('SSML ')}"
            )
        return InputError(f"SSML line {error.lineno}, column {error.offset + 1}: {reason}; {hint}")

    def _place(self) -> str:
        return f"SSML line {self._parser.CurrentLineNumber}, column {self._parser.CurrentColumnNumber + 1}"

    def _wrong(self, message: str) -> InputError:
        return InputError(f"{self._place()}: {message}")

    def _emit(self, item: Item) -> None:
        self._items.append(item)
        self._count += 1

    def _doctype(self, *_: object) -> None:
        raise self._wrong("DOCTYPE and entity declarations are not accepted; remove them")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._check(name, attributes)
        style = self._stack[-1].style if self._stack else self._style
        try:
            style = _styled(style, name, attributes)
            self._enter(name, attributes)
        except InputError as error:
            raise self._wrong(f"<{name}>: {error}") from None
        self._stack.append(_Element(name, attributes, style, self._place(), self._count))

    def _check(self, name: str, attributes: Mapping[str, str]) -> None:
        if name not in _ATTRIBUTES:
            raise self._wrong(f"no element <{name}>{nearest(name, _ATTRIBUTES)}")
        parent = self._stack[-1].name if self._stack else ""
        if not parent and name != "speak":
            raise self._wrong(f"<{name}> is outside <speak>; begin with <speak>")
        if parent and name == "speak":
            raise self._wrong("<speak> inside <speak>; keep only the outer one")
        if parent in _COLLECTS | _EMPTY:
            raise self._wrong(f"<{name}> inside <{parent}>; it may hold only text")
        if len(self._stack) >= _DEEPEST:
            raise self._wrong(f"elements are nested deeper than {_DEEPEST}; flatten them")
        for key in attributes:
            if key not in _ATTRIBUTES[name] and key != "xml:id" and not key.startswith("xmlns"):
                raise self._wrong(f"<{name}> has no attribute {key!r}{nearest(key, _ATTRIBUTES[name])}")
        needed = _REQUIRED.get(name)
        if needed and not attributes.get(needed, "").strip():
            raise self._wrong(f"<{name}> needs the attribute {needed!r}")

    def _enter(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in _CLOSES:
            self._emit(Close(_CLOSES[name]))
        elif name == "break":
            self._emit(Break(values.pause(attributes)))
        elif name == "mark":
            self._emit(MarkAt(attributes["name"].strip()))
        elif name == "phoneme" and len(attributes["ph"]) > LONGEST:
            raise InputError(
                f"ph has {len(attributes['ph']):,} characters, the limit is {LONGEST}; split it by words"
            )
        elif name == "phoneme" and attributes.get("alphabet", "ipa").lower() != "ipa":
            raise InputError(
                f'alphabet {attributes["alphabet"]!r} is not supported; give IPA: alphabet="ipa"'
            )

    def _text(self, text: str) -> None:
        element = self._stack[-1]
        if element.name in _COLLECTS:
            element.text.append(text)
        elif text.strip() and element.name in _EMPTY:
            raise self._wrong(f"<{element.name}> holds text; write <{element.name}/>")
        else:
            self._emit(Text(without_emoji(text), element.style))

    def _end(self, name: str) -> None:
        element = self._stack.pop()
        self._ended = "" if self._stack else self._place()
        if name in _COLLECTS:
            try:
                self._leave(element)
            except InputError as error:
                raise InputError(f"{element.place}: <{name}>: {error}") from None
        elif name in _CLOSES:
            self._emit(Close(_CLOSES[name]))
        elif name.startswith("mien:") and element.items == self._count and self._stack:
            self._stack[-1].style = element.style

    def _leave(self, element: _Element) -> None:
        text = "".join(element.text).strip()
        attributes, style = element.attributes, element.style
        if element.name == "sub":
            self._emit(Text(attributes["alias"], style))
        elif element.name == "phoneme":
            self._emit(Atom(text or attributes["ph"], style, attributes["ph"].strip().strip("/")))
        elif text:
            words = say_as(text, attributes["interpret-as"], attributes.get("format", ""), style.language)
            self._emit(Atom(words, style))


class _UnfinishedError(InputError):
    """The text ended inside the markup."""


def _styled(style: Style, name: str, attributes: Mapping[str, str]) -> Style:
    """Return the style inside an element."""
    if "xml:lang" in attributes:
        style = replace(style, language=values.language(attributes["xml:lang"]))
    change = _STYLES.get(name)
    return change(style, attributes) if change else style


def _prosody(style: Style, attributes: Mapping[str, str]) -> Style:
    outer = style.prosody
    prosody = Prosody(
        values.within("rate", outer.rate * values.rate(attributes.get("rate", "medium")), 0.25, 4.0),
        values.within(
            "pitch", outer.pitch + values.pitch(attributes.get("pitch", "medium")), -12, 12, "semitones"
        ),
        values.within(
            "volume", outer.volume + values.volume(attributes.get("volume", "medium")), -60, 12, "dB"
        ),
    )
    return replace(style, prosody=prosody)


def _emphasis(style: Style, attributes: Mapping[str, str]) -> Style:
    return replace(
        style, emphasis=values.named("level", attributes.get("level", "moderate"), values.EMPHASES)
    )


def _emotion(style: Style, attributes: Mapping[str, str]) -> Style:
    strength = values.number("strength", attributes.get("strength", "1"))
    return replace(style, emotion=Emotion(attributes["name"].strip().lower(), strength))


def _look(style: Style, attributes: Mapping[str, str]) -> Style:
    if "at" in attributes:
        if len(attributes) > 1:
            raise InputError("give either 'at' or 'yaw' and 'pitch'")
        return replace(style, look=values.named("at", attributes["at"], values.LOOKS))
    return replace(style, look=values.look(attributes))


def _voice(style: Style, attributes: Mapping[str, str]) -> Style:
    return replace(style, voice=attributes["name"].strip())


_STYLES: Mapping[str, Callable[[Style, Mapping[str, str]], Style]] = {
    "prosody": _prosody,
    "emphasis": _emphasis,
    "mien:emotion": _emotion,
    "mien:look": _look,
    "voice": _voice,
}
