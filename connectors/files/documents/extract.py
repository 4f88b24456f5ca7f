"""Taking the text out of a document: a foreign file is only ever parsed by a child process within limits."""

import os
import subprocess
import sys
from pathlib import Path

from connectors.files.documents.kinds import Kind

SECONDS = 20.0
_LONGEST_CHARACTER = 4
_CHILD = Path(__file__).with_name("child.py")


class Unreadable(Exception):
    """The text cannot be had; the message says why in words that go on from the document's name."""


def extract(descriptor: int, kind: Kind, limit: int, seconds: float = SECONDS) -> str:
    """The first `limit` characters of the text of an open document. Raises Unreadable.

    The child sees nothing but the file; it may use so many seconds, half a gigabyte and no other file.
    """
    if not kind.readable:
        raise Unreadable(f"is {kind.words}; install askfirst[documents] to read such files")
    os.lseek(descriptor, 0, os.SEEK_SET)
    command = [sys.executable, "-I", str(_CHILD), kind.name, str(limit)]
    try:
        done = subprocess.run(
            command,
            stdin=descriptor,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            env={},
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Unreadable(f"is {kind.words} that takes too long to read") from None
    except OSError as error:
        raise Unreadable(f"could not be read: {error.strerror}") from error
    if done.returncode:
        raise Unreadable(f"is {kind.words} that is damaged, locked with a password or too large")
    return done.stdout[: limit * _LONGEST_CHARACTER].decode("utf-8", "replace")[:limit]
