"""One request on its way: the prompt is read, then token after token is picked and said."""

from collections.abc import Sequence
from functools import partial

from assistant.model.child.chatting import Chatting
from assistant.model.child.interrupt import Interrupted
from assistant.model.child.loaded import Loaded
from assistant.model.child.picking import Held, Picker, Scores
from assistant.model.child.pipe import Pipe
from assistant.model.child.sampling import Sampler
from assistant.model.child.voice import Voice
from assistant.model.child.watching import Watch, Why
from assistant.model.held.constraint import Constraint
from assistant.model.held.spoken import Spoken
from assistant.model.shapes import ToolShape, call_shapes
from assistant.model.wire import Chat, Closed, Ended, Generate, Opened, Read, Reason, Second, Sure

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
        self._voice = Voice(request.id, loaded.vocabulary, pipe.send)
        self._watch = Watch(request.thoughts, circles=isinstance(request.prompt, Chat))

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
        try:
            while not self._cancelled():
                if reason := self._go_on(picker):
                    return reason
        except Interrupted:
            pass
        return "cancelled"

    def _go_on(self, picker: Picker) -> Reason | None:
        """Pick, say and evaluate one token and all that must follow it; why the answer ends, if it does."""
        tokens = picker.pick()
        self._weigh(picker)
        if self._loaded.vocabulary.ends(tokens[-1]):
            return "stop"
        self._say(tokens)
        if self._count >= self._request.most_tokens:
            return "limit"
        if isinstance(picker, Chatting) and (why := self._watch.see(tokens, thinking=picker.thinking)):
            if not picker.thinking:
                return "circle"
            tokens = [*tokens, *self._close_thought(picker, why)]
        if len(tokens) > self._memory.room:
            return "full"
        # The last token of an answer is never evaluated, so that a longer prompt can go on from here.
        self._memory.extend(tokens)
        return None

    def _say(self, tokens: Sequence[int]) -> None:
        self._voice.say(tokens)
        self._count += len(tokens)

    def _close_thought(self, picker: Chatting, why: Why) -> list[int]:
        self._voice.finish()
        self._pipe.send(Closed(self._request.id, why))
        tokens = picker.close_thought()
        self._say(tokens)
        return tokens

    def _weigh(self, picker: Picker) -> None:
        """Send how sure each line was when it ends."""
        for sure in picker.sure[self._weighed :] if isinstance(picker, Held) else ():
            self._voice.catch_up()
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
        self._voice.catch_up()
        self._pipe.send(Second(self._request.id, other.text()))

    def _ended(self, reason: Reason) -> Ended:
        self._voice.finish()
        return Ended(self._request.id, reason, self._count)

    def _picker(self, prompt: str) -> Picker:
        request, loaded = self._request, self._loaded
        if request.calls is not None and request.form == "lines":
            return Held(self._model, loaded.vocabulary, Constraint(request.calls, prompt))
        thinking = prompt.rstrip().casefold().endswith("<think>")
        return Chatting(
            loaded.vocabulary,
            loaded.tokens,
            Scores(self._model, loaded.vocabulary).logits,
            Sampler(request.sampling, request.seed),
            Spoken(self._tools(), request.form, thinking=thinking),
        )

    def _tools(self) -> Sequence[ToolShape]:
        """The tools that calls are held to: those of the request, or those that its conversation lists."""
        request = self._request
        if request.calls is not None:
            return request.calls
        if request.form != "lines" and isinstance(request.prompt, Chat):
            return call_shapes(request.prompt.tools)
        return ()
