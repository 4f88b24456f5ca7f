"""Renders a model's own chat template: foreign code, so in a sandbox, bounded, in the model's process."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any, NoReturn

import jinja2
import jinja2.ext
from jinja2.nodes import Node
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from assistant.model.child.accommodation import LEVELS, accommodated
from assistant.model.child.bounds import OutOfTime, bounded
from assistant.model.wire import Chat

_LONGEST = 2_000_000
_LONGEST_TEMPLATE = 500_000
_SECONDS = 2.0
_MEMORY = 256 * 1024 * 1024
_MOST_BITS = 10_000


class TemplateError(Exception):
    """The template cannot be rendered; the text is a plain clause."""


class _Refused(Exception):
    """The template does not take this conversation, but may take it in another shape."""


class _GenerationTags(jinja2.ext.Extension):
    """Passes over the `{% generation %}` tag that training templates carry."""

    tags = {"generation"}

    def parse(self, parser: Parser) -> Node | list[Node]:
        parser.stream.skip(1)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class _Environment(ImmutableSandboxedEnvironment):
    """A sandbox whose numbers stay small: one computation with large ones cannot be interrupted."""

    intercepted_binops = frozenset(["*", "**"])

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if isinstance(left, int) and isinstance(right, int):
            factor = max(right, 1) if operator == "**" else 1
            if left.bit_length() * factor + right.bit_length() > _MOST_BITS:
                raise OverflowError("it computes with too large numbers")
        return super().call_binop(context, operator, left, right)


class Template:
    """One chat template; `render` gives the prompt up to where the model goes on. Raises TemplateError.

    A conversation that it refuses is put to it again in other shapes, such as with ids for the calls.
    The clock is asked once: a template that tells the date must not change its beginning at midnight.
    """

    def __init__(self, text: str, bos: str, eos: str, clock: Callable[[], datetime] = datetime.now) -> None:
        environment = _Environment(
            trim_blocks=True, lstrip_blocks=True, extensions=[_GenerationTags, jinja2.ext.loopcontrols]
        )
        environment.filters["tojson"] = _to_json
        environment.globals["raise_exception"] = _refuse
        environment.globals["strftime_now"] = clock().strftime
        self._level = 0
        self._tokens = {"bos_token": bos, "eos_token": eos}
        if len(text) > _LONGEST_TEMPLATE:
            raise TemplateError("its chat template is too long")
        try:
            with bounded(_SECONDS, _MEMORY):
                self._template = environment.from_string(text)
        except OutOfTime as error:
            raise TemplateError("its chat template takes too long to read") from error
        # Whatever Python cannot compile, such as blocks nested too deeply, is a fault of the template.
        except Exception as error:
            raise TemplateError(f"its chat template is broken ({error})") from error

    def render(self, chat: Chat) -> str:
        refusal: TemplateError | None = None
        for level in range(self._level, LEVELS):
            try:
                text = self._bounded(accommodated(chat, level))
            except _Refused as error:
                refusal = refusal or TemplateError(str(error))
                continue
            # What was rendered one way has to be rendered so again: its beginning must stay the same.
            self._level = level
            return text
        raise refusal or TemplateError("its chat template fails")

    def _bounded(self, chat: Chat) -> str:
        try:
            with bounded(_SECONDS, _MEMORY):
                return self._rendered(chat)
        except TemplateError:
            raise
        except OutOfTime as error:
            raise TemplateError("its chat template does not come to an end") from error
        except MemoryError as error:
            raise TemplateError("its chat template takes too much memory") from error
        # A template is foreign code: it can fail in any way that Python can.
        except Exception as error:
            raise _Refused(f"its chat template fails ({error})") from error

    def _rendered(self, chat: Chat) -> str:
        parts, length = [], 0
        for part in self._template.generate(
            messages=list(chat.messages),
            tools=list(chat.tools) or None,
            enable_thinking=chat.thinking,
            add_generation_prompt=True,
            **self._tokens,
        ):
            parts.append(part)
            length += len(part)
            if length > _LONGEST:
                raise TemplateError("its chat template makes a prompt without end")
        return "".join(parts)


def _refuse(message: str) -> NoReturn:
    raise ValueError(message)


def _to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """As the templates' authors use it: without the HTML escapes of Jinja's own filter."""
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )
