"""What one setting of a Linux machine is made of."""

from typing import Protocol

from connectors.settings.device import Value


class Part(Protocol):
    """One setting; every method may raise DeviceError."""

    async def why_not(self) -> str:
        """Why the setting cannot be used here, as a plain clause; empty when it can."""
        ...

    async def read(self) -> Value: ...

    async def write(self, value: Value) -> None: ...
