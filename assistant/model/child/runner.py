"""Loads the model and answers requests, one at a time."""

from collections.abc import Callable

from assistant.model.child.answer import Answer
from assistant.model.child.loaded import Loaded
from assistant.model.child.loading import LoadError, Log, forget, load
from assistant.model.child.pipe import Pipe
from assistant.model.child.template import TemplateError
from assistant.model.wire import Count, Counted, Ended, Failed, Generate, Load, Prepare, Ready


class Runner:
    """Owns the one model of this process."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._log = Log()
        self._loaded: Loaded | None = None

    def load(self, request: Load) -> Ready | Failed:
        try:
            self._loaded = Loaded(load(request, self._log))
        except LoadError as error:
            return Failed(None, str(error))
        return self._loaded.ready()

    def generate(self, request: Generate) -> Ended | Failed:
        return self._done(request.id, lambda loaded: Answer(request, loaded, self._pipe).run())

    def prepare(self, request: Prepare) -> Ended | Failed:
        return self._done(request.id, lambda loaded: self._read_ahead(request, loaded))

    def count(self, request: Count) -> Counted | Failed:
        if self._loaded is None:
            return Failed(request.id, "no model is loaded")
        try:
            return Counted(request.id, tuple(map(self._loaded.length, request.prompts)))
        except TemplateError as error:
            return Failed(request.id, str(error))

    def _read_ahead(self, request: Prepare, loaded: Loaded) -> Ended:
        tokens = loaded.tokens(loaded.render(request.prompt))
        reused = loaded.memory.reuse(tokens)
        whole = loaded.memory.read(
            tokens, reused, lambda: self._pipe.cancelled(request.id), lambda _done: None
        )
        return Ended(request.id, "stop" if whole else "cancelled", 0)

    def _done(self, id_: int, act: Callable[[Loaded], Ended]) -> Ended | Failed:
        if self._loaded is None:
            return Failed(id_, "no model is loaded")
        try:
            return act(self._loaded)
        except TemplateError as error:
            return Failed(id_, str(error))
        except RuntimeError as error:
            # After a failed decode the library's count of tokens is wrong.
            forget(self._loaded.model)
            return Failed(id_, self._log.last or str(error))
