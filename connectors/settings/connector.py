"""The settings service: it reads, shows before and after, writes, and reports what is then true."""

import hashlib
from collections.abc import Mapping, Sequence

from connectors.base import (
    Call,
    Context,
    Effect,
    Field,
    Item,
    Needs,
    Notice,
    Option,
    Outcome,
    Prepared,
    Preview,
    Question,
    Resolved,
    Role,
    Tool,
    failed,
)
from connectors.clean import clean_line
from connectors.settings.config import Config
from connectors.settings.device import BOUNDS, NAMES, Device, DeviceError, Value
from connectors.settings.tools import TOOLS, Get, Set, Setting
from connectors.settings.values import meant, sentence, spelled

_CUTS_OFF = "This machine loses its network: mail, calendars on servers and remote logins stop working."


class SettingsConnector:
    """The settings of one device; what the device lacks is neither offered nor shown."""

    name = "settings"

    def __init__(self, device: Device, config: Config | None = None) -> None:
        self._device = device
        self._hidden = frozenset((config or Config()).hidden)
        self._known: Mapping[Setting, str] | None = None

    @property
    def tools(self) -> Sequence[Tool]:
        """None once it is known that this device offers nothing."""
        return TOOLS if self._known is None or self._available() else ()

    async def probe(self) -> None:
        """Find out what the device offers."""
        try:
            self._known = await self._device.probe()
        except DeviceError as error:
            self._known = dict.fromkeys(Setting, str(error))

    def notices(self) -> tuple[Notice, ...]:
        """Why nothing, or not everything, can be set here."""
        if self._known is None:
            return ()
        missing = {
            setting: why for setting, why in self._known.items() if why and setting not in self._hidden
        }
        if not missing:
            return ()
        text = (
            "Some settings are not available here." if self._available() else "No setting is available here."
        )
        details = tuple(f"{NAMES[setting]}: {clean_line(why, 200)}" for setting, why in missing.items())
        return (Notice(self.name, text, details),)

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        if self._known is None:
            await self.probe()
        try:
            if call.tool == "settings.get":
                return await self._prepare_get(call, Get.model_validate(call.arguments))
            return await self._prepare_set(call, Set.model_validate(call.arguments))
        except DeviceError as error:
            return failed(Needs.UNAVAILABLE, f"The device does not answer: {clean_line(str(error), 200)}.")

    async def perform(self, prepared: Prepared) -> Outcome:
        try:
            states = {setting: await self._device.read(setting) for setting in _settings(prepared)}
            if _basis(states) != prepared.basis:
                return failed(Needs.CONFLICT, "The setting has been changed meanwhile.")
            if prepared.call.tool == "settings.get":
                return _told(states)
            setting, wanted = next(iter(states)), prepared.payload["value"]
            assert isinstance(wanted, int)
            await self._device.write(setting, wanted)
            return self._written(
                prepared.call, setting, wanted, states[setting], await self._device.read(setting)
            )
        except DeviceError as error:
            return failed(Needs.UNAVAILABLE, f"It was not changed: {clean_line(str(error), 200)}.")

    async def _prepare_get(self, call: Call, wanted: Get) -> Prepared | Outcome:
        if wanted.setting and (missing := self._missing(wanted.setting)):
            return missing
        settings = [wanted.setting] if wanted.setting else sorted(self._available())
        states = {setting: await self._device.read(setting) for setting in settings}
        names = ", ".join(NAMES[setting] for setting in settings)
        return Prepared(
            call,
            frozenset({Effect.READ}),
            tuple(Resolved(Role.TARGET, "setting", s.value, NAMES[s]) for s in settings),
            {"settings": [setting.value for setting in settings]},
            Preview("Show how the device is set", "reads settings", (Field("Settings", names, "setting"),)),
            _basis(states),
        )

    async def _prepare_set(self, call: Call, wanted: Set) -> Prepared | Question | Outcome:
        if wanted.setting is None:
            options = tuple(Option(NAMES[s], {"setting": s.value}) for s in sorted(self._available()))
            return Question("Which setting?", options)
        if missing := self._missing(wanted.setting):
            return missing
        now = await self._device.read(wanted.setting)
        value = meant(wanted.setting, wanted.value, now) if wanted.value else None
        if value is None:
            return _which_value(wanted.setting, wanted.value)
        if value == now:
            return failed(Needs.INVALID, sentence(wanted.setting, now).replace(" is ", " is already ", 1))
        return _set(call, wanted.setting, value, now)

    def _written(self, call: Call, setting: Setting, wanted: Value, before: Value, after: Value) -> Outcome:
        if after != wanted:
            return failed(Needs.UNAVAILABLE, f"The device did not take it. {sentence(setting, after)}")
        undo = Call(f"undo-{call.id}", "settings.set", {"setting": setting.value, "value": spelled(before)})
        return Outcome(ok=True, text=sentence(setting, after), undo=undo)

    def _available(self) -> frozenset[Setting]:
        known = self._known or {}
        return frozenset(setting for setting, why in known.items() if not why) - self._hidden

    def _missing(self, setting: Setting) -> Outcome | None:
        if setting in self._available():
            return None
        why = (
            "it is hidden by your settings"
            if setting in self._hidden
            else (self._known or {}).get(setting, "")
        )
        name = NAMES[setting]
        reason = clean_line(why or "not found", 200)
        return failed(Needs.UNAVAILABLE, f"{name[0].upper()}{name[1:]} is not available here: {reason}.")


def _set(call: Call, setting: Setting, value: Value, now: Value) -> Prepared:
    name = NAMES[setting]
    title = f"Set {name} to {spelled(value)}" if setting in BOUNDS else f"Turn {name} {spelled(value)}"
    cuts_off = (setting is Setting.WIFI and not value) or (setting is Setting.AIRPLANE_MODE and bool(value))
    field = Field(f"{name[0].upper()}{name[1:]}", spelled(value), "value", before=spelled(now))
    return Prepared(
        call,
        frozenset({Effect.CONFIGURE}),
        (
            Resolved(Role.TARGET, "setting", setting.value, name),
            Resolved(Role.BOUND, "value", spelled(value), spelled(value)),
        ),
        {"settings": [setting.value], "value": value},
        Preview(title, "changes one setting", (field,), warnings=(_CUTS_OFF,) if cuts_off else ()),
        _basis({setting: now}),
        f"it can be set back to {spelled(now)}",
    )


def _which_value(setting: Setting, said: str | None) -> Question:
    heard = f"“{clean_line(said, 80)}” is not clear. " if said else ""
    if setting in BOUNDS:
        lowest, highest = BOUNDS[setting]
        return Question(
            f"{heard}To what should {NAMES[setting]} be set? ({lowest} to {highest} %)", argument="value"
        )
    options = (Option("on", {"value": "on"}), Option("off", {"value": "off"}))
    return Question(f"{heard}Should {NAMES[setting]} be on or off?", options)


def _told(states: Mapping[Setting, Value]) -> Outcome:
    if len(states) == 1:
        return Outcome(ok=True, text=sentence(*next(iter(states.items()))))
    items = tuple(Item(f"setting:{s.value}", NAMES[s], spelled(value)) for s, value in states.items())
    return Outcome(ok=True, text="This is how the device is set.", items=items)


def _settings(prepared: Prepared) -> list[Setting]:
    named = prepared.payload["settings"]
    assert isinstance(named, list)
    return [Setting(str(name)) for name in named]


def _basis(states: Mapping[Setting, Value]) -> str:
    text = ";".join(f"{setting.value}={value}" for setting, value in sorted(states.items()))
    return hashlib.sha256(text.encode()).hexdigest()
