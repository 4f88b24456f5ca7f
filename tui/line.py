"""The front end on a plain terminal: the same prompts as the app, in lines of text."""

import asyncio
import json
import shlex
from collections.abc import Iterable, Sequence
from typing import Protocol

from pydantic import JsonValue

from assistant.events import (
    CallAllowed,
    CallDenied,
    CallFinished,
    Event,
    PlanChanged,
    RepairOffered,
    StepState,
    TextStreamed,
    TurnEnded,
)
from assistant.frontend import Answer
from connectors.base import Outcome, Question
from permissions.words import Decision, Key, Reply, Request
from tui.prompt import names, words

_ITEMS = 40


class Terminal(Protocol):
    """Where lines go and come from; `read` gives None when nobody can answer any more."""

    def write(self, text: str) -> None: ...

    def read(self, prompt: str) -> str | None: ...


class LineFront:
    """Asks on the terminal; an empty line is never a yes, and the end of input stops the goal."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._planned: tuple[str, ...] = ()
        self.ended: TurnEnded | None = None

    async def show(self, event: Event) -> None:
        match event:
            case PlanChanged(steps=steps):
                self._plan(tuple(step.words for step in steps))
            case TextStreamed(text=text):
                self._terminal.write(text)
            case CallAllowed(title=title, rule=rule):
                self._terminal.write(f"  allowed by {rule}: {title}")
            case CallFinished(outcome=outcome):
                self._terminal.write("\n".join(_outcome(outcome)))
            case CallDenied(title=title):
                self._terminal.write(f"  {_sign(StepState.DENIED)} not done: {title}")
            case RepairOffered(text=text):
                self._terminal.write(f"  {text}")
            case TurnEnded():
                self.ended = event
            case _:
                pass

    async def ask(self, requests: Sequence[Request]) -> Sequence[Decision]:
        decisions: list[Decision] = []
        for request in requests:
            decisions.append(await self._ask(request))
            if decisions[-1].reply is Reply.STOP:
                return [Decision(Reply.STOP)] * len(requests)
        return decisions

    async def _ask(self, request: Request) -> Decision:
        self._terminal.write("\n".join(drawn(request)))
        while True:
            answer = await self._read("> ")
            if answer is None or answer == "q":
                return Decision(Reply.STOP)
            if decision := self._understood(answer, request):
                return decision
            if answer == "e":
                return await self._edit(request)
            if answer == "v":
                self._terminal.write("\n".join(_exact(request)))
            else:
                self._terminal.write(f"  {keys(request)}")

    async def choose(self, question: Question) -> Answer:
        self._terminal.write(f"? {question.text}")
        for number, option in enumerate(question.options, start=1):
            self._terminal.write(
                f"  {number} {option.label}{f'  ({option.detail})' if option.detail else ''}"
            )
        while (answer := await self._read("> ")) not in (None, "", "q"):
            assert answer is not None
            if answer.isdecimal() and 1 <= int(answer) <= len(question.options):
                return Answer(question.options[int(answer) - 1].arguments)
            if question.argument:
                return Answer({question.argument: answer})
            self._terminal.write(f"  a number from 1 to {len(question.options)}, or an empty line for none")
        return Answer(None)

    def _plan(self, steps: tuple[str, ...]) -> None:
        if len(steps) > 1 and steps != self._planned:
            self._terminal.write(
                "Plan  " + "   ".join(f"{n} {step}" for n, step in enumerate(steps, start=1))
            )
        self._planned = steps

    def _understood(self, answer: str, request: Request) -> Decision | None:
        ruling = request.ruling
        if answer == "n" or answer.startswith("n "):
            return Decision(Reply.NO, reason=answer[2:])
        if ruling.key is Key.TYPED and answer == ruling.word:
            return Decision(Reply.YES, typed=answer)
        if ruling.key is not Key.TYPED and answer == ruling.key.value:
            return Decision(Reply.YES)
        offer = next((o for o in request.offers if words.SCOPES[o.grant.scope][0] == answer), None)
        return Decision(Reply.YES, grant=offer.grant) if offer else None

    async def _edit(self, request: Request) -> Decision:
        self._terminal.write("  an empty line keeps a value")
        edited: dict[str, JsonValue] = {}
        for name, value in request.call.arguments.items():
            if value in (None, "", []):
                continue
            shown = shlex.join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            if typed := await self._read(f"  {name} [{shown}]: "):
                edited[name] = list(shlex.split(typed)) if isinstance(value, list | tuple) else typed
        return Decision(Reply.EDIT, edited=edited)

    async def _read(self, prompt: str) -> str | None:
        line = await asyncio.to_thread(self._terminal.read, prompt)
        return None if line is None else line.strip()


def drawn(request: Request) -> Iterable[str]:
    """A request as lines: what would happen, where each value is from, the whole text, why, and the keys."""
    preview = request.prepared.preview
    yield ""
    place = words.place(request)
    yield f"── {' · '.join(words.frame(request))}{f' ── {place}' if place else ''}"
    yield preview.title
    for field in preview.fields:
        came, _ = words.came(field, request)
        change = f"{field.before} → {field.value}" if field.before is not None else field.value
        note = f"  {field.note}" if field.note else ""
        yield f"  {field.label:<10} {change}{note}   [{came}]"
    for thing in request.prepared.resolved:
        if written := names.written(thing):
            yield f"  {'':<10} {thing.value}: {written}"
    for warning in words.warnings(request):
        yield f"  ▲ {warning}"
    for text in (preview.body, preview.diff):
        if text is not None:
            yield from (f"  ┃ {line}" for line in text.split("\n"))
    yield f"  Why        {request.ruling.reason}"
    yield f"  Undo       {request.prepared.undo or 'this cannot be undone'}"
    yield f"  {keys(request)}"


def keys(request: Request) -> str:
    """The answers that a request takes, on one line."""
    ruling = request.ruling
    yes = f"type “{ruling.word}” for yes" if ruling.key is Key.TYPED else f"{ruling.key.value} yes"
    grants = [f"{words.SCOPES[offer.grant.scope][0]} yes to {offer.words}" for offer in request.offers]
    return "   ".join([yes, *grants, "n no", "n REASON", "e edit", "v exact values", "q stop"])


def _exact(request: Request) -> Iterable[str]:
    yield f"  {request.call.tool} {json.dumps(dict(request.call.arguments), ensure_ascii=True)}"
    for thing in request.prepared.resolved:
        yield f"  {thing.role.value} {json.dumps(thing.value, ensure_ascii=True)}"


def _outcome(outcome: Outcome) -> Iterable[str]:
    yield f"  {_sign(StepState.DONE if outcome.ok else StepState.FAILED)} {outcome.text}"
    for item in outcome.items[:_ITEMS]:
        yield f"    {item.label}{f'  {item.detail}' if item.detail else ''}"
    if outcome.content is not None:
        yield from (f"    ┃ {line}" for line in outcome.content.split("\n"))


def _sign(state: StepState) -> str:
    return "✓" if state is StepState.DONE else "✗"
