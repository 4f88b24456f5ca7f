"""What a server's refusal, or its silence, means to a person."""

from dataclasses import dataclass
from typing import Final

import aiohttp
from nio import ErrorResponse, Response

from connectors.base import Needs
from connectors.clean import clean_line
from connectors.messaging.errors import MailboxError

SIGN_IN: Final = "Sign in again with askfirst connect messaging."
_SIGNED_OUT: Final = frozenset({"M_UNKNOWN_TOKEN", "M_MISSING_TOKEN", "M_USER_DEACTIVATED", "M_USER_LOCKED"})
_MEANINGS: Final = {
    403: (Needs.READ_ONLY, "does not allow it"),
    404: (Needs.NOT_FOUND, "does not know it"),
    413: (Needs.INVALID, "does not take anything this long"),
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a server said instead of what was asked for.

    `certain` says that it did not do it; `wait` is in seconds, after which it may be asked again.
    """

    error: MailboxError
    certain: bool
    wait: float = 0.0


def refusal(answer: Response, host: str) -> Refusal | None:
    """Why an answer is none, or None where it is one."""
    if not isinstance(answer, ErrorResponse):
        return None
    status = getattr(answer.transport_response, "status", 0) or 0
    code = answer.status_code if isinstance(answer.status_code, str) else ""
    if status == 429 or code == "M_LIMIT_EXCEEDED":
        wait = _pause(answer)
        text = f"{host} asks to wait {wait:.0f} seconds, as too much was sent."
        return Refusal(MailboxError(Needs.UNAVAILABLE, text), True, max(wait, 0.05))
    if status == 401 or code in _SIGNED_OUT:
        softly = "for now " if answer.soft_logout else ""
        text = f"{host} has signed this account out {softly}and takes nothing from it. {SIGN_IN}"
        return Refusal(MailboxError(Needs.SIGNED_OUT, text), True)
    certain = 400 <= status < 500 and status != 408
    needs, meaning = _MEANINGS.get(status, (Needs.UNAVAILABLE, "gave an answer that cannot be used"))
    if certain and status == 400:
        needs, meaning = Needs.INVALID, "refused it"
    said = clean_line(answer.message, 200).rstrip(".") if answer.message != "unknown error" else ""
    return Refusal(MailboxError(needs, f"{host} {meaning}{f' ({said})' if said else ''}."), certain)


def broken(error: Exception, host: str) -> Refusal:
    """What it means that no answer came at all."""
    if isinstance(error, aiohttp.ClientConnectorCertificateError | aiohttp.ClientConnectorSSLError):
        return Refusal(MailboxError(Needs.OFFLINE, f"The certificate of {host} is not to be trusted."), True)
    if isinstance(error, aiohttp.ClientConnectorError):
        return Refusal(MailboxError(Needs.OFFLINE, f"{host} cannot be reached."), True)
    return Refusal(MailboxError(Needs.OFFLINE, f"{host} did not answer, or broke off."), False)


def _pause(answer: ErrorResponse) -> float:
    """How long the server wants to be left alone: by its answer, or by Retry-After (RFC 9110, 10.2.3)."""
    told = answer.retry_after_ms
    if isinstance(told, int | float) and 0 <= told < 86_400_000:
        return told / 1000
    headers = getattr(answer.transport_response, "headers", {})
    after = headers.get("Retry-After", "")
    return float(after) if after.isascii() and after.isdigit() and len(after) < 6 else 5.0
