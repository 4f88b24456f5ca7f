"""The models that can be measured: what is installed, a file, the untuned base, and the anchors."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from assistant.evals.agents import KEYWORDS, NOTHING, ORACLE, Nothing, Oracle
from assistant.evals.keywords import Keywords
from assistant.evals.library import Entry
from assistant.evals.meter import MeteredModel
from assistant.evals.untuned import UNTUNED, ListedToolsDialect, untuned
from assistant.model.base import Model, ModelUnusable
from assistant.model.dialects.choice import dialect_for
from assistant.model.host.engine import Engine
from assistant.model.local import LocalModel
from assistant.model.shelf.catalogue import find
from assistant.model.starter import starter_spec
from assistant.model.wire import Ended, Event, Opened

ANCHORS = (ORACLE, NOTHING, KEYWORDS)
Clock = Callable[[], datetime]


class Tally:
    """Counts the tokens that a model reads anew and writes."""

    def __init__(self) -> None:
        self._tokens = 0

    def hear(self, event: Event) -> None:
        if isinstance(event, Opened):
            self._tokens += event.tokens - event.reused
        elif isinstance(event, Ended):
            self._tokens += event.tokens

    def total(self) -> int:
        return self._tokens


class Contestant:
    """One model under its name, loaded once; the oracle is another for every scenario."""

    def __init__(self, name: str, model: MeteredModel | None) -> None:
        self.name = name
        self._model = model

    def for_scenario(self, entry: Entry) -> MeteredModel:
        return self._model or MeteredModel(Oracle(entry.scenario))

    def for_goals(self) -> MeteredModel:
        """The model to ask single goals. Raises ModelUnusable for the oracle, which knows scenarios only."""
        if self._model is None:
            raise ModelUnusable(
                "The oracle knows the answers of scenarios only, so it cannot be asked goals."
            )
        return self._model

    async def close(self) -> None:
        if self._model:
            await self._model.close()


def contestant(name: str, cache: Path, clock: Clock, threads: int | None = None) -> Contestant:
    """A model by its name: an anchor, `smollm2`, an installed model, or a GGUF file. Raises ModelUnusable."""
    anchors: dict[str, Callable[[], Model]] = {NOTHING: Nothing, KEYWORDS: Keywords}
    if name == ORACLE:
        return Contestant(name, None)
    if name in anchors:
        return Contestant(name, MeteredModel(anchors[name]()))
    spec = untuned(starter_spec(cache)) if name == UNTUNED else find(cache, name)
    dialect = ListedToolsDialect(clock) if name == UNTUNED else dialect_for(spec, clock)
    tally = Tally()
    model = LocalModel(spec, Engine(spec, threads=threads), dialect, tally.hear)
    return Contestant(name, MeteredModel(model, tally.total))
