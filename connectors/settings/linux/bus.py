"""Calls over D-Bus that always end: an answer, or a DeviceError that says what is wrong."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from dbus_fast import BusType, DBusError, InvalidAddressError, Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.errors import AuthError

from connectors.base import Needs
from connectors.clean import clean_line
from connectors.settings.device import DeviceError

_PROPERTIES = "org.freedesktop.DBus.Properties"
_DAEMON = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
_GONE = ("ServiceUnknown", "NameHasNoOwner", "NoReply", "Disconnected", "Spawn.")
_FORBIDDEN = (
    "AccessDenied",
    "NotAuthorized",
    "AuthFailed",
    "InteractiveAuthorizationRequired",
    "PermissionDenied",
)
_LACKING = ("UnknownMethod", "UnknownObject", "UnknownInterface", "UnknownProperty", "InvalidArgs")
_SHOWN = 120


class Connection:
    """An open connection to a bus; every failure of a call is a DeviceError."""

    def __init__(self, bus: MessageBus) -> None:
        self._bus = bus

    async def call(
        self,
        service: str,
        path: str,
        interface: str,
        member: str,
        signature: str = "",
        body: Sequence[object] = (),
    ) -> list[object]:
        """What a method returns, variants and all."""
        message = Message(
            destination=service,
            path=path,
            interface=interface,
            member=member,
            signature=signature,
            body=list(body),
        )
        reply = await self._bus.call(message)
        if reply is None:
            raise DeviceError("the bus gave no answer")
        if reply.message_type is MessageType.ERROR:
            raise _refusal(service, reply.error_name or "", reply.body)
        return list(reply.body)

    async def get(self, service: str, path: str, interface: str, name: str) -> object:
        """A property's value without its variant."""
        found = await self.call(service, path, _PROPERTIES, "Get", "ss", [interface, name])
        return plain(found[0] if found else None)

    async def set(self, service: str, path: str, interface: str, name: str, value: Variant) -> None:
        """Ask for a property to have a value."""
        await self.call(service, path, _PROPERTIES, "Set", "ssv", [interface, name, value])

    async def is_owned(self, name: str) -> bool:
        """Whether somebody on the bus has the name now."""
        return bool((await self.call(*_DAEMON, "NameHasOwner", "s", [name]))[0])


class Bus:
    """One of the machine's buses; each use opens a connection, so that none is ever stale.

    `timeout` is in seconds, for the opening and everything done within one use.
    """

    def __init__(self, kind: BusType, timeout: float, address: str | None = None) -> None:
        self._kind = kind
        self._timeout = timeout
        self._address = address

    @property
    def address(self) -> str | None:
        """Where the bus is, or None where there is none to be found."""
        if self._address is not None:
            return self._address
        if self._kind is BusType.SYSTEM:
            return os.environ.get("DBUS_SYSTEM_BUS_ADDRESS") or "unix:path=/var/run/dbus/system_bus_socket"
        if found := os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
            return found
        socket = Path(os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}") / "bus"
        return f"unix:path={socket}" if socket.is_socket() else None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Connection]:
        """A connection for one use; raises DeviceError when there is no bus or it does not answer in time."""
        bus: MessageBus | None = None
        try:
            async with asyncio.timeout(self._timeout):
                try:
                    bus = self._made()
                    await bus.connect()
                except (OSError, EOFError, InvalidAddressError, AuthError, DBusError, ValueError) as error:
                    raise DeviceError(self._absent()) from error
                try:
                    yield Connection(bus)
                except (OSError, EOFError) as error:
                    raise DeviceError("the bus broke off") from error
        except TimeoutError as error:
            raise DeviceError("the service does not answer in time", Needs.TIMEOUT) from error
        finally:
            if bus is not None:
                bus.disconnect()

    def _made(self) -> MessageBus:
        address = self.address
        if address is None:
            raise OSError("no address")
        return MessageBus(bus_address=address, bus_type=self._kind)

    def _absent(self) -> str:
        return "there is no system bus" if self._kind is BusType.SYSTEM else "there is no desktop session"


def plain(value: object) -> object:
    """A D-Bus value without variants."""
    if isinstance(value, Variant):
        return plain(value.value)
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value


def _refusal(service: str, name: str, body: Sequence[object]) -> DeviceError:
    said = clean_line(str(body[0]), _SHOWN).rstrip(".") if body else clean_line(name, _SHOWN)
    if any(word in name for word in _FORBIDDEN):
        return DeviceError("the system does not allow it without an administrator", Needs.READ_ONLY)
    if any(word in name for word in _GONE):
        return DeviceError(f"the service {service} is not running")
    if any(word in name for word in _LACKING):
        return DeviceError(f"the service {service} cannot do that here", Needs.UNSUPPORTED)
    return DeviceError(f"the service {service} refused: {said}")
