"""The settings service: it reads, shows before and after, writes, and reports what is then true."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import TypeVar

from connectors.base import Call, Context, Needs, Notice, Outcome, Prepared, Question, Tool, failed
from connectors.clean import clean_line
from connectors.settings.config import Config
from connectors.settings.device import NAMES, Device, DeviceError, Value
from connectors.settings.risk import cuts_off
from connectors.settings.show import (
    capital,
    changed,
    digest,
    is_as_wanted,
    reading,
    setting_to,
    told,
    which_setting,
    which_value,
)
from connectors.settings.tools import TOOLS, Get, Set, Setting
from connectors.settings.values import meant, sentence

_Answer = TypeVar("_Answer")
_LIMIT = 12.0
_PATIENCE = 2.0
_PAUSE = 0.1
_SHOWN = 200


class SettingsConnector:
    """The settings of one device; what the device lacks is neither offered nor shown.

    `limit` and `patience` are in seconds: for one question to the device, and for a change to show itself.
    """

    name = "settings"

    def __init__(
        self,
        device: Device,
        config: Config | None = None,
        *,
        limit: float = _LIMIT,
        patience: float = _PATIENCE,
    ) -> None:
        self._device = device
        config = config or Config()
        self._hidden = frozenset(config.hidden)
        self._keep_seconds = config.keep_seconds
        self._limit = limit
        self._patience = patience
        self._known: Mapping[Setting, str] | None = None

    @property
    def tools(self) -> Sequence[Tool]:
        """None once it is known that this device offers nothing."""
        return TOOLS if self._known is None or self._available() else ()

    async def probe(self) -> None:
        """Find out what the device offers."""
        try:
            self._known = await self._in_time(self._device.probe())
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
        details = tuple(f"{NAMES[setting]}: {clean_line(why, _SHOWN)}" for setting, why in missing.items())
        return (Notice(self.name, text, details),)

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        """Look, never change: the preview of a look or a change, a question, or why it cannot be."""
        try:
            if call.tool == "settings.get":
                return await self._prepare_get(call, Get.model_validate(call.arguments))
            return await self._prepare_set(call, Set.model_validate(call.arguments))
        except DeviceError as error:
            return failed(error.needs, f"The device does not answer: {clean_line(str(error), _SHOWN)}.")

    async def perform(self, prepared: Prepared) -> Outcome:
        """Do what was prepared if everything stands as it did; the outcome is what is read afterwards."""
        states, silent = await self._states(_settings(prepared))
        if digest(states) != prepared.basis:
            return failed(Needs.CONFLICT, _moved(states, silent))
        if prepared.call.tool == "settings.get":
            return told(states, silent)
        setting, wanted = next(iter(states)), prepared.payload["value"]
        assert isinstance(wanted, int)
        return await self._change(prepared.call, setting, wanted, states[setting])

    async def _prepare_get(self, call: Call, wanted: Get) -> Prepared | Outcome:
        if wanted.setting and (missing := await self._missing(wanted.setting)):
            return missing
        settings = [wanted.setting] if wanted.setting else sorted(await self._offered())
        states, _ = await self._states(settings)
        return reading(call, settings, digest(states))

    async def _prepare_set(self, call: Call, wanted: Set) -> Prepared | Question | Outcome:
        setting = wanted.setting
        if setting is None:
            return which_setting(await self._offered())
        if missing := await self._missing(setting):
            return missing
        now = await self._in_time(self._device.read(setting))
        value = meant(setting, wanted.value, now) if wanted.value else None
        if value is None:
            return which_value(setting, wanted.value, self._available())
        if value == now:
            return failed(Needs.INVALID, sentence(setting, now).replace(" is ", " is already ", 1))
        risky = await self._in_time(cuts_off(self._device, setting, value))
        return setting_to(call, setting, value, now, self._keep_seconds if risky else 0)

    async def _change(self, call: Call, setting: Setting, wanted: Value, before: Value) -> Outcome:
        trouble = ""
        try:
            await self._in_time(self._device.write(setting, wanted))
        except DeviceError as error:
            trouble = clean_line(str(error), _SHOWN)
        try:
            after = await self._settled(setting, wanted, before, 0 if trouble else self._patience)
        except DeviceError as error:
            why = trouble or clean_line(str(error), _SHOWN)
            return failed(Needs.TIMEOUT, f"It is not known whether {NAMES[setting]} was changed: {why}.")
        return changed(call, setting, wanted, before, after, trouble)

    async def _settled(self, setting: Setting, wanted: Value, before: Value, patience: float) -> Value:
        """How the setting stands once it is as wanted, or when patience is over: services take their time."""
        loop = asyncio.get_running_loop()
        over = loop.time() + patience
        after = await self._in_time(self._device.read(setting))
        while not is_as_wanted(setting, wanted, before, after) and loop.time() < over:
            await asyncio.sleep(_PAUSE)
            after = await self._in_time(self._device.read(setting))
        return after

    async def _states(self, settings: Sequence[Setting]) -> tuple[dict[Setting, Value], dict[Setting, str]]:
        """How settings stand, and why some could not be read."""
        states: dict[Setting, Value] = {}
        silent: dict[Setting, str] = {}
        for setting in settings:
            try:
                states[setting] = await self._in_time(self._device.read(setting))
            except DeviceError as error:
                silent[setting] = clean_line(str(error), _SHOWN)
        return states, silent

    async def _in_time(self, question: Awaitable[_Answer]) -> _Answer:
        try:
            async with asyncio.timeout(self._limit):
                return await question
        except TimeoutError as error:
            raise DeviceError("it did not answer in time", Needs.TIMEOUT) from error

    async def _offered(self) -> frozenset[Setting]:
        if self._known is None:
            await self.probe()
        return self._available()

    def _available(self) -> frozenset[Setting]:
        known = self._known or {}
        return frozenset(setting for setting, why in known.items() if not why) - self._hidden

    async def _missing(self, setting: Setting) -> Outcome | None:
        """Why a setting cannot be used; looked at anew, for an adapter may have been plugged in."""
        name = capital(NAMES[setting])
        if setting in self._hidden:
            return failed(Needs.UNAVAILABLE, f"{name} is not available here: it is hidden by your settings.")
        if setting not in self._available():
            await self.probe()
        if setting in self._available():
            return None
        reason = clean_line((self._known or {}).get(setting, "") or "not found", _SHOWN)
        return failed(Needs.UNAVAILABLE, f"{name} is not available here: {reason}.")


def _moved(states: Mapping[Setting, Value], silent: Mapping[Setting, str]) -> str:
    now = [sentence(setting, value) for setting, value in states.items()]
    lost = [f"{capital(NAMES[setting])} could not be read: {why}." for setting, why in silent.items()]
    return " ".join(["The setting has been changed meanwhile; nothing was done.", *now, *lost])


def _settings(prepared: Prepared) -> list[Setting]:
    named = prepared.payload["settings"]
    assert isinstance(named, list)
    return [Setting(str(name)) for name in named]
