"""Ports, names, certificates."""

from __future__ import annotations

import os
import socket
import ssl
import time
import urllib.request
from typing import Final

from mien.check.place import Place
from mien.check.result import Result, failed, not_run, ok, warning

_TRIED: Final = 8  # ports of the range
_DAYS: Final = 14
_DAY_S: Final = 86_400.0


def port(place: Place) -> Result:
    """Listen where the server would, connect, and pass a byte."""
    try:
        with socket.create_server((place.host, place.port)) as listener:
            at = listener.getsockname()
            with socket.create_connection(at[:2], timeout=2) as client:
                server, _ = listener.accept()
                with server:
                    client.sendall(b"m")
                    server.settimeout(2)
                    passed = server.recv(1) == b"m"
    except OSError as error:
        return _refused(place, error)
    if not passed:
        return failed(f"nothing passes through port {place.port} of {place.host}", "sudo iptables -L -n")
    return ok(f"port {at[1]} of {place.host} can be listened on")


def _refused(place: Place, error: OSError) -> Result:
    reason = (error.strerror or str(error)).lower()
    line = f"port {place.port} of {place.host} can not be used: {reason}"
    if place.port < 1024 and isinstance(error, PermissionError):
        return failed(line, "mien serve --port 8080  # and a proxy before it")
    if "assign" in reason or "name" in reason:
        return failed(line, "mien serve --host 127.0.0.1  # an address of this machine: ip -br address")
    return failed(line, f"mien serve --port {_free()}  # or see who has it: ss -ltnp 'sport = :{place.port}'")


def _free() -> int:
    with socket.create_server(("127.0.0.1", 0)) as other:
        return int(other.getsockname()[1])


def udp(place: Place) -> Result:
    """Bind ports of the range for media, and send a datagram to each."""
    first, last = place.udp
    step = max(1, (last - first) // _TRIED)
    refused: dict[int, str] = {}
    ports = range(first, last + 1, step)
    for number in ports:
        if reason := _datagram(place.host, number):
            refused[number] = reason
    if not refused:
        return ok(f"UDP ports {first} to {last}: {len(ports)} of them passed a datagram")
    number, reason = next(iter(refused.items()))
    line = f"{len(refused)} of {len(ports)} UDP ports from {first} to {last} do not work: {number}, {reason}"
    say = failed if len(refused) == len(ports) else warning
    return say(
        line, f"ss -lunp  # shows who has them; or: mien check --udp {last + 1}-{2 * last - first + 1}"
    )


def _datagram(host: str, number: int) -> str:
    """Return why a datagram does not come through a port, `""` when it does."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with (
            socket.socket(family, socket.SOCK_DGRAM) as one,
            socket.socket(family, socket.SOCK_DGRAM) as other,
        ):
            one.bind((host, number))
            one.settimeout(1)
            other.sendto(b"mien", one.getsockname())
            return "" if one.recv(8) == b"mien" else "another datagram came"
    except TimeoutError:
        return "nothing arrived"
    except OSError as error:
        return (error.strerror or str(error)).lower()


def names(_: Place) -> Result:
    """What `localhost` is, and whether a proxy stands before it."""
    try:
        found = {info[4][0] for info in socket.getaddrinfo("localhost", None)}
    except OSError as error:
        return failed(
            f"the name localhost is not known: {error}", "echo '127.0.0.1 localhost' | sudo tee -a /etc/hosts"
        )
    if not found & {"127.0.0.1", "::1"}:
        return failed(
            f"localhost is {', '.join(map(str, found))}",
            "echo '127.0.0.1 localhost' | sudo tee -a /etc/hosts",
        )
    proxies = urllib.request.getproxies()
    if ("http" in proxies or "https" in proxies) and not urllib.request.proxy_bypass("127.0.0.1"):
        return warning(
            f"requests to this machine go through the proxy {proxies.get('http') or proxies['https']}",
            "export NO_PROXY=localhost,127.0.0.1,::1",
        )
    return ok("localhost is this machine, and no proxy stands before it")


def trust(_: Place) -> Result:
    """TLS of this Python, and the authorities that it trusts."""
    version = ssl.OPENSSL_VERSION
    if not ssl.HAS_TLSv1_2:
        return failed(f"{version} has no TLS 1.2", "uv venv --python 3.12")
    file = os.environ.get("SSL_CERT_FILE")
    if file and not os.path.isfile(file):  # noqa: PTH113
        return failed(f"SSL_CERT_FILE names {file}, which is not there", "unset SSL_CERT_FILE")
    known = ssl.create_default_context().cert_store_stats()["x509_ca"]
    paths = ssl.get_default_verify_paths()
    folder = paths.capath and os.path.isdir(paths.capath) and os.listdir(paths.capath)  # noqa: PTH112, PTH208
    if not known and not folder:
        return warning(
            "no certificate authority is trusted: nothing can be fetched by https",
            "sudo apt-get install ca-certificates",
            version,
        )
    return ok(f"TLS 1.3, {known or 'a folder of'} authorities" if ssl.HAS_TLSv1_3 else "TLS 1.2", version)


def certificate(place: Place) -> Result:
    """Read the server's certificate, and shake hands with it."""
    if place.certificate is None:
        return not_run("no certificate was given; name it: mien check --certificate FILE --key FILE")
    try:
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        server.load_cert_chain(place.certificate, place.key)
    except ssl.SSLError as error:
        if "MISMATCH" in str(error.reason):
            return failed(
                "the key is not the certificate's",
                f"openssl x509 -noout -pubkey -in {place.certificate}  # the key must give the same",
            )
        return failed(
            f"{place.certificate} is no certificate with its key in PEM: {error.reason or error}",
            "openssl x509 -noout -text -in FILE; give the key with --key",
        )
    except OSError as error:
        return failed(
            f"{error.filename or place.certificate}: {(error.strerror or str(error)).lower()}", "ls -l FILE"
        )
    return _dated(place)


def _dated(place: Place) -> Result:
    from cryptography import x509

    assert place.certificate is not None
    read = x509.load_pem_x509_certificate(place.certificate.read_bytes())
    left = (read.not_valid_after_utc.timestamp() - time.time()) / _DAY_S
    renew = f"certbot renew --cert-name {place.hostname or 'NAME'}"
    if left < 0:
        return failed(
            f"the certificate expired {-left:.0f} days ago, on {read.not_valid_after_utc:%Y-%m-%d}", renew
        )
    if read.not_valid_before_utc.timestamp() > time.time():
        return failed(
            f"the certificate is valid from {read.not_valid_before_utc:%Y-%m-%d} on: is the clock right?",
            "sudo timedatectl set-ntp true",
        )
    named = _names(read)
    if place.hostname and not any(_fits(place.hostname, name) for name in named):
        return failed(
            f"the certificate is for {', '.join(named) or 'nobody'}, not for {place.hostname}",
            f"certbot certonly -d {place.hostname}",
        )
    if left < _DAYS:
        return warning(f"the certificate expires in {left:.0f} days", renew)
    return ok(f"the certificate is valid for {left:.0f} days", ", ".join(named))


def _names(read: object) -> list[str]:
    from cryptography import x509

    assert isinstance(read, x509.Certificate)
    try:
        extension = read.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return []
    return [str(name.value) for name in extension.value]


def _fits(hostname: str, name: str) -> bool:
    return hostname == name or (name.startswith("*.") and hostname.partition(".")[2] == name[2:])
