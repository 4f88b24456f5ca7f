"""A device made of parts, each of which is read and changed by commands; what has no part is not offered."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from connectors.base import Needs
from connectors.settings.commands.run import Result, Run
from connectors.settings.device import DeviceError, Value
from connectors.settings.tools import Setting


class Part(Protocol):
    """One setting by commands; the methods raise DeviceError, and what can be read can be offered."""

    async def read(self, run: Run) -> Value: ...

    async def write(self, run: Run, value: Value) -> None: ...


@dataclass(frozen=True, slots=True)
class Plain:
    """A setting with one command to read it, what that says, and one command to set it."""

    reading: Sequence[str]
    value: Callable[[Result], Value]
    setting: Callable[[Value], Sequence[str]]

    async def read(self, run: Run) -> Value:
        return self.value(await run(self.reading))

    async def write(self, run: Run, value: Value) -> None:
        (await run(self.setting(value))).good()


class CommandDevice:
    """`missing` says of every setting that has no part why that is so."""

    def __init__(self, parts: Mapping[Setting, Part], missing: Mapping[Setting, str], run: Run) -> None:
        self._parts = parts
        self._missing = missing
        self._run = run

    async def probe(self) -> Mapping[Setting, str]:
        found = await asyncio.gather(*(self._why_not(setting) for setting in Setting))
        return dict(zip(Setting, found, strict=True))

    async def read(self, setting: Setting) -> Value:
        return await self._part(setting).read(self._run)

    async def write(self, setting: Setting, value: Value) -> None:
        await self._part(setting).write(self._run, value)

    def _part(self, setting: Setting) -> Part:
        part = self._parts.get(setting)
        if part is None:
            raise DeviceError(
                self._missing.get(setting, "this system has no command for it"), Needs.UNSUPPORTED
            )
        return part

    async def _why_not(self, setting: Setting) -> str:
        try:
            await self.read(setting)
        except DeviceError as error:
            return str(error)
        return ""
