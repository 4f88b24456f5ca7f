"""What is shown and asked about settings: previews, questions, and what came of a change."""

import hashlib
from collections.abc import Iterable, Mapping

from connectors.base import (
    Call,
    Effect,
    Field,
    Item,
    Needs,
    Option,
    Outcome,
    Prepared,
    Preview,
    Question,
    Resolved,
    Role,
    Trial,
    failed,
)
from connectors.clean import clean_line
from connectors.settings.device import BOUNDS, NAMES, Value
from connectors.settings.tools import Setting
from connectors.settings.values import sentence, silences, spelled

_CUTS_OFF = "This machine loses its network: mail, calendars on servers and remote logins stop working."
_WARNINGS: Mapping[tuple[Setting, bool], str] = {
    (Setting.WIFI, False): _CUTS_OFF,
    (Setting.AIRPLANE_MODE, True): f"{_CUTS_OFF} Bluetooth goes off too.",
    (Setting.BLUETOOTH, False): "Bluetooth keyboards, mice and headphones stop working.",
}
# A screen has few steps on some machines, and shows the nearest; a mixer takes what it is given.
_ROUNDING = {Setting.BRIGHTNESS: 8, Setting.VOLUME: 1}


def capital(text: str) -> str:
    """The text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def reading(call: Call, settings: Iterable[Setting], basis: str) -> Prepared:
    """The preview of a look at settings."""
    settings = tuple(settings)
    names = ", ".join(NAMES[setting] for setting in settings)
    return Prepared(
        call,
        frozenset({Effect.READ}),
        tuple(Resolved(Role.TARGET, "setting", s.value, NAMES[s]) for s in settings),
        {"settings": [setting.value for setting in settings]},
        Preview("Show how the device is set", "reads settings", (Field("Settings", names, "setting"),)),
        basis,
    )


def setting_to(call: Call, setting: Setting, value: Value, now: Value, on_trial: float = 0) -> Prepared:
    """The preview of a change, from how it is now to how it would be.

    With `on_trial` it is set back after so many seconds, unless the person keeps it.
    """
    name, before = NAMES[setting], spelled(_settable(setting, now))
    title = f"Set {name} to {spelled(value)}" if setting in BOUNDS else f"Turn {name} {spelled(value)}"
    warning = None if setting in BOUNDS else _WARNINGS.get((setting, bool(value)))
    field = Field(capital(name), spelled(value), "value", before=spelled(now))
    return Prepared(
        call,
        frozenset({Effect.CONFIGURE}),
        (
            Resolved(Role.TARGET, "setting", setting.value, name),
            Resolved(Role.BOUND, "value", spelled(value), spelled(value)),
        ),
        {"settings": [setting.value], "value": value},
        Preview(title, "changes one setting", (field,), warnings=(warning,) if warning else ()),
        digest({setting: now}),
        f"it is set back to {before} by itself after {on_trial:g} seconds, unless you keep it"
        if on_trial
        else f"it can be set back to {before}",
        trial=Trial(back_to(call, setting, now), on_trial) if on_trial else None,
    )


def back_to(call: Call, setting: Setting, before: Value) -> Call:
    """The call that takes a change back."""
    value = spelled(_settable(setting, before))
    return Call(f"undo-{call.id}", "settings.set", {"setting": setting.value, "value": value})


def which_setting(settings: Iterable[Setting]) -> Question:
    """The question for a call that names no setting."""
    return Question("Which setting?", tuple(Option(NAMES[s], {"setting": s.value}) for s in sorted(settings)))


def which_value(setting: Setting, said: str | None, available: frozenset[Setting]) -> Question:
    """The question for a value that is missing or not clear."""
    heard = f"“{clean_line(said, 80)}” is not clear. " if said else ""
    if (
        setting is Setting.VOLUME
        and Setting.MUTE in available
        and (silent := silences(said or "")) is not None
    ):
        mute = Option("mute the sound" if silent else "unmute the sound", {
            "setting": Setting.MUTE.value, "value": spelled(silent),
        })  # fmt: skip
        return Question(f"{heard}Mute, or another volume?", (mute, *_percentages(setting)), argument="value")
    if setting in BOUNDS:
        lowest, highest = BOUNDS[setting]
        text = f"{heard}To what should {NAMES[setting]} be set? ({lowest} to {highest} %)"
        return Question(text, _percentages(setting), argument="value")
    options = (Option("on", {"value": "on"}), Option("off", {"value": "off"}))
    return Question(f"{heard}Should {NAMES[setting]} be on or off?", options)


def told(states: Mapping[Setting, Value], silent: Mapping[Setting, str]) -> Outcome:
    """How settings stand, and which of them could not be read."""
    lost = [f"{capital(NAMES[setting])} could not be read: {why}." for setting, why in silent.items()]
    if not states:
        return failed(Needs.UNAVAILABLE, " ".join(lost) or "There is nothing to read.")
    if len(states) == 1 and not lost:
        return Outcome(ok=True, text=sentence(*next(iter(states.items()))))
    items = tuple(Item(f"setting:{s.value}", NAMES[s], spelled(value)) for s, value in states.items())
    return Outcome(ok=True, text=" ".join(["This is how the device is set.", *lost]), items=items)


def changed(
    call: Call, setting: Setting, wanted: Value, before: Value, after: Value, trouble: str
) -> Outcome:
    """What is true after a change was asked for; `trouble` is what the device said against it."""
    undo = back_to(call, setting, before)
    if is_as_wanted(setting, wanted, before, after):
        return Outcome(ok=True, text=sentence(setting, after), undo=undo)
    reason = f": {trouble}" if trouble else ", although the device said nothing against it"
    if after == before:
        text = f"{capital(NAMES[setting])} was not changed{reason}. {still(setting, after)}"
        return failed(Needs.UNAVAILABLE, text)
    text = f"{sentence(setting, after)} It is not what was asked for ({spelled(wanted)}){reason}."
    return Outcome(ok=False, text=text, needs=Needs.UNAVAILABLE, undo=undo)


def is_as_wanted(setting: Setting, wanted: Value, before: Value, after: Value) -> bool:
    """Whether a setting stands as asked for, or as near to it as a device with few steps can."""
    if setting not in BOUNDS:
        return after == wanted
    return abs(after - wanted) <= _ROUNDING[setting] and (after != before or after == wanted)


def still(setting: Setting, value: Value) -> str:
    """What has not changed, as a sentence."""
    return sentence(setting, value).replace(" is ", " is still ", 1)


def digest(states: Mapping[Setting, Value]) -> str:
    """A digest of how settings stand."""
    text = ";".join(f"{setting.value}={value}" for setting, value in sorted(states.items()))
    return hashlib.sha256(text.encode()).hexdigest()


def _percentages(setting: Setting) -> tuple[Option, ...]:
    lowest, highest = BOUNDS[setting]
    return tuple(Option(f"{p} %", {"value": f"{p} %"}) for p in (lowest, 25, 50, 75, highest))


def _settable(setting: Setting, value: Value) -> Value:
    """The nearest value that may be set: a mixer can stand above 100 %, but is not put there."""
    if setting not in BOUNDS:
        return value
    lowest, highest = BOUNDS[setting]
    return min(max(value, lowest), highest)
