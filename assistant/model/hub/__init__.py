"""Fetches models from a hub that speaks like huggingface.co: what it lists, then the file itself, checked."""

import os

# huggingface_hub reads these when it is first used: it tells nothing about this machine, draws nothing, takes
# no token that it was not given, and never shows one in its log.
for _name, _value in (
    ("HF_HUB_DISABLE_TELEMETRY", "1"),
    ("HF_HUB_DISABLE_UPDATE_CHECK", "1"),
    ("HF_HUB_DISABLE_PROGRESS_BARS", "1"),
    ("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1"),
    ("HF_HUB_VERBOSITY", "critical"),
    ("HF_DEBUG", "0"),
):
    os.environ[_name] = _value
