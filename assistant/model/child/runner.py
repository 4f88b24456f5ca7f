"""Evaluates prompts and generates answers, one request at a time."""

import codecs
import time
from collections.abc import Sequence

import llama_cpp
import numpy as np

from assistant.model.child.loading import LoadError, Log, forget, load
from assistant.model.child.picking import Drawn, Held, Likeliest, Picker
from assistant.model.child.pipe import Pipe
from assistant.model.child.template import Template, TemplateError
from assistant.model.child.vocabulary import Vocabulary
from assistant.model.constraint import Constraint
from assistant.model.wire import (
    Chat,
    Ended,
    Failed,
    Generate,
    Load,
    Opened,
    Read,
    Ready,
    Reason,
    Said,
    Second,
    Sure,
)

# A part of the prompt should take about this long, so that a cancel is heard in time.
_PART_SECONDS = 0.4
_FIRST_PART = 64
_LEAST_ROOM = 16
# Less is not worth it: read anew, a short prompt gives the same answer whatever was asked before.
_LEAST_REUSE = 32
_TAIL = 200


class Runner:
    """Owns the one model of this process."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._log = Log()
        self._loaded: _Loaded | None = None

    @property
    def loaded(self) -> bool:
        return self._loaded is not None

    def load(self, request: Load) -> Ready | Failed:
        try:
            self._loaded = _Loaded(load(request, self._log))
        except LoadError as error:
            return Failed(None, str(error))
        return self._loaded.ready()

    def generate(self, request: Generate) -> Ended | Failed:
        if self._loaded is None:
            return Failed(request.id, "no model is loaded")
        try:
            return _Answer(request, self._loaded, self._pipe).run()
        except TemplateError as error:
            return Failed(request.id, str(error))
        except RuntimeError as error:
            # After a failed decode the library's count of tokens is wrong.
            forget(self._loaded.model)
            return Failed(request.id, self._log.last or str(error))


class _Loaded:
    """A loaded model and what is known of it."""

    def __init__(self, model: llama_cpp.Llama) -> None:
        self.model = model
        self.vocabulary = Vocabulary(model)
        # Such memories cannot be cut back to a common beginning.
        self.hybrid = bool(
            llama_cpp.llama_model_is_hybrid(model.model)
            or llama_cpp.llama_model_is_recurrent(model.model)
            or llama_cpp.llama_model_n_swa(model.model) > 0
        )
        self._template: Template | None = None

    def ready(self) -> Ready:
        marks = self.vocabulary.marks()
        return Ready(self.model.n_ctx(), self.hybrid, self.vocabulary.size, marks)

    def render(self, prompt: str | Chat) -> str:
        if isinstance(prompt, str):
            return prompt
        if self._template is None:
            text = self.model.metadata.get("tokenizer.chat_template", "")
            bos, eos = self.model.token_bos(), self.model.token_eos()
            self._template = Template(text, self._name(bos), self._name(eos))
        return self._template.render(prompt)

    def tokens(self, text: str) -> list[int]:
        return list(self.model.tokenize(text.encode(), add_bos=False, special=True))

    def reuse(self, tokens: Sequence[int]) -> int:
        """Cut the memory back to what it shares with a prompt, and return how many tokens that is."""
        held = self.model.input_ids[: self.model.n_tokens]
        shortest = min(len(held), len(tokens))
        differs = np.flatnonzero(held[:shortest] != np.array(tokens[:shortest], dtype=held.dtype))
        same = int(differs[0]) if len(differs) else shortest
        keep = min(same, len(tokens) - 1)
        if keep < _LEAST_REUSE or (self.hybrid and keep < self.model.n_tokens):
            forget(self.model)
            return 0
        self.model.n_tokens = keep
        return keep

    def _name(self, token: int) -> str:
        return self.vocabulary.data(token).decode("utf-8", "replace") if token >= 0 else ""


class _Answer:
    """One request on its way."""

    def __init__(self, request: Generate, loaded: _Loaded, pipe: Pipe) -> None:
        self._request = request
        self._loaded = loaded
        self._model = loaded.model
        self._pipe = pipe
        self._count = 0
        self._weighed = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def run(self) -> Ended:
        prompt = self._loaded.render(self._request.prompt)
        tokens = self._loaded.tokens(prompt)
        if not tokens:
            raise RuntimeError("the prompt is empty")
        reused = self._loaded.reuse(tokens)
        self._pipe.send(Opened(self._request.id, prompt[-_TAIL:], len(tokens), reused))
        if len(tokens) + _LEAST_ROOM > self._model.n_ctx():
            return self._ended("full")
        if not self._read(tokens, reused):
            return self._ended("cancelled")
        picker = self._picker(prompt)
        reason = self._answer(picker)
        if reason == "stop" and isinstance(picker, Held):
            self._second(picker, prompt, len(tokens))
        return self._ended(reason)

    def _read(self, tokens: Sequence[int], done: int) -> bool:
        """Evaluate the prompt in parts; False if it was cancelled."""
        size = _FIRST_PART
        while done < len(tokens):
            if self._pipe.cancelled(self._request.id):
                return False
            began = time.monotonic()
            self._model.eval(tokens[done : done + size])
            done = min(done + size, len(tokens))
            self._pipe.send(Read(self._request.id, done, len(tokens)))
            size = _next_size(size, time.monotonic() - began, self._model.n_batch)
        return True

    def _answer(self, picker: Picker) -> Reason:
        vocabulary = self._loaded.vocabulary
        while not self._pipe.cancelled(self._request.id):
            tokens = picker.pick()
            self._weigh(picker)
            if vocabulary.ends(tokens[-1]):
                return "stop"
            for token in tokens:
                self._say(vocabulary.data(token), vocabulary.is_mark(token))
            self._count += len(tokens)
            if self._count >= self._request.most_tokens:
                return "limit"
            if self._model.n_tokens + len(tokens) > self._model.n_ctx():
                return "full"
            # The last token of an answer is never evaluated, so that a longer prompt can go on from here.
            self._model.eval(tokens)
        return "cancelled"

    def _weigh(self, picker: Picker) -> None:
        """Send how sure each line was when it ends."""
        for sure in picker.sure[self._weighed :] if isinstance(picker, Held) else ():
            self._pipe.send(Sure(self._request.id, sure))
            self._weighed += 1

    def _second(self, held: Held, prompt: str, read: int) -> None:
        """Give the answer otherwise if it is doubtful; `read` is the length of the prompt in tokens."""
        parting = [branch for branch in held.branches if branch.other is not None]
        if min(held.sure, default=1.0) >= self._request.doubt or not parting:
            return
        least = min(parting, key=lambda branch: branch.sure)
        constraint = Constraint(self._request.calls or (), prompt)
        other = Held(self._model, self._loaded.vocabulary, constraint)
        for token in held.tokens[: least.at]:
            other.follow(token)
        self._model.n_tokens = read + least.at
        tokens = [least.other or 0]
        if not self._loaded.vocabulary.ends(tokens[0]):
            tokens = other.take(tokens[0])
        while not self._loaded.vocabulary.ends(tokens[-1]):
            if self._pipe.cancelled(self._request.id) or len(other.tokens) >= self._request.most_tokens:
                return
            self._model.eval(tokens)
            tokens = other.pick()
        self._pipe.send(Second(self._request.id, other.text()))

    def _say(self, data: bytes, mark: bool) -> None:
        text = self._decoder.decode(b"" if mark else data, final=mark)
        if text:
            self._pipe.send(Said(self._request.id, text))
        if mark:
            self._pipe.send(Said(self._request.id, data.decode("utf-8", "replace"), mark=True))

    def _ended(self, reason: Reason) -> Ended:
        if rest := self._decoder.decode(b"", final=True):
            self._pipe.send(Said(self._request.id, rest))
        return Ended(self._request.id, reason, self._count)

    def _picker(self, prompt: str) -> Picker:
        request = self._request
        if request.calls is None and request.sampling.temperature > 0:
            return Drawn(self._model, self._loaded.vocabulary, request.sampling, request.seed)
        if request.calls is None:
            return Likeliest(self._model, self._loaded.vocabulary)
        return Held(self._model, self._loaded.vocabulary, Constraint(request.calls, prompt))


def _next_size(size: int, seconds: float, most: int) -> int:
    fitting = int(size * _PART_SECONDS / max(seconds, 0.001))
    return max(16, min(fitting, 4 * size, most))
