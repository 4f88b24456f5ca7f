"""What is written down is short, visible and without secrets."""

import re
from collections.abc import Callable
from typing import NamedTuple

from connectors.clean import clean_line

HIDDEN = "•••"

_WORDS = ("pass", "pwd", "secret", "token", "key", "authori", "bearer", "cookie", "credential", "code")
_PIN = re.compile(r"(?<![a-z])pin(?![a-z])")
_NAME = (
    r"(?<![a-z0-9_-])[_-]*(?:[a-z0-9]+[_-]+)*(?:pass(?:word|wort|code|phrase|wd)?|pwd|secret|token|pin"
    r"|(?:api|access|private)[ _-]?key|authori[sz]ation|bearer|(?:set-)?cookie|credentials?)"
)
_CODE = r"(?:security|verification|confirmation|login|log-in|sign-in|access|one-time|recovery|backup) codes?"
_LONG = 32
_RUN = re.compile(rf"[\w+/-]{{{_LONG},}}={{0,2}}", re.ASCII)
_MIXED = re.compile(r"(?=[^\W_]*[a-z])(?=[^\W_]*\d)[^\W_]{8,}", re.IGNORECASE | re.ASCII)


class _Kind(NamedTuple):
    """A kind of secret: a cheap test that every text with one passes, and the pattern itself."""

    perhaps: Callable[[str], bool]
    pattern: re.Pattern[str]


_KINDS = (
    _Kind(
        lambda text: "-----BEGIN" in text,
        re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)", re.DOTALL),
    ),
    _Kind(lambda text: "://" in text, re.compile(r"(?<=://)[^/\s:@]+:[^/\s@]+(?=@)")),
    _Kind(lambda text: "eyJ" in text, re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]*")),
    _Kind(
        lambda text: "-" in text or "_" in text,
        re.compile(
            r"\b(?:sk|pk|rk|whsec|gh[oprsu]|github_pat|glpat|xox[abeprs]|xapp|pypi|npm|hf|dop_v1|shpat)"
            r"[-_][\w-]{8,}"
        ),
    ),
    _Kind(lambda text: "A" in text, re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}")),
    _Kind(lambda text: "SG." in text, re.compile(r"\bSG\.[\w-]{16,}\.[\w-]{16,}")),
)
_VALUE = r"""("[^"]{0,200}"|'[^']{0,200}'|\S+)"""
_NAMED = (
    re.compile(
        rf"""({_NAME}["']?(?:\s*[=:]\s*|\s+is\s+)(?:bearer\s+|basic\s+)?){_VALUE}""",
        re.IGNORECASE,
    ),
    re.compile(rf"({_NAME}\s+)(?=\S*\d)\S+", re.IGNORECASE),
    re.compile(rf"\b({_CODE}(?:\s*[=:]\s*|\s+is:?\s+|\s+))(?=\S*\d)[\w-]+", re.IGNORECASE),
)


def redact(text: str) -> str:
    """Text with everything that looks like a password, key, token or one-time code replaced by `•••`.

    A net, not a proof: what is known to be secret must not be passed here at all.
    """
    for kind in _KINDS:
        if kind.perhaps(text):
            text = kind.pattern.sub(HIDDEN, text)
    if len(text) >= _LONG:
        text = _RUN.sub(_hidden_if_mixed, text)
    lower = text.lower()
    if any(word in lower for word in _WORDS) or ("pin" in lower and _PIN.search(lower)):
        for pattern in _NAMED:
            text = pattern.sub(rf"\1{HIDDEN}", text)
    return text


def _hidden_if_mixed(run: re.Match[str]) -> str:
    """A long run of characters is a key if letters and digits are mixed in it, and else a name or a path."""
    parts = re.split(r"[-_/+]", run.group())
    return HIDDEN if any(_MIXED.fullmatch(part) for part in parts) else run.group()


def brief(text: str, limit: int) -> str:
    """One clean line of at most about `limit` characters, without secrets, for keeping."""
    return clean_line(redact(text), limit)
