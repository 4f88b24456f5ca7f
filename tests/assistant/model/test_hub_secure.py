"""Over TLS a hub must prove who it is, and sends nobody on to where others can read or change what comes."""

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from assistant.model.hub.words import FetchError
from tests.assistant.model.hub_bench import NAME, Bench
from tests.assistant.model.hub_server import HubServer, serving


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def secure(authority: trustme.CA, toy_qwen: Path) -> Iterator[HubServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with serving(HubServer({NAME: toy_qwen.read_bytes()}, secure=context)) as hub:
        yield hub


@pytest.fixture
def plain(toy_qwen: Path) -> Iterator[HubServer]:
    with serving(HubServer({NAME: toy_qwen.read_bytes()})) as hub:
        yield hub


@pytest.fixture
def trusted(authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(path))
    monkeypatch.setenv("SSL_CERT_FILE", str(path))


@pytest.mark.usefixtures("trusted")
async def test_a_hub_that_proves_who_it_is_is_trusted(secure: HubServer, tmp_path: Path) -> None:
    b = Bench(secure, tmp_path / "cache")
    await b.fetch()
    assert b.keys == ["botpsy-q8"]


async def test_a_hub_that_does_not_prove_who_it_is_is_left_at_once(secure: HubServer, tmp_path: Path) -> None:
    b = Bench(secure, tmp_path / "cache", token="hf_secret")
    with pytest.raises(FetchError, match=r"does not prove who it is \(its certificate is not valid\)"):
        await b.fetch()
    assert (b.waits, secure.listed) == ([], [])


@pytest.mark.usefixtures("trusted")
async def test_a_file_is_not_taken_from_an_address_that_is_not_secure(
    secure: HubServer, plain: HubServer, tmp_path: Path
) -> None:
    secure.redirect, secure.other = "{start}/cdn/{name}", plain
    b = Bench(secure, tmp_path / "cache", token="hf_secret")
    with pytest.raises(FetchError, match=r"not secure \(http\)\. Nothing was taken"):
        await b.fetch()
    assert (b.keys, plain.asked) == ([], [])


@pytest.mark.usefixtures("trusted")
async def test_a_list_is_not_taken_from_an_address_that_is_not_secure(
    secure: HubServer, plain: HubServer, tmp_path: Path
) -> None:
    secure.list_redirect = plain.address
    b = Bench(secure, tmp_path / "cache", token="hf_secret")
    with pytest.raises(FetchError, match=r"not secure \(http\)\. Nothing was taken"):
        await b.fetch()
    assert plain.listed == []
