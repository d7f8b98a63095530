"""JSON Web Tokens: who asks."""

from __future__ import annotations

import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from mien.contents import contents
from mien.errors import InputError, require
from mien.serve.refusals import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_LEAST_SECRET = 32  # bytes, RFC 7518, 3.2
_LEEWAY_S = 5
_LONGEST = 4096  # characters
_MOST_USED = 100_000


class Tokens:
    """Checks tokens with one key: a public one in PEM (RS256, EdDSA), or a secret of 32 bytes (HS256)."""

    def __init__(self, key: bytes, audience: str) -> None:
        self._key, self._audience = key, audience
        self._algorithms = _algorithms(key)
        self._used: dict[str, float] = {}
        self._order: deque[str] = deque()

    @classmethod
    def load(cls, file: Path, audience: str) -> Tokens:
        """Read the key; raises `InputError` for one that is none, `MissingError`."""
        return cls(contents(file, "key").strip(), audience)

    def check(self, token: str, *, once: bool = False, unused: bool = False) -> Mapping[str, Any]:
        """Return a token's claims; raises `RefusedError` (401).

        `once`: its `jti` is used up by this. `unused`: it must not be used up yet.
        """
        jwt = require("jwt", extra="serve")
        if len(token) > _LONGEST:
            raise refusal("the token is too long")
        try:
            claims: Mapping[str, Any] = jwt.decode(
                token,
                self._key,
                algorithms=self._algorithms,
                audience=self._audience,
                leeway=_LEEWAY_S,
                options={"require": ["exp", "aud"]},
            )
        except jwt.ExpiredSignatureError:
            raise refusal("the token has expired; get another one") from None
        except jwt.InvalidAudienceError:
            raise refusal(f"the token is for another audience than {self._audience!r}") from None
        except jwt.InvalidTokenError as error:
            raise refusal(f"the token is not valid: {str(error).lower()}") from None
        if "jti" in claims:
            name = str(claims["jti"])
            if (once or unused) and name in self._used:
                raise refusal("the token was used before; get another one")
            if once:
                self._use(name, float(claims["exp"]))
        return claims

    def give_back(self, token: str) -> None:
        """Let a token that was used up by `check` be used again: there was no place for who brought it."""
        name = str(self.check(token).get("jti", ""))
        if self._used.pop(name, None) is not None:
            self._order.remove(name)

    def _use(self, name: str, until: float) -> None:
        """Note a token's id until the token expires."""
        now = time.time()
        while self._order and (self._used[self._order[0]] + _LEEWAY_S < now or len(self._order) > _MOST_USED):
            del self._used[self._order.popleft()]
        self._used[name] = until
        self._order.append(name)


def refusal(message: str) -> RefusedError:
    """Return the refusal of who is not known."""
    return RefusedError(message, "invalid_api_key", None, "authentication_error", 401)


def _algorithms(key: bytes) -> list[str]:
    if not key.startswith(b"-----BEGIN"):
        if len(key) < _LEAST_SECRET:
            raise InputError(f"the secret has {len(key)} bytes; tokens need one of {_LEAST_SECRET} or more")
        return ["HS256"]
    require("cryptography", extra="serve")
    from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        public = load_pem_public_key(key)
    except ValueError:
        raise InputError(
            "the key is no public key in PEM; give that of RSA or Ed25519, or a secret"
        ) from None
    if isinstance(public, rsa.RSAPublicKey):
        return ["RS256"]
    if isinstance(public, ed25519.Ed25519PublicKey):
        return ["EdDSA"]
    raise InputError("the key is neither of RSA nor of Ed25519; tokens are checked with one of these")
