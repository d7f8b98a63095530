"""Environments that are broken on purpose: each is found, named, and given the right fix."""

import datetime
import socket
from contextlib import ExitStack

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from mien.check import Place, Status
from mien.check.probes import network

from .expected import found


def test_a_port_in_use():
    with socket.create_server(("127.0.0.1", 0)) as server:
        result = network.port(Place(port=server.getsockname()[1]))
    found(result, Status.FAILED, "already in use", "mien serve --port ")


def test_an_address_of_another_machine():
    found(
        network.port(Place(host="203.0.113.1")),
        Status.FAILED,
        "can not be used",
        "mien serve --host 127.0.0.1",
    )


def test_a_port_that_only_root_may_use(monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("socket.create_server", refuse)
    found(network.port(Place(port=443)), Status.FAILED, "permission denied", "a proxy before it")


def test_udp_ports_in_use():
    with ExitStack() as held:
        first = held.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        first.bind(("127.0.0.1", 0))
        port = first.getsockname()[1]
        found(network.udp(Place(udp=(port, port))), Status.FAILED, "already in use", "mien check --udp")


def test_a_proxy_before_this_machine(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://proxy.example:3128")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    found(network.names(Place()), Status.WARNING, "proxy.example", "NO_PROXY=localhost")


def test_authorities_that_are_not_there(monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere.pem")
    found(network.trust(Place()), Status.FAILED, "/nowhere.pem", "unset SSL_CERT_FILE")


@pytest.fixture(scope="module")
def keys():
    return [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]


@pytest.fixture
def certified(tmp_path, keys):
    """Return a maker of a place with a certificate; `days`: from and until, from now."""

    def make(days: tuple[int, int], hostname: str = "here.example", other_key: bool = False) -> Place:
        now = datetime.datetime.now(datetime.UTC)
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "here.example")])
        alternatives = x509.SubjectAlternativeName(
            [x509.DNSName("here.example"), x509.DNSName("*.one.example")]
        )
        builder = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(keys[0].public_key())
        )
        builder = builder.serial_number(1).add_extension(alternatives, critical=False)
        begins, ends = (now + datetime.timedelta(days=each) for each in days)
        made = builder.not_valid_before(begins).not_valid_after(ends).sign(keys[0], hashes.SHA256())
        (tmp_path / "c.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
        encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
        key = keys[other_key].private_bytes(encoding, form, serialization.NoEncryption())
        (tmp_path / "k.pem").write_bytes(key)
        return Place(certificate=tmp_path / "c.pem", key=tmp_path / "k.pem", hostname=hostname)

    return make


@pytest.mark.parametrize(
    ("days", "more", "status", "line", "remedy"),
    [
        ((-90, -3), {}, Status.FAILED, "expired 3 days ago", "certbot renew --cert-name here.example"),
        ((2, 90), {}, Status.FAILED, "is the clock right?", "timedatectl"),
        ((-9, 5), {}, Status.WARNING, "expires in 5 days", "certbot renew"),
        (
            (-9, 90),
            {"hostname": "else.example"},
            Status.FAILED,
            "not for else.example",
            "certbot certonly -d else",
        ),
        ((-9, 90), {"hostname": "a.one.example"}, Status.OK, "valid for 90 days", ""),
        ((-9, 90), {"other_key": True}, Status.FAILED, "the key is not the certificate's", "openssl x509"),
    ],
)
def test_certificates(certified, days, more, status, line, remedy):
    found(network.certificate(certified(days, **more)), status, line, remedy)


def test_a_certificate_that_is_none(tmp_path):
    (tmp_path / "c.pem").write_text("hello")
    found(
        network.certificate(Place(certificate=tmp_path / "c.pem")), Status.FAILED, "no certificate", "openssl"
    )
    found(network.certificate(Place(certificate=tmp_path / "gone")), Status.FAILED, "no such file", "ls -l")
