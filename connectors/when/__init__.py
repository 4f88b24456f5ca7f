"""Dates and times in plain English: understood exactly or asked about, and described in full."""

from connectors.when.answers import Unclear, When
from connectors.when.describe import describe, describe_range, describe_rule, distance
from connectors.when.lengths import duration
from connectors.when.phrases import label_for, phrase_for
from connectors.when.understand import understand

__all__ = [
    "Unclear",
    "When",
    "describe",
    "describe_range",
    "describe_rule",
    "distance",
    "duration",
    "label_for",
    "phrase_for",
    "understand",
]
