"""One request on its way: the prompt is read, then token after token is picked and said."""

import codecs
from functools import partial

from assistant.model.child.loaded import Loaded
from assistant.model.child.picking import Drawn, Held, Likeliest, Picker
from assistant.model.child.pipe import Pipe
from assistant.model.constraint import Constraint
from assistant.model.wire import Ended, Generate, Opened, Read, Reason, Said, Second, Sure

_LEAST_ROOM = 16
_TAIL = 200


class Answer:
    """One request on its way."""

    def __init__(self, request: Generate, loaded: Loaded, pipe: Pipe) -> None:
        self._request = request
        self._loaded = loaded
        self._model = loaded.model
        self._memory = loaded.memory
        self._pipe = pipe
        self._count = 0
        self._weighed = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def run(self) -> Ended:
        prompt = self._loaded.open(self._request.prompt)
        total = len(prompt.tokens)
        if not total:
            raise RuntimeError("the prompt is empty")
        fits = total + _LEAST_ROOM <= self._model.n_ctx()
        reused = self._memory.reuse(prompt) if fits else 0
        self._pipe.send(Opened(self._request.id, prompt.text[-_TAIL:], total, reused))
        if not fits:
            return self._ended("full")
        if not self._memory.read(prompt, reused, self._cancelled, partial(self._progress, total)):
            return self._ended("cancelled")
        picker = self._picker(prompt.text)
        reason = self._answer(picker)
        if reason == "stop" and isinstance(picker, Held):
            self._second(picker, prompt.text, total)
        return self._ended(reason)

    def _cancelled(self) -> bool:
        return self._pipe.cancelled(self._request.id)

    def _progress(self, total: int, done: int) -> None:
        self._pipe.send(Read(self._request.id, done, total))

    def _answer(self, picker: Picker) -> Reason:
        vocabulary = self._loaded.vocabulary
        while not self._cancelled():
            tokens = picker.pick()
            self._weigh(picker)
            if vocabulary.ends(tokens[-1]):
                return "stop"
            for token in tokens:
                self._say(vocabulary.data(token), vocabulary.is_mark(token))
            self._count += len(tokens)
            if self._count >= self._request.most_tokens:
                return "limit"
            if len(tokens) > self._memory.room:
                return "full"
            # The last token of an answer is never evaluated, so that a longer prompt can go on from here.
            self._memory.extend(tokens)
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
        self._memory.cut(read + least.at)
        tokens = [least.other or 0]
        if not self._loaded.vocabulary.ends(tokens[0]):
            tokens = other.take(tokens[0])
        while not self._loaded.vocabulary.ends(tokens[-1]):
            if self._cancelled() or len(other.tokens) >= self._request.most_tokens:
                return
            self._memory.extend(tokens)
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
