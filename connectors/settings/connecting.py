"""Shows what the device offers, and lets a person say what of it is left alone, in settings.toml."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

from connectors.asking import Asker, GivenUp, may_change
from connectors.clean import clean_line
from connectors.config import load
from connectors.settings.config import Config
from connectors.settings.device import NAMES, Device, DeviceError
from connectors.written import text_of, with_values, write_settings

_SHOWN = 200
_NEW_FILE = "# What Askfirst may set on this device.\n"


def connect_settings(
    person: Asker, path: Path, device_of: Callable[[Config], Device], *, only_show: bool = False
) -> str:
    """Ask what of the device may be used, and put it into the settings at `path`; returns the lines written.

    Needs a thread without an event loop. With `only_show` nothing is written. Raises GivenUp, OSError, and
    ConfigError where the settings that are there cannot be read.
    """
    before = load(path, Config)
    try:
        known = asyncio.run(device_of(before).probe())
    except DeviceError as error:
        known = dict.fromkeys(NAMES, str(error))
    for setting, why in known.items():
        if why:
            person.say(f"Not here: {NAMES[setting]} ({clean_line(why, _SHOWN)})")
    there = [setting for setting, why in known.items() if not why]
    if not there:
        person.say("This device offers nothing that could be set.")
        raise GivenUp
    shown = [NAMES[each] + (" (left alone now)" if each in before.hidden else "") for each in there]
    picked = person.pick("Which of these are to be left alone? Numbers, or nothing for none:", shown)
    if picked is None:
        raise GivenUp
    hidden = json.dumps([there[place].value for place in sorted(picked)])
    mode = may_change(person, "the others")
    values = {
        "mode": f'"{mode.value}"  # off, read-only or full',
        "hidden": f"{hidden}  # neither shown nor changed",
    }
    if not only_show:
        person.begin_writing()
        write_settings(path, with_values(text_of(path, _NEW_FILE), values), Config)
    return "".join(f"{key} = {value}\n" for key, value in values.items())
