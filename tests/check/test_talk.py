import datetime
import socket
import ssl
import threading

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from mien.check import Status
from mien.check.talk import Server, _name, _tls
from mien.errors import InputError


@pytest.fixture
def expired(tmp_path):
    """A server with TLS whose certificate expired; yields its address."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1)
    made = builder.not_valid_before(now - datetime.timedelta(9)).not_valid_after(now - datetime.timedelta(1))
    made = made.sign(key, hashes.SHA256())
    encoding = serialization.Encoding.PEM
    form, secret = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (tmp_path / "c.pem").write_bytes(made.public_bytes(encoding) + key.private_bytes(encoding, form, secret))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "c.pem")
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def work() -> None:
            plain, _ = listener.accept()
            with plain:
                try:
                    context.wrap_socket(plain, server_side=True).close()
                except OSError:
                    return

        thread = threading.Thread(target=work)
        thread.start()
        yield f"https://localhost:{listener.getsockname()[1]}"
        thread.join()


def test_an_expired_certificate_is_told(expired, monkeypatch, tmp_path):
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "c.pem"))
    result = _tls(Server(expired, ""))
    assert result.status is Status.FAILED
    assert "expired" in result.line
    assert result.remedy.startswith("openssl s_client -connect localhost:")


def test_a_server_without_tls_is_no_place_for_a_microphone():
    result = _tls(Server("http://mien.example", ""))
    assert (result.status, "no microphone" in result.line) == (Status.FAILED, True)


def test_a_name_that_nobody_has():
    assert _name(Server("https://nobody.invalid", "")).status is Status.FAILED


@pytest.mark.parametrize("address", ["example.org", "ws://example.org", "https://"])
def test_what_is_no_address(address):
    with pytest.raises(InputError, match="is no address of a server"):
        Server(address, "")
