"""A message with files in it, byte by byte."""

import email
from email.policy import default

import pytest

from connectors.messaging.mime.enclose import Enclosed, enclose, size_of

PDF = b"%PDF-1.7\n" + bytes(range(256)) * 9


@pytest.mark.parametrize("size", [0, 1, 56, 57, 58, 5000])
@pytest.mark.parametrize("media", ["text/plain", "message/rfc822", "application/pdf", "image/png", "odd"])
def test_every_file_comes_out_as_it_went_in(size: int, media: str) -> None:
    text = (
        b"From: a@x.example\nSubject: =?utf-8?q?a?=\n b\nMIME-Version: 1.0\nContent-Type: text/plain\n\nHi.\n"
    )
    data = bytes(number % 256 for number in range(size))
    whole = enclose(text, [Enclosed('a b;"c".x', media, data)])
    message = email.message_from_bytes(whole, policy=default)
    assert message["Subject"].split() == ["a", "b"]
    (part,) = list(message.iter_attachments())
    assert (part.get_filename(), part.get_payload(decode=True)) == ('a b;"c".x', data)
    assert message.get_body(("plain",)).get_content() == "Hi.\n"
    assert max(map(len, whole.split(b"\n"))) <= 998
    assert whole == enclose(text, [Enclosed('a b;"c".x', media, data)])


@pytest.mark.parametrize("size", [0, 1, 1000, 100_000])
def test_the_size_is_told_beforehand_and_never_too_small(size: int) -> None:
    text = b"From: a@x.example\nMIME-Version: 1.0\nContent-Type: text/plain\n\nHi.\n"
    whole = enclose(text, [Enclosed("report.bin", "application/octet-stream", b"\1" * size)])
    told = size_of(text, [size])
    assert len(whole) <= told <= len(whole) + 500 + size // 20


def test_without_files_nothing_changes() -> None:
    assert enclose(b"Subject: x\n\nHi.\n", []) == b"Subject: x\n\nHi.\n"
