"""The brightness of a built-in screen: read from sysfs, set by logind."""

from dataclasses import dataclass
from pathlib import Path

from connectors.settings.device import DeviceError, Value
from connectors.settings.linux.bus import Bus

_LOGIND = "org.freedesktop.login1"
_SESSION_PATH = "/org/freedesktop/login1/session/auto"
_SESSION = "org.freedesktop.login1.Session"
_KINDS = ("firmware", "platform", "raw")
BACKLIGHTS = Path("/sys/class/backlight")


@dataclass(frozen=True, slots=True)
class _Backlight:
    name: str
    level: int
    highest: int


class BrightnessPart:
    """One backlight; where there are several, the one that the kernel's documentation says to prefer."""

    def __init__(self, bus: Bus, folder: Path = BACKLIGHTS) -> None:
        self._bus = bus
        self._folder = folder

    async def why_not(self) -> str:
        if self._backlight() is None:
            return "there is no built-in screen whose brightness can be set"
        async with self._bus.open() as bus:
            if not await bus.is_owned(_LOGIND):
                return f"the service {_LOGIND} is not running"
        return ""

    async def read(self) -> Value:
        found = self._found()
        return round(100 * found.level / found.highest)

    async def write(self, value: Value) -> None:
        found = self._found()
        level = max(1, round(value * found.highest / 100))
        async with self._bus.open() as bus:
            body = ["backlight", found.name, level]
            await bus.call(_LOGIND, _SESSION_PATH, _SESSION, "SetBrightness", "ssu", body)

    def _found(self) -> _Backlight:
        found = self._backlight()
        if found is None:
            raise DeviceError("there is no built-in screen whose brightness can be set")
        return found

    def _backlight(self) -> _Backlight | None:
        try:
            folders = sorted(self._folder.iterdir(), key=lambda folder: (_rank(folder), folder.name))
        except OSError:
            return None
        for folder in folders:
            try:
                level, highest = (_number(folder / name) for name in ("brightness", "max_brightness"))
            except (OSError, ValueError):
                continue
            if highest > 0:
                return _Backlight(folder.name, min(level, highest), highest)
        return None


def _rank(folder: Path) -> int:
    try:
        kind = (folder / "type").read_text("ascii").strip()
    except (OSError, ValueError):
        return len(_KINDS)
    return _KINDS.index(kind) if kind in _KINDS else len(_KINDS)


def _number(path: Path) -> int:
    return int(path.read_text("ascii"))
