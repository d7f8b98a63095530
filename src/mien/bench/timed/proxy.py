"""TLS in front of a server: a small proxy with a certificate that nobody else trusts."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mien.errors import require

Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Proxy:
    """Where it listens, and a context that trusts its certificate."""

    place: Place
    trusting: ssl.SSLContext


@contextmanager
def proxied(server: Place) -> Iterator[Proxy]:
    """Pass what comes through TLS on to `server` for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="mien-tls-") as folder:
        file = Path(folder) / "own.pem"
        file.write_bytes(certificate())
        own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        own.load_cert_chain(file)
        trusting = ssl.create_default_context(cafile=str(file))
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    listening = asyncio.run_coroutine_threadsafe(_listen(server, own), loop).result(30)
    try:
        yield Proxy(("127.0.0.1", listening.sockets[0].getsockname()[1]), trusting)
    finally:
        asyncio.run_coroutine_threadsafe(_ended(listening), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(30)
        loop.close()


def certificate() -> bytes:
    """Return a key and a certificate of its own for `localhost`, valid for a day, as PEM (ECDSA, P-256)."""
    x509 = require("cryptography.x509", extra="serve")
    oid = require("cryptography.x509.oid", extra="serve").NameOID
    ec = require("cryptography.hazmat.primitives.asymmetric.ec", extra="serve")
    hashes, coding = (
        require(f"cryptography.hazmat.primitives.{n}", extra="serve") for n in ("hashes", "serialization")
    )
    key = ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(oid.COMMON_NAME, "localhost")]), datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(coding.Encoding.PEM, coding.PrivateFormat.PKCS8, coding.NoEncryption())
    return bytes(secret + made.public_bytes(coding.Encoding.PEM))


async def _listen(server: Place, own: ssl.SSLContext) -> asyncio.Server:
    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(*server)
        with contextlib.suppress(asyncio.CancelledError):  # the end of the proxy
            await asyncio.gather(_pump(reader, back), _pump(there, writer), return_exceptions=True)

    return await asyncio.start_server(pass_on, "127.0.0.1", 0, ssl=own)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    finally:
        with contextlib.suppress(OSError):
            writer.close()


async def _ended(listening: asyncio.Server) -> None:
    listening.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
