"""Renders a model's own chat template: foreign code, so in a sandbox and in the model's process."""

import json
from typing import Any, NoReturn

import jinja2
import jinja2.ext
from jinja2.nodes import Node
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from assistant.model.wire import Chat

_LONGEST = 2_000_000


class TemplateError(Exception):
    """The template cannot be rendered; the text is a plain clause."""


class _GenerationTags(jinja2.ext.Extension):
    """Passes over the `{% generation %}` tag that training templates carry."""

    tags = {"generation"}

    def parse(self, parser: Parser) -> Node | list[Node]:
        parser.stream.skip(1)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class Template:
    """One chat template; `render` gives the prompt up to where the model goes on. Raises TemplateError."""

    def __init__(self, text: str, bos: str, eos: str) -> None:
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=[_GenerationTags, jinja2.ext.loopcontrols]
        )
        environment.filters["tojson"] = _to_json
        environment.globals["raise_exception"] = _refuse
        self._tokens = {"bos_token": bos, "eos_token": eos}
        try:
            self._template = environment.from_string(text)
        except jinja2.TemplateError as error:
            raise TemplateError(f"its chat template is broken ({error})") from error

    def render(self, chat: Chat) -> str:
        parts, length = [], 0
        try:
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
        except TemplateError:
            raise
        # A template is foreign code: it can fail in any way that Python can.
        except Exception as error:
            raise TemplateError(f"its chat template fails ({error})") from error
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
