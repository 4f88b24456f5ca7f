"""One model in a process of its own: started, loaded, listened to, and ended."""

import asyncio
from collections.abc import Callable, Sequence

from assistant.model.base import ModelLost, ModelUnusable
from assistant.model.capacity.footprint import need_memory
from assistant.model.host.process import Patience, Process, Silent
from assistant.model.spec import ModelSpec
from assistant.model.wire import Event, Failed, Load, Ready, Request

_LOADING = Patience(silence=120, work=600)


class Hosted:
    """A model that runs or does not; `load` brings it to run. Raises ModelUnusable and ModelLost."""

    def __init__(
        self,
        spec: ModelSpec,
        threads: int,
        patience: Patience,
        free: Callable[[], int | None],
        command: Sequence[str],
    ) -> None:
        self._spec = spec
        self._threads = threads
        self._patience = patience
        self._free = free
        self._command = command
        self._process: Process | None = None
        self._ready: Ready | None = None
        self._plain = False

    @property
    def ready(self) -> Ready | None:
        """What the loaded model said of itself; None while none is loaded."""
        return self._ready if self._process and not self._process.ended else None

    @property
    def plain(self) -> bool:
        """True if the model runs without the processor's special instructions, because with them it died."""
        return self._plain

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process and not self._process.ended else None

    def send(self, request: Request) -> None:
        """Send a request to the process. Raises ModelLost if there is none."""
        self._running().send(request)

    async def receive(self) -> Event:
        """The next event; ModelLost if the process ended or hangs."""
        return await self._receive(self._running(), self._patience)

    async def load(self, states: str | None) -> Ready:
        """Load the model if it is not loaded; `states` is the folder that it may keep states in."""
        if self.ready:
            return self.ready
        await self.end()
        await asyncio.to_thread(need_memory, self._spec, self._free())
        try:
            return await self._load_once(states)
        except ModelLost:
            if self._plain:
                raise
        # On some processors some builds of llama.cpp die at the first computation; there is a plainer way.
        self._plain = True
        try:
            return await self._load_once(states)
        except ModelLost as error:
            self._plain = False
            raise ModelUnusable(f"{self._spec.title} cannot be loaded. {error}") from error

    async def end(self) -> None:
        """End the process; `load` starts a new one."""
        process, self._process = self._process, None
        self._ready = None
        if process:
            await process.kill()

    def _running(self) -> Process:
        if self._process is None:
            raise ModelLost(f"{self._spec.title} was closed in the middle.")
        return self._process

    async def _load_once(self, states: str | None) -> Ready:
        self._process = await self._start()
        self._process.send(
            Load(
                path=str(self._spec.path.absolute()),
                adapter=str(self._spec.adapter.absolute()) if self._spec.adapter else None,
                context=self._spec.context,
                threads=self._threads,
                plain=self._plain,
                states=states,
            )
        )
        match await self._receive(self._process, _LOADING):
            case Ready() as ready:
                self._ready = ready
                return ready
            case Failed(text=text):
                await self.end()
                raise ModelUnusable(f"{self._spec.title} cannot be loaded: {text}.")
            case other:
                await self.end()
                raise ModelLost(f"{self._spec.title} gave {type(other).__name__} instead of being ready.")

    async def _start(self) -> Process:
        try:
            return await Process.start(self._command)
        except OSError as error:
            raise ModelUnusable(f"The model's process cannot be started ({error.strerror}).") from error

    async def _receive(self, process: Process, patience: Patience) -> Event:
        """The next event; ModelLost if the process ended or hangs."""
        try:
            event = await process.hear(patience)
        except Silent as silent:
            await self.end()
            raise ModelLost(f"{self._spec.title} {silent} and was ended.") from None
        if event is None:
            words = await process.last_words()
            await self.end()
            raise ModelLost(f"{self._spec.title} stopped in the middle: {words}.")
        return event
