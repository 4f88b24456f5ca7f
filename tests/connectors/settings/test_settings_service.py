"""The settings service over devices that behave, refuse, lie, hang, and have nothing."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Effect, Needs, Option, Outcome, Prepared, Question, Role
from connectors.settings.config import Config
from connectors.settings.connector import SettingsConnector
from connectors.settings.device import BOUNDS, NAMES, DeviceError, Value
from connectors.settings.simulated import USUAL, SimulatedDevice
from connectors.settings.tools import Setting
from connectors.settings.values import spelled


class Stubborn(SimulatedDevice):
    """Says yes to every change and keeps everything as it is, as NetworkManager does without an adapter."""

    async def write(self, setting: Setting, value: Value) -> None:
        return


class Refusing(SimulatedDevice):
    """Refuses every change."""

    async def write(self, setting: Setting, value: Value) -> None:
        raise DeviceError("the system does not allow it\x1b[31m", Needs.READ_ONLY)


class Hanging(SimulatedDevice):
    """Never answers a change, though it makes it; or never answers at all."""

    def __init__(self, *, reads: bool) -> None:
        super().__init__()
        self._reads = reads

    async def read(self, setting: Setting) -> Value:
        if not self._reads:
            await asyncio.Event().wait()
        return await super().read(setting)

    async def write(self, setting: Setting, value: Value) -> None:
        await super().write(setting, value)
        await asyncio.Event().wait()


class Slow(SimulatedDevice):
    """Changes only when it has been looked at a few times."""

    def __init__(self) -> None:
        super().__init__()
        self._looks = 0
        self._coming: tuple[Setting, Value] | None = None

    async def read(self, setting: Setting) -> Value:
        self._looks += 1
        if self._coming and self._looks > 3:
            await super().write(*self._coming)
        return await super().read(setting)

    async def write(self, setting: Setting, value: Value) -> None:
        self._looks, self._coming = 0, (setting, value)


class Coarse(SimulatedDevice):
    """A screen with 15 steps."""

    async def write(self, setting: Setting, value: Value) -> None:
        await super().write(setting, round(round(value * 15 / 100) * 100 / 15))


class Halfway(SimulatedDevice):
    """Comes to a stop on the way, and says so."""

    async def write(self, setting: Setting, value: Value) -> None:
        await super().write(setting, 50)
        raise DeviceError("it stopped there")


class PluggedLater(SimulatedDevice):
    """Has no Wi-Fi until an adapter is plugged in."""

    plugged = False

    async def probe(self) -> Mapping[Setting, str]:
        known = dict(await super().probe())
        return known if self.plugged else known | {Setting.WIFI: "there is no adapter"}


def service(device: SimulatedDevice | None = None, **limits: float) -> SettingsConnector:
    return SettingsConnector(device or SimulatedDevice(), **limits)


async def test_a_switch_is_shown_before_and_after_done_told_and_taken_back(
    ask: Any, do: Any, undo: Any
) -> None:
    device = SimulatedDevice()
    settings = service(device)
    prepared = await ask(settings, "set", setting="wifi", value="turn it on")
    assert isinstance(prepared, Prepared)
    assert prepared.preview.title == "Turn Wi-Fi on"
    (field,) = prepared.preview.fields
    assert (field.label, field.before, field.value) == ("Wi-Fi", "off", "on")
    assert prepared.effects == {Effect.CONFIGURE}
    assert [(thing.role, thing.value) for thing in prepared.resolved] == [
        (Role.TARGET, "wifi"), (Role.BOUND, "on"),
    ]  # fmt: skip
    assert prepared.undo == "it can be set back to off"
    assert not device.online()

    done = await settings.perform(prepared)
    assert (done.ok, done.text) == (True, "Wi-Fi is on.")
    assert device.online()

    back = await undo(settings, done)
    assert (back.ok, back.text) == (True, "Wi-Fi is off.")
    assert not device.online()


async def test_a_relative_change_is_made_exact_against_what_was_read(ask: Any) -> None:
    prepared = await ask(service(), "set", setting="volume", value="a bit louder")
    assert isinstance(prepared, Prepared)
    assert prepared.preview.title == "Set the volume to 75 %"
    assert prepared.preview.fields[0].before == "70 %"
    assert prepared.payload["value"] == 75


@pytest.mark.parametrize("setting", list(Setting))
async def test_every_setting_changes_and_is_taken_back(setting: Setting, do: Any, undo: Any) -> None:
    device = SimulatedDevice()
    before = {each: await device.read(each) for each in Setting}
    wanted = spelled(55 if setting in BOUNDS else not before[setting])
    settings = service(device)
    done = await do(settings, "set", setting=setting.value, value=wanted)
    assert done.ok
    assert spelled(await device.read(setting)) == wanted
    assert (await undo(settings, done)).ok
    assert {each: await device.read(each) for each in Setting} == before


async def test_airplane_mode_gives_the_radios_back_as_they_were(do: Any) -> None:
    device = SimulatedDevice(USUAL | {Setting.WIFI: True, Setting.BLUETOOTH: False})
    settings = service(device)
    await do(settings, "set", setting="airplane_mode", value="on")
    assert not device.online()
    await do(settings, "set", setting="airplane_mode", value="off")
    assert device.online()
    assert await device.read(Setting.BLUETOOTH) is False


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [("wifi", "off", "loses its network"), ("airplane_mode", "on", "loses its network"),
     ("bluetooth", "off", "keyboards")],
)  # fmt: skip
async def test_what_cuts_a_connection_is_warned_of(ask: Any, setting: str, value: str, words: str) -> None:
    prepared = await ask(
        service(SimulatedDevice(USUAL | {Setting.WIFI: True})), "set", setting=setting, value=value
    )
    assert isinstance(prepared, Prepared)
    assert words in prepared.preview.warnings[0]
    harmless = await ask(service(), "set", setting="dark_mode", value="on")
    assert isinstance(harmless, Prepared)
    assert harmless.preview.warnings == ()


async def test_what_is_so_already_is_not_asked_for(ask: Any) -> None:
    outcome = await ask(service(), "set", setting="bluetooth", value="on")
    assert isinstance(outcome, Outcome)
    assert outcome.text == "Bluetooth is already on."


async def test_a_change_in_between_is_a_conflict_and_nothing_is_done(ask: Any) -> None:
    device = SimulatedDevice()
    settings = service(device)
    prepared = await ask(settings, "set", setting="volume", value="louder")
    await device.write(Setting.VOLUME, 20)
    outcome = await settings.perform(prepared)
    assert outcome.needs is Needs.CONFLICT
    assert "The volume is at 20 %." in outcome.text
    assert await device.read(Setting.VOLUME) == 20


async def test_success_without_effect_is_not_success(do: Any) -> None:
    outcome = await do(service(Stubborn(), patience=0.05), "set", setting="wifi", value="on")
    assert not outcome.ok
    assert outcome.undo is None
    assert outcome.text.startswith("Wi-Fi was not changed")
    assert outcome.text.endswith("Wi-Fi is still off.")


async def test_a_refusal_is_told_with_its_reason_and_the_truth(do: Any) -> None:
    outcome = await do(service(Refusing()), "set", setting="volume", value="10 %")
    assert not outcome.ok
    assert outcome.text == (
        "The volume was not changed: the system does not allow it⟨U+001B⟩[31m. The volume is still at 70 %."
    )


async def test_a_change_that_shows_late_is_waited_for(do: Any) -> None:
    assert (await do(service(Slow()), "set", setting="wifi", value="on")).ok


async def test_a_change_without_an_answer_is_judged_by_what_is_read(do: Any) -> None:
    outcome = await do(service(Hanging(reads=True), limit=0.05), "set", setting="wifi", value="on")
    assert (outcome.ok, outcome.text) == (True, "Wi-Fi is on.")


async def test_a_device_that_never_answers_is_given_up(ask: Any, do: Any) -> None:
    settings = service(Hanging(reads=False), limit=0.05)
    outcome = await ask(settings, "set", setting="wifi", value="on")
    assert isinstance(outcome, Outcome)
    assert outcome.needs is Needs.TIMEOUT
    listing = await do(settings, "get", setting="wifi")
    assert not listing.ok
    assert "could not be read" in listing.text


async def test_a_screen_with_few_steps_shows_the_nearest(do: Any) -> None:
    outcome = await do(service(Coarse()), "set", setting="brightness", value="30 %")
    assert (outcome.ok, outcome.text) == (True, "The brightness is at 27 %.")


async def test_a_change_that_stops_halfway_is_told_as_it_is_and_can_be_taken_back(do: Any) -> None:
    outcome = await do(service(Halfway()), "set", setting="volume", value="10 %")
    assert not outcome.ok
    assert outcome.text.startswith("The volume is at 50 %.")
    assert "it stopped there" in outcome.text
    assert outcome.undo is not None
    assert outcome.undo.arguments == {"setting": "volume", "value": "70 %"}


async def test_a_volume_above_full_is_set_back_to_full(ask: Any) -> None:
    prepared = await ask(
        service(SimulatedDevice({Setting.VOLUME: 130})), "set", setting="volume", value="50 %"
    )
    assert isinstance(prepared, Prepared)
    assert prepared.preview.fields[0].before == "130 %"
    assert prepared.undo == "it can be set back to 100 %"


async def test_without_a_setting_or_a_value_it_is_asked(ask: Any) -> None:
    settings = service()
    which = await ask(settings, "set", value="on")
    assert isinstance(which, Question)
    assert {option.label for option in which.options} == {NAMES[setting] for setting in Setting}
    value = await ask(settings, "set", setting="wifi")
    assert isinstance(value, Question)
    assert [option.arguments for option in value.options] == [{"value": "on"}, {"value": "off"}]
    level = await ask(settings, "set", setting="volume", value="as yesterday\x07")
    assert isinstance(level, Question)
    assert level.argument == "value"
    assert "⟨U+0007⟩" in level.text


async def test_mute_said_of_the_volume_is_asked_and_the_answer_mutes(ask: Any, do: Any) -> None:
    settings = service()
    question = await ask(settings, "set", setting="volume", value="mute")
    assert isinstance(question, Question)
    first: Option = question.options[0]
    assert first.label == "mute the sound"
    assert (await do(settings, "set", **first.arguments)).text == "Mute is on."


async def test_reading_shows_all_or_one(do: Any) -> None:
    settings = service()
    whole = await do(settings, "get")
    assert {item.label: item.detail for item in whole.items}["Wi-Fi"] == "off"
    assert len(whole.items) == len(Setting)
    assert (await do(settings, "get", setting="volume")).text == "The volume is at 70 %."


async def test_a_device_with_nothing_offers_no_tools_and_says_why(ask: Any) -> None:
    settings = service(SimulatedDevice({}))
    await settings.probe()
    assert settings.tools == ()
    (notice,) = settings.notices()
    assert notice.text == "No setting is available here."
    assert len(notice.details) == len(Setting)
    outcome = await ask(settings, "set", setting="wifi", value="on")
    assert isinstance(outcome, Outcome)
    assert outcome.text == "Wi-Fi is not available here: this device has none."


async def test_what_is_hidden_is_neither_shown_nor_set(ask: Any, do: Any) -> None:
    settings = SettingsConnector(SimulatedDevice(), Config(hidden=(Setting.WIFI,)))
    assert "Wi-Fi" not in {item.label for item in (await do(settings, "get")).items}
    outcome = await ask(settings, "set", setting="wifi", value="on")
    assert isinstance(outcome, Outcome)
    assert outcome.needs is Needs.UNAVAILABLE


async def test_an_adapter_plugged_in_later_is_found(ask: Any) -> None:
    device = PluggedLater()
    settings = service(device)
    assert isinstance(await ask(settings, "set", setting="wifi", value="on"), Outcome)
    device.plugged = True
    assert isinstance(await ask(settings, "set", setting="wifi", value="on"), Prepared)


async def test_a_device_remembers_in_its_file_and_a_broken_file_is_none(tmp_path: Path) -> None:
    file = tmp_path / "device.json"
    await SimulatedDevice(file=file).write(Setting.VOLUME, 15)
    assert await SimulatedDevice(file=file).read(Setting.VOLUME) == 15
    for broken in (b"", b"[1]", b"\xff", b'{"volume": "loud", "wifi": 1}'):
        file.write_bytes(broken)
        assert await SimulatedDevice(file=file).read(Setting.VOLUME) == 70
        assert not SimulatedDevice(file=file).online()


@pytest.mark.parametrize(
    ("setting", "value", "on_trial"),
    [
        ("wifi", "off", True),
        ("airplane_mode", "on", True),
        ("bluetooth", "off", False),
        ("dark_mode", "on", False),
        ("brightness", "5 %", False),
        ("volume", "0 %", False),
    ],
)
async def test_only_what_could_cut_the_person_off_is_on_trial(
    ask: Any, setting: str, value: str, on_trial: bool
) -> None:
    device = SimulatedDevice({**USUAL, Setting.WIFI: True})
    prepared = await ask(service(device), "set", setting=setting, value=value)
    assert (prepared.trial is not None) is on_trial
    assert ("unless you keep it" in prepared.undo) is on_trial


async def test_the_call_that_sets_it_back_restores_what_was(ask: Any, do: Any) -> None:
    settings = service(SimulatedDevice(bluetooth_input=True))
    prepared = await ask(settings, "set", setting="bluetooth", value="off")
    outcome = await settings.perform(prepared)
    assert prepared.trial.seconds == 15
    assert prepared.trial.back == outcome.undo
    assert prepared.trial.back.arguments == {"setting": "bluetooth", "value": "on"}


async def test_turning_it_on_is_not_on_trial_and_neither_is_setting_it_back(ask: Any) -> None:
    assert (await ask(service(), "set", setting="wifi", value="on")).trial is None
    assert (await ask(service(), "set", setting="bluetooth", value="off")).trial is None


async def test_how_long_the_answer_may_take_is_the_persons_to_set(ask: Any) -> None:
    device = SimulatedDevice({**USUAL, Setting.WIFI: True})
    settings = SettingsConnector(device, Config(keep_seconds=40))
    assert (await ask(settings, "set", setting="wifi", value="off")).trial.seconds == 40


class Unsure(SimulatedDevice):
    """Cannot say what hangs on its Bluetooth."""

    async def has_bluetooth_input(self) -> bool:
        raise DeviceError("the bus broke off")


async def test_what_cannot_be_found_out_counts_as_a_risk(ask: Any) -> None:
    assert (await ask(service(Unsure()), "set", setting="bluetooth", value="off")).trial is not None
