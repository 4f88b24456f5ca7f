"""The front end on a plain terminal: the same prompts as the app, and the same letters, in lines of text."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, runtime_checkable

from pydantic import JsonValue

from assistant.events import (
    CallAllowed,
    CallDenied,
    CallFinished,
    Event,
    ModelNoted,
    PlanChanged,
    RepairOffered,
    StepState,
    TextStreamed,
    TurnEnded,
)
from assistant.frontend import Answer
from connectors.base import Outcome, Question
from connectors.clean import clean
from permissions.toolbox import fitted
from permissions.words import Ban, Decision, Key, Offer, Reply, Request, Scope
from tui import plain
from tui.line_batch import AskedTogether, together
from tui.prompt import words
from tui.prompt.values import NotAValue, as_text, editable, from_written, hint

_ITEMS = 40
_SCOPES = {key: scope for scope, (key, _) in words.SCOPES.items()}
_STOP = Decision(Reply.STOP)


class Terminal(Protocol):
    """Where lines go and come from; `read` gives None when nobody can answer any more."""

    def write(self, text: str) -> None: ...

    def read(self, prompt: str) -> str | None: ...


@runtime_checkable
class Hasty(Protocol):
    """A terminal that can wait for a line no longer than so many seconds; None where none came.

    Nor does it wait once nobody wants the line any more.
    """

    def read_within(self, prompt: str, seconds: float, unwanted: Callable[[], bool]) -> str | None: ...


class LineFront:
    """Asks on the terminal; an empty line is never a yes, and the end of input stops the goal."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._planned: tuple[str, ...] = ()
        self._line = ""
        self.ended: TurnEnded | None = None

    async def show(self, event: Event) -> None:
        if isinstance(event, TextStreamed):
            self._stream(event.text)
            return
        self._end_line()
        match event:
            case PlanChanged(steps=steps):
                self._plan(tuple(step.words for step in steps))
            case ModelNoted(text=text):
                self._terminal.write(f"  {text}")
            case CallAllowed(title=title, rule=rule):
                self._terminal.write(f"  allowed by {rule}: {title}")
            case CallFinished(outcome=outcome):
                self._say(_outcome(outcome))
            case CallDenied(title=title):
                self._terminal.write(f"  {_sign(StepState.DENIED)} not done: {title}")
            case RepairOffered(text=text):
                self._terminal.write(f"  {text}")
            case TurnEnded():
                self.ended = event
            case _:
                pass

    async def ask(self, requests: Sequence[Request]) -> Sequence[Decision]:
        """One question about all of them, each in full, or each in turn where the person wants that."""
        self._end_line()
        if together(requests) and (answers := await AskedTogether(self, requests).decisions()):
            return answers
        decisions: list[Decision] = []
        for number, request in enumerate(requests, start=1):
            if len(requests) > 1:
                self._terminal.write(f"\n{number} of {len(requests)} that can be answered now:")
            decisions.append(await _Asked(self, request).decision())
            if decisions[-1].reply is Reply.STOP:
                return [_STOP] * len(requests)
        return decisions

    async def choose(self, question: Question) -> Answer:
        self._end_line()
        self._terminal.write(f"? {question.text}")
        for number, option in enumerate(question.options, start=1):
            self._terminal.write(
                f"  {number} {option.label}{f'  ({option.detail})' if option.detail else ''}"
            )
        while (answer := await self.read("> ", question.seconds)) not in (None, "", "q"):
            assert answer is not None
            if answer.isdecimal() and 1 <= int(answer) <= len(question.options):
                return Answer(question.options[int(answer) - 1].arguments)
            if question.argument:
                return Answer({question.argument: answer})
            self._terminal.write(f"  a number from 1 to {len(question.options)}, or an empty line for none")
        return Answer(None)

    async def read(self, prompt: str, seconds: float | None = None) -> str | None:
        """One typed line, or None where nobody can answer any more, or does within the seconds."""
        if seconds is None:
            line = await asyncio.to_thread(self._terminal.read, prompt)
        elif isinstance(self._terminal, Hasty):
            over = threading.Event()
            try:
                line = await asyncio.to_thread(self._terminal.read_within, prompt, seconds, over.is_set)
            finally:
                over.set()
        else:
            return None
        return None if line is None else line.strip()

    def say(self, *lines: str) -> None:
        """Some lines of ours."""
        self._say(lines)

    def _say(self, lines: Iterable[str]) -> None:
        self._terminal.write("\n".join(lines))

    def _stream(self, text: str) -> None:
        """Write the lines of what the model says as they become whole."""
        *lines, self._line = (self._line + text).split("\n")
        if lines:
            self._say(map(clean, lines))

    def _end_line(self) -> None:
        line, self._line = self._line, ""
        if line:
            self._terminal.write(clean(line))

    def _plan(self, steps: tuple[str, ...]) -> None:
        if len(steps) > 1 and steps != self._planned:
            self._terminal.write(
                "Plan  " + "   ".join(f"{n} {step}" for n, step in enumerate(steps, start=1))
            )
        self._planned = steps


class _Asked:
    """One request on the terminal, until a line answers it."""

    def __init__(self, front: LineFront, request: Request) -> None:
        self._front = front
        self._request = request
        self._chosen: Offer | None = None

    async def decision(self) -> Decision:
        self._front.say("", *plain.drawn(self._request), plain.keys(self._request))
        while (answer := await self._front.read("> ")) not in (None, "q"):
            assert answer is not None
            if decision := await self._understood(answer):
                return decision
        return _STOP

    async def _understood(self, answer: str) -> Decision | None:
        letter, _, rest = answer.partition(" ")
        if self._says_yes(answer):
            grant = self._chosen.grant if self._chosen else None
            key = self._request.ruling.key
            return Decision(Reply.YES, grant=grant, typed=answer if key is Key.TYPED else "", key=key)
        match letter:
            case "n":
                return Decision(Reply.NO, reason=rest.strip())
            case "r":
                return await self._refuse(rest.strip())
            case "N" if not rest:
                return await self._never()
            case "e" if not rest:
                return await self._edit()
            case "g" | "s" | "t" | "a" if not rest:
                return await self._grant(_SCOPES[letter])
            case "w" | "v" if not rest:
                self._front.say(*(plain.why if letter == "w" else plain.exact)(self._request))
            case _:
                self._front.say(plain.keys(self._request))
        return None

    def _says_yes(self, answer: str) -> bool:
        ruling = self._request.ruling
        return answer == (ruling.word if ruling.key is Key.TYPED else ruling.key.value)

    async def _refuse(self, reason: str) -> Decision | None:
        """A no with a reason; an empty line takes it back."""
        reason = reason or await self._front.read("  no, because: ") or ""
        return Decision(Reply.NO, reason=reason) if reason else None

    async def _never(self) -> Decision | None:
        ban = await self._pick("With a no:", self._request.bans)
        return Decision(Reply.NO, ban=ban) if isinstance(ban, Ban) else None

    async def _grant(self, scope: Scope) -> Decision | None:
        """Take a permission with the yes, which comes after where it is grave, or where one is picked."""
        offers = words.offers(self._request).get(scope, ())
        if not offers:
            self._front.say(f"  no permission for {words.SPANS[scope]} is on offer here")
            return None
        listed = words.opens(scope, len(offers))
        offer = await self._pick("With a yes:", offers) if listed else offers[0]
        if not isinstance(offer, Offer):
            return None
        if not listed and self._request.ruling.key is Key.SMALL:
            return Decision(Reply.YES, grant=offer.grant, key=Key.SMALL)
        self._chosen = offer
        self._front.say(f"  With this yes: {offer.words}", plain.keys(self._request))
        return None

    async def _pick(self, head: str, items: Sequence[Offer | Ban]) -> Offer | Ban | None:
        if not items:
            self._front.say("  there is nothing here that can be ruled out for good")
            return None
        self._front.say(f"  {head}", *plain.choices(items))
        answer = await self._front.read("  a number, or an empty line for none: ") or ""
        return items[int(answer) - 1] if answer.isdecimal() and 1 <= int(answer) <= len(items) else None

    async def _edit(self) -> Decision | None:
        """The changed arguments; what does not fit is said, and the request stands as it was."""
        request = self._request
        self._front.say("  an empty line keeps a value, - takes it away")
        edited: dict[str, JsonValue] = {}
        for name, value in editable(request.call.arguments, request.tool).items():
            text = as_text(value)
            typed = await self._front.read(f"  {name} [{text or hint(name, request.tool)}]: ")
            if typed is None:
                return _STOP
            if not typed:
                continue
            try:
                edited[name] = from_written("" if typed == "-" else typed, value, name)
            except NotAValue as wrong:
                self._front.say(f"  {wrong}")
                return None
        found = fitted(request.tool, {**request.call.arguments, **edited}) if request.tool else None
        if isinstance(found, Outcome):
            self._front.say(f"  {found.text}")
            return None
        return Decision(Reply.EDIT, edited=edited) if edited else None


def _outcome(outcome: Outcome) -> Iterable[str]:
    sign = "◷" if outcome.until else _sign(StepState.DONE if outcome.ok else StepState.FAILED)
    yield f"  {sign} {outcome.text}"
    for item in outcome.items[:_ITEMS]:
        yield f"    {item.label}{f'  {item.detail}' if item.detail else ''}"
    if outcome.content is not None:
        yield from (f"    ┃ {line}" for line in outcome.content.split("\n"))


def _sign(state: StepState) -> str:
    return "✓" if state is StepState.DONE else "✗"
