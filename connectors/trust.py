"""Which certificates are trusted: the system's, and besides them those of a file that the person names."""

import ssl
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator

from connectors.clean import clean_line

_SHOWN = 120


def tls(authority: Path | None = None) -> ssl.SSLContext:
    """A context that checks the certificate and the host's name. Raises OSError where the file is gone."""
    context = ssl.create_default_context()
    if authority:
        context.load_verify_locations(authority.expanduser())
    return context


def besides(system: str, authority: Path | None) -> str:
    """The certificates of the system and of the file as one PEM text, for a library that takes only that.

    Raises OSError where the file is gone.
    """
    return f"{system}\n{authority.expanduser().read_text('utf-8')}" if authority else system


def _usable(authority: Path) -> Path:
    shown = clean_line(str(authority), _SHOWN)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(authority.expanduser())
    except ssl.SSLError as error:
        raise ValueError(f"the file {shown} holds no certificates in PEM form") from error
    except OSError as error:
        raise ValueError(f"the file {shown} cannot be read ({error.strerror})") from error
    return authority


Authority = Annotated[Path, AfterValidator(_usable)]
"""`authority` in an account's settings: a PEM file with certificates to trust besides the system's."""
