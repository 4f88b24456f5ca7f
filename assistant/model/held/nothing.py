"""Tells the values that readers take for no value at all."""

_NOTHING = ("none", "null")


def is_nothing(text: str) -> bool:
    """True for blank, `None` and `null`, in any case."""
    return text.strip().casefold() in ("", *_NOTHING)


def may_be_nothing(text: str) -> bool:
    """True if the text could go on to be no value."""
    plain = text.strip().casefold()
    return any(word.startswith(plain) for word in _NOTHING)
