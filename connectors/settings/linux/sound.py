"""Volume and mute of the default output, by PulseAudio or PipeWire's stand-in for it."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import TypeVar, cast

from connectors.base import Needs
from connectors.settings.device import DeviceError, Value

try:
    import pulsectl
except (ImportError, OSError):  # pulsectl loads libpulse as it is imported, which a machine may lack
    pulsectl = None

Answer = TypeVar("Answer")
_CLIENT = "askfirst"
_DUMMY = "auto_null"
_FULL = 100


class Mixer:
    """The default output of a sound server; `server` is its address, None for the usual one.

    `timeout` is in seconds, for each use. libpulse blocks, with no limit of its own, so each use runs in a
    thread that is left behind when the server does not answer.
    """

    def __init__(self, timeout: float, server: str | None = None) -> None:
        self._timeout = timeout
        self._server = server

    async def why_not(self) -> str:
        if pulsectl is None:
            return "the sound library libpulse is missing"
        return await self.use(lambda pulse, sink: "" if sink.name != _DUMMY else "there is no sound output")

    async def use(self, work: "Callable[[pulsectl.Pulse, pulsectl.PulseSinkInfo], Answer]") -> Answer:
        """Do something with the server and its default output. Raises DeviceError."""
        if pulsectl is None:
            raise DeviceError("the sound library libpulse is missing")
        try:
            async with asyncio.timeout(self._timeout):
                return await _in_thread(lambda: self._blocking(work))
        except TimeoutError as error:
            raise DeviceError("the sound server does not answer in time", Needs.TIMEOUT) from error

    def _blocking(self, work: "Callable[[pulsectl.Pulse, pulsectl.PulseSinkInfo], Answer]") -> Answer:
        pulse = pulsectl.Pulse(_CLIENT, server=self._server, connect=False)
        try:
            # Without its own timeout, which is always waited for in full.
            pulse.connect(autospawn=False)
            name = pulse.server_info().default_sink_name
            return work(pulse, pulse.get_sink_by_name(name))
        except pulsectl.PulseIndexError as error:
            raise DeviceError("there is no sound output") from error
        except pulsectl.PulseError as error:
            raise DeviceError("the sound server is not running") from error
        finally:
            pulse.close()


async def _in_thread(work: Callable[[], Answer]) -> Answer:
    """Like `asyncio.to_thread`, but a thread that never ends keeps neither the loop nor the program alive."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Answer] = loop.create_future()

    def settle(answer: Answer | None, error: Exception | None) -> None:
        if done.done():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(cast(Answer, answer))

    def run() -> None:
        answer: Answer | None = None
        error: Exception | None = None
        try:
            answer = work()
        except Exception as raised:  # carried over to whoever waits
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop may be gone by now
            loop.call_soon_threadsafe(settle, answer, error)

    threading.Thread(target=run, name="askfirst-sound", daemon=True).start()
    return await done


class VolumePart:
    """The volume of the default output, all channels alike; what is set is at most 100 %."""

    def __init__(self, mixer: Mixer) -> None:
        self._mixer = mixer

    async def why_not(self) -> str:
        return await self._mixer.why_not()

    async def read(self) -> Value:
        return await self._mixer.use(lambda pulse, sink: round(_FULL * pulse.volume_get_all_chans(sink)))

    async def write(self, value: Value) -> None:
        share = min(max(int(value), 0), _FULL) / _FULL
        await self._mixer.use(lambda pulse, sink: pulse.volume_set_all_chans(sink, share))


class MutePart:
    """Whether the default output is silent."""

    def __init__(self, mixer: Mixer) -> None:
        self._mixer = mixer

    async def why_not(self) -> str:
        return await self._mixer.why_not()

    async def read(self) -> Value:
        return await self._mixer.use(lambda _pulse, sink: bool(sink.mute))

    async def write(self, value: Value) -> None:
        await self._mixer.use(lambda pulse, sink: pulse.mute(sink, bool(value)))
