"""Asks an authorization server, by a form over HTTPS; its answer is JSON (RFC 6749 sections 4.1.3 to 5.2)."""

import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from connectors.clean import clean_line
from connectors.oauth.settings import is_safe
from connectors.trust import tls

_LARGEST: Final = 100_000
_SECONDS: Final = 15.0
_SHOWN: Final = 100


class Refused(Exception):
    """The server said no, by one of the codes of RFC 6749 section 5.2 or RFC 8628 section 3.5."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class NoAnswer(Exception):
    """The server could not be asked, or its answer could not be read; the text is a plain sentence."""


class Web:
    """Posts forms; a redirection is never followed, since what is sent is secret."""

    def __init__(self, trusted: ssl.SSLContext | None = None, seconds: float = _SECONDS) -> None:
        handler = urllib.request.HTTPSHandler(context=trusted or tls())
        self._opener = urllib.request.build_opener(handler, _NoRedirection())
        self._seconds = seconds

    def post(self, url: str, form: Mapping[str, str]) -> dict[str, Any]:
        """The object that the server answers with. Raises Refused or NoAnswer."""
        host = clean_line(urlsplit(url).hostname or "", _SHOWN)
        if not is_safe(url):
            raise NoAnswer(f"{host} is not asked, since that would not be encrypted.")
        headers = {"Accept": "application/json"}
        request = urllib.request.Request(url, urlencode(form).encode(), headers)
        try:
            with self._opener.open(request, timeout=self._seconds) as answer:
                return _object(answer.read(_LARGEST + 1), host)
        except urllib.error.HTTPError as error:
            with error:
                raise _refusal(error, host) from error
        except (OSError, HTTPException) as error:
            raise NoAnswer(f"{host} cannot be reached.") from error


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


def _refusal(error: urllib.error.HTTPError, host: str) -> Exception:
    try:
        code = _object(error.read(_LARGEST + 1), host).get("error")
    except (NoAnswer, OSError):
        code = None
    if isinstance(code, str) and error.code < 500:
        return Refused(clean_line(code, _SHOWN))
    return NoAnswer(f"{host} answered with the code {error.code}.")


def _object(data: bytes, host: str) -> dict[str, Any]:
    try:
        found = json.loads(data) if len(data) <= _LARGEST else None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise NoAnswer(f"{host} gave an answer that cannot be read.")
    return found
