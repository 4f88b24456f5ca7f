"""What is written down is short, visible and without secrets."""

import re

from connectors.clean import clean_line

HIDDEN = "•••"

_NAME = r"pass(?:word|wort|code|phrase)?|pwd|secret|token|api[ _-]?key|authori[sz]ation|bearer|pin"
_SECRETS = (
    re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)", re.DOTALL),
    re.compile(r"(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"),
    re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]*"),
    re.compile(r"\b(?:sk|pk|rk|gh[oprsu]|github_pat|glpat|xox[abeprs]|pypi)[-_][\w-]{8,}"),
    re.compile(r"\b(?=[\w+/-]*[A-Za-z])(?=[\w+/-]*\d)[\w+/-]{32,}={0,2}"),
)
_NAMED = re.compile(rf"\b({_NAME})(\s*[=:]\s*|\s+is\s+)(?:bearer\s+|basic\s+)?(\S+)", re.IGNORECASE)
_SPOKEN = re.compile(rf"\b({_NAME})(\s+)(?=\S*\d)(\S+)", re.IGNORECASE)


def redact(text: str) -> str:
    """Text with everything that looks like a password, key or token replaced by `•••`.

    A net, not a proof: what is known to be secret must not be passed here at all.
    """
    for secret in _SECRETS:
        text = secret.sub(HIDDEN, text)
    return _SPOKEN.sub(rf"\1\2{HIDDEN}", _NAMED.sub(rf"\1\2{HIDDEN}", text))


def brief(text: str, limit: int) -> str:
    """One clean line of at most about `limit` characters, without secrets, for keeping."""
    return clean_line(redact(text), limit)
