"""What cuts a person off is set back over a real bus, whatever they do."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from dbus_fast import Variant

from connectors.base import Call, Context, Outcome, Prepared, Question
from connectors.settings.connector import SettingsConnector
from connectors.settings.linux import LinuxDevice
from permissions.gate import Gate
from permissions.grants import GrantBook
from permissions.journal import Journal
from permissions.provenance import Provenance
from permissions.words import GoalRef, Refused
from tests.permissions.fakes import NOW, ZONE, yes

NETWORK, NETWORK_PATH = "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager"
BLUEZ, ADAPTER_PATH, ADAPTER = "org.bluez", "/org/bluez/hci0", "org.bluez.Adapter1"
KEYBOARD = "/org/bluez/hci0/dev_00_11_22_33_44_55"


async def turned_off(mocks: Any, folder: Path, setting: str, *, keep: bool) -> tuple[Outcome, list[Question]]:
    """Turn a setting off with a yes, and answer whether it is kept."""
    asked: list[Question] = []

    async def ask(question: Question) -> bool:
        asked.append(question)
        return keep

    device = LinuxDevice(system_bus=mocks.address, session_bus=f"unix:path={folder}/nobody")
    journal = Journal(folder / "journal.db", lambda: NOW)
    gate = Gate([SettingsConnector(device)], journal, GrantBook(), lambda: NOW)
    call = gate.make_call("settings.set", {"setting": setting, "value": "off"})
    assert isinstance(call, Call)
    prepared = await gate.prepare(call, Context(NOW, ZONE))
    assert isinstance(prepared, Prepared), prepared
    request = gate.request(prepared, Provenance(), GoalRef("g", f"turn off {setting}"))
    ticket = gate.settle(request, yes(request))
    assert not isinstance(ticket, Refused), ticket
    outcome = await gate.perform(ticket, ask)
    journal.close()
    return outcome, asked


@pytest.mark.parametrize("keep", [True, False])
async def test_wifi(mocks: Any, tmp_path: Path, keep: bool) -> None:
    await asyncio.to_thread(mocks.mock, NETWORK, "--template", "networkmanager")
    await mocks.tell(NETWORK, NETWORK_PATH, "AddWiFiDevice", "ssu", ["d0", "wlan0", 100])
    outcome, asked = await turned_off(mocks, tmp_path, "wifi", keep=keep)
    assert len(asked) == 1
    assert outcome.ok is keep
    assert await mocks.get(NETWORK, NETWORK_PATH, NETWORK, "WirelessEnabled") is not keep


@pytest.mark.parametrize("connected", [True, False])
async def test_bluetooth_with_a_keyboard_on_it(mocks: Any, tmp_path: Path, connected: bool) -> None:
    await asyncio.to_thread(mocks.mock, BLUEZ, "--template", "bluez5")
    async with mocks.bus.open() as bus:
        await bus.call(BLUEZ, "/org/bluez", "org.bluez.Mock", "AddAdapter", "ss", ["hci0", "laptop"])
        body = ["hci0", "00:11:22:33:44:55", "My keyboard"]
        await bus.call(BLUEZ, "/org/bluez", "org.bluez.Mock", "AddDevice", "sss", body)
    powered = [ADAPTER, {"Powered": Variant("b", True)}]
    await mocks.tell(BLUEZ, ADAPTER_PATH, "UpdateProperties", "sa{sv}", powered)
    there = {"Connected": Variant("b", connected), "Icon": Variant("s", "input-keyboard")}
    await mocks.tell(BLUEZ, KEYBOARD, "UpdateProperties", "sa{sv}", ["org.bluez.Device1", there])
    outcome, asked = await turned_off(mocks, tmp_path, "bluetooth", keep=False)
    assert bool(asked) is connected
    assert outcome.ok is not connected
    assert await mocks.get(BLUEZ, ADAPTER_PATH, ADAPTER, "Powered") is connected
