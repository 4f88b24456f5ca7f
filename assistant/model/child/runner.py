"""Loads the model and answers requests, one at a time."""

import contextlib
from collections.abc import Callable
from pathlib import Path

from assistant.model.child.answer import Answer
from assistant.model.child.interrupt import Interrupt, Interrupted
from assistant.model.child.loaded import Loaded
from assistant.model.child.loading import LoadError, Log, load
from assistant.model.child.maker import maker
from assistant.model.child.memory import Memory
from assistant.model.child.pipe import Pipe
from assistant.model.child.states import Beginnings
from assistant.model.child.template import TemplateError
from assistant.model.wire import Chat, Count, Counted, Ended, Failed, Generate, Load, Prepare, Ready

# Reading ahead gives way to a request after such a part.
_PART_SECONDS = 0.2


class Runner:
    """Owns the one model of this process."""

    def __init__(self, pipe: Pipe, interrupt: Interrupt) -> None:
        self._pipe = pipe
        self._interrupt = interrupt
        self._log = Log(lambda: interrupt.raised)
        self._loaded: Loaded | None = None

    def load(self, request: Load) -> Ready | Failed:
        try:
            model = load(request, self._log)
        except LoadError as error:
            return Failed(None, str(error))
        self._interrupt.watch(model)
        self._loaded = Loaded(model, Memory(model, self._interrupt, _beginnings(request)))
        return self._loaded.ready()

    def generate(self, request: Generate) -> Ended | Failed:
        return self._done(request.id, lambda loaded: self._answer(request, loaded))

    def prepare(self, request: Prepare) -> Ended | Failed:
        return self._done(request.id, lambda loaded: self._read_ahead(request, loaded))

    def count(self, request: Count) -> Counted | Failed:
        if self._loaded is None:
            return Failed(request.id, "no model is loaded")
        try:
            return Counted(request.id, tuple(map(self._loaded.length, request.prompts)))
        except TemplateError as error:
            return Failed(request.id, str(error))

    def rest(self) -> None:
        """Do what can wait until nobody waits for an answer."""
        if self._loaded:
            self._loaded.memory.keep_beginning()

    def _answer(self, request: Generate, loaded: Loaded) -> Ended:
        ended = Answer(request, loaded, self._pipe).run()
        # What was given a second time, otherwise, does not end as the answer did.
        if ended.reason == "stop" and isinstance(request.prompt, Chat) and not request.doubt:
            loaded.let_stand(request.prompt)
        return ended

    def _read_ahead(self, request: Prepare, loaded: Loaded) -> Ended:
        if self._pipe.more:
            return Ended(request.id, "cancelled", 0)
        prompt = loaded.ahead(request.prompt)
        if not prompt.tokens or len(prompt.tokens) >= loaded.model.n_ctx():
            return Ended(request.id, "full", 0)
        if loaded.memory.reaches(prompt):
            return Ended(request.id, "stop", 0)
        done = loaded.memory.reuse(prompt, leave=0)
        whole = loaded.memory.read(prompt, done, lambda: self._gives_way(request), _ignore, _PART_SECONDS)
        return Ended(request.id, "stop" if whole else "cancelled", 0)

    def _gives_way(self, request: Prepare) -> bool:
        return self._pipe.more or self._pipe.cancelled(request.id)

    def _done(self, id_: int, act: Callable[[Loaded], Ended]) -> Ended | Failed:
        if self._loaded is None:
            return Failed(id_, "no model is loaded")
        try:
            return act(self._loaded)
        except Interrupted:
            return Ended(id_, "cancelled", 0)
        except TemplateError as error:
            return Failed(id_, str(error))
        except RuntimeError as error:
            self._loaded.memory.forget()
            return Failed(id_, self._log.last or str(error))


def _beginnings(request: Load) -> Beginnings | None:
    if request.states is None:
        return None
    with contextlib.suppress(OSError):
        return Beginnings(Path(request.states), maker(request))
    return None


def _ignore(_done: int) -> None:
    """Nobody waits for this to be read."""
