"""Builds small GGUF files with random weights, so that loading and generating are tested for real."""

from dataclasses import replace
from pathlib import Path

import gguf

from tests.assistant.model.weights import TOY, Shape, Tensors, add_llama, add_qwen, add_sizes
from tests.assistant.model.words import Words, few_words

# Speaks the wire format of Qwen3.5 models: tools first, then our text; results within the user's turn.
QWEN_TEMPLATE = """<|im_start|>system
# Tools

<tools>
{% for tool in tools %}
{{ tool | tojson }}
{% endfor %}
</tools>

Call <function=NAME> within <tool_call>.

{{ messages[0].content }}<|im_end|>
{% for message in messages %}
{% if message.role == 'user' %}
<|im_start|>user
{{ message.content }}<|im_end|>
{% elif message.role == 'assistant' %}
<|im_start|>assistant
{{ message.content }}
{%- for call in message.tool_calls or [] %}

<tool_call>
<function={{ call.function.name }}>
{% for key, value in call.function.arguments | items %}
<parameter={{ key }}>
{{ value if value is string else value | tojson }}
</parameter>
{% endfor %}
</function>
</tool_call>
{%- endfor %}
<|im_end|>
{% elif message.role == 'tool' %}
<|im_start|>user
<tool_response>
{{ message.content }}
</tool_response><|im_end|>
{% endif %}
{% endfor %}
<|im_start|>assistant
<think>
{% if not enable_thinking %}

</think>

{% endif %}
"""


def build_qwen(
    path: Path,
    *,
    template: str | None = QWEN_TEMPLATE,
    context: int = 32768,
    seed: int = 1,
    shape: Shape = TOY,
    words: Words | None = None,
    quantised: bool = False,
    name: str = "Toy Qwen",
) -> Path:
    """A hybrid model of the qwen35 architecture; left alone, with four layers and 266 tokens."""
    words = words or few_words()
    writer = _begun(path, "qwen35", name, template)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0 if quantised else gguf.LlamaFileType.ALL_F32)
    add_sizes(writer, "qwen35", shape, context)
    words.add_to(writer, "qwen35")
    add_qwen(writer, shape, len(words.tokens), Tensors(writer, seed, quantised=quantised))
    return _written(writer, path)


def build_llama(
    path: Path, *, template: str | None = QWEN_TEMPLATE, context: int = 32768, seed: int = 1
) -> Path:
    """A plain model of the llama architecture with two layers and the same tokens."""
    words, shape = few_words(), replace(TOY, layers=2)
    writer = _begun(path, "llama", "Toy Llama", template)
    add_sizes(writer, "llama", shape, context)
    words.add_to(writer, "smollm")
    add_llama(writer, shape, len(words.tokens), Tensors(writer, seed))
    return _written(writer, path)


def _begun(path: Path, architecture: str, name: str, template: str | None) -> gguf.GGUFWriter:
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_name(name)
    if template is not None:
        writer.add_chat_template(template)
    return writer


def _written(writer: gguf.GGUFWriter, path: Path) -> Path:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
