"""Conversations made to suit templates that refuse them: what some require and others never ask for."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from pydantic import JsonValue

from assistant.model.wire import Chat

Message = dict[str, JsonValue]

_NOTHING_SAID = "(That is all.)"


def with_ids(messages: Sequence[Message]) -> list[Message]:
    """Every call with an id of nine characters, and every result with that of its call."""
    made: list[Message] = []
    waiting: list[str] = []
    count = 0
    for message in messages:
        calls = _calls(message)
        if calls:
            waiting = [f"call{count + number:05}" for number in range(len(calls))]
            count += len(calls)
            named: list[JsonValue] = [
                {**call, "id": id_}
                for call, id_ in zip(calls, waiting, strict=True)
                if isinstance(call, dict)
            ]
            message = {**message, "tool_calls": named}
        elif message["role"] == "tool":
            message = {**message, "tool_call_id": waiting.pop(0) if waiting else "call00000"}
        made.append(message)
    return made


def one_at_a_time(messages: Sequence[Message]) -> list[Message]:
    """Every call in a message of its own, with its result after it."""
    made: list[Message] = []
    waiting: list[Message] = []
    for message in messages:
        calls = _calls(message)
        if len(calls) > 1:
            first, *waiting = [{**message, "content": "", "tool_calls": [call]} for call in calls]
            made.append({**first, "content": message["content"]})
            continue
        if message["role"] != "tool":
            made += waiting
            waiting = []
        made.append(message)
        if message["role"] == "tool" and waiting:
            made.append(waiting.pop(0))
    return made + waiting


def alternating(messages: Sequence[Message]) -> list[Message]:
    """Between two messages of the person, something that the model says."""
    made: list[Message] = []
    answered = True
    for message in messages:
        if message["role"] == "user" and not answered:
            made.append({"role": "assistant", "content": _NOTHING_SAID})
        answered = (answered or message["role"] == "assistant") and message["role"] != "user"
        if message["role"] == "assistant" and _calls(message):
            answered = False
        made.append(message)
    return made


_STEPS: Sequence[Callable[[Sequence[Message]], list[Message]]] = (with_ids, one_at_a_time, alternating)
LEVELS = len(_STEPS) + 1
"""How far a conversation can be changed: not at all, or by one thing more at each level."""


def accommodated(chat: Chat, level: int) -> Chat:
    """A conversation changed up to a level."""
    messages: Sequence[Message] = chat.messages
    for step in _STEPS[:level]:
        messages = step(messages)
    return replace(chat, messages=tuple(messages)) if level else chat


def _calls(message: Message) -> list[JsonValue]:
    calls = message.get("tool_calls")
    return calls if isinstance(calls, list) else []
