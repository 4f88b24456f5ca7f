"""Builds small GGUF files with random weights, so that loading and generating are tested for real."""

from pathlib import Path

import gguf
import numpy as np

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

TAGS = ("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>")
CONTROLS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
EMBEDDING, FEED_FORWARD, HEADS, KV_HEADS, HEAD = 64, 128, 4, 2, 16
STATE, GROUPS, RANK, KERNEL = 16, 4, 4, 4


def byte_characters() -> list[str]:
    """The characters that stand for the 256 bytes in a GPT-2 vocabulary."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte if byte in plain else next(others)) for byte in range(256)]


def build_qwen(
    path: Path, *, template: str | None = QWEN_TEMPLATE, context: int = 32768, seed: int = 1
) -> Path:
    """A hybrid model of the qwen35 architecture with four layers and 266 tokens."""
    writer = gguf.GGUFWriter(path, "qwen35")
    writer.add_name("Toy Qwen")
    _add_sizes(writer, "qwen35", context)
    writer.add_uint32("qwen35.full_attention_interval", 4)
    writer.add_array("qwen35.rope.dimension_sections", [2, 1, 1, 0])
    writer.add_uint32("qwen35.rope.dimension_count", 8)
    for key, value in (
        ("conv_kernel", KERNEL),
        ("state_size", STATE),
        ("group_count", GROUPS),
        ("time_step_rank", RANK),
        ("inner_size", STATE * RANK),
    ):
        writer.add_uint32(f"qwen35.ssm.{key}", value)
    vocabulary = _add_vocabulary(writer, "qwen35", template)
    tensors = _Tensors(writer, seed)
    tensors.normal("token_embd.weight", (vocabulary, EMBEDDING), 0.3)
    tensors.ones("output_norm.weight", EMBEDDING)
    for layer in range(4):
        _qwen_layer(tensors, f"blk.{layer}.", attends=layer % 4 == 3)
    return _written(writer, path)


def build_llama(
    path: Path, *, template: str | None = QWEN_TEMPLATE, context: int = 32768, seed: int = 1
) -> Path:
    """A plain model of the llama architecture with two layers and the same tokens."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("Toy Llama")
    _add_sizes(writer, "llama", context, layers=2)
    writer.add_uint32("llama.rope.dimension_count", HEAD)
    vocabulary = _add_vocabulary(writer, "smollm", template)
    tensors = _Tensors(writer, seed)
    tensors.normal("token_embd.weight", (vocabulary, EMBEDDING), 0.3)
    tensors.ones("output_norm.weight", EMBEDDING)
    for layer in range(2):
        start = f"blk.{layer}."
        tensors.ones(start + "attn_norm.weight", EMBEDDING)
        tensors.ones(start + "ffn_norm.weight", EMBEDDING)
        tensors.normal(start + "attn_q.weight", (HEADS * HEAD, EMBEDDING))
        tensors.normal(start + "attn_k.weight", (KV_HEADS * HEAD, EMBEDDING))
        tensors.normal(start + "attn_v.weight", (KV_HEADS * HEAD, EMBEDDING))
        tensors.normal(start + "attn_output.weight", (EMBEDDING, HEADS * HEAD), 0.3)
        _feed_forward(tensors, start)
    return _written(writer, path)


class _Tensors:
    def __init__(self, writer: gguf.GGUFWriter, seed: int) -> None:
        self._writer = writer
        self._random = np.random.default_rng(seed)

    def normal(self, name: str, shape: tuple[int, ...], spread: float = 0.05) -> None:
        self._writer.add_tensor(name, self._random.normal(0, spread, shape).astype(np.float32))

    def ones(self, name: str, length: int) -> None:
        self._writer.add_tensor(name, np.ones(length, np.float32))

    def full(self, name: str, length: int, value: float) -> None:
        self._writer.add_tensor(name, np.full(length, value, np.float32))


def _qwen_layer(tensors: _Tensors, start: str, *, attends: bool) -> None:
    key, value = STATE * GROUPS, STATE * RANK
    conv = 2 * key + value
    tensors.ones(start + "attn_norm.weight", EMBEDDING)
    tensors.ones(start + "post_attention_norm.weight", EMBEDDING)
    _feed_forward(tensors, start)
    if attends:
        tensors.normal(start + "attn_q.weight", (2 * HEADS * HEAD, EMBEDDING))
        tensors.normal(start + "attn_k.weight", (KV_HEADS * HEAD, EMBEDDING))
        tensors.normal(start + "attn_v.weight", (KV_HEADS * HEAD, EMBEDDING))
        tensors.normal(start + "attn_output.weight", (EMBEDDING, HEADS * HEAD))
        tensors.ones(start + "attn_q_norm.weight", HEAD)
        tensors.ones(start + "attn_k_norm.weight", HEAD)
        return
    tensors.normal(start + "attn_qkv.weight", (conv, EMBEDDING))
    tensors.normal(start + "attn_gate.weight", (value, EMBEDDING))
    tensors.normal(start + "ssm_conv1d.weight", (conv, KERNEL), 0.3)
    tensors.normal(start + "ssm_dt.bias", (RANK,))
    tensors.full(start + "ssm_a", RANK, -0.05)
    tensors.normal(start + "ssm_beta.weight", (RANK, EMBEDDING))
    tensors.normal(start + "ssm_alpha.weight", (RANK, EMBEDDING))
    tensors.ones(start + "ssm_norm.weight", STATE)
    tensors.normal(start + "ssm_out.weight", (EMBEDDING, value), 0.3)


def _feed_forward(tensors: _Tensors, start: str) -> None:
    tensors.normal(start + "ffn_gate.weight", (FEED_FORWARD, EMBEDDING))
    tensors.normal(start + "ffn_up.weight", (FEED_FORWARD, EMBEDDING))
    tensors.normal(start + "ffn_down.weight", (EMBEDDING, FEED_FORWARD))


def _add_sizes(writer: gguf.GGUFWriter, architecture: str, context: int, layers: int = 4) -> None:
    for key, value in (
        ("block_count", layers),
        ("context_length", context),
        ("embedding_length", EMBEDDING),
        ("feed_forward_length", FEED_FORWARD),
        ("attention.head_count", HEADS),
        ("attention.head_count_kv", KV_HEADS),
        ("attention.key_length", HEAD),
        ("attention.value_length", HEAD),
    ):
        writer.add_uint32(f"{architecture}.{key}", value)
    writer.add_float32(f"{architecture}.attention.layer_norm_rms_epsilon", 1e-6)
    writer.add_float32(f"{architecture}.rope.freq_base", 1e7)


def _add_vocabulary(writer: gguf.GGUFWriter, pre: str, template: str | None) -> int:
    tokens = [*byte_characters(), "he", *CONTROLS, *TAGS]
    kinds = [1] * 257 + [3] * len(CONTROLS) + [4] * len(TAGS)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges(["h e"])
    writer.add_eos_token_id(tokens.index("<|im_end|>"))
    writer.add_bos_token_id(tokens.index("<|endoftext|>"))
    writer.add_pad_token_id(tokens.index("<|endoftext|>"))
    writer.add_add_bos_token(False)
    if template is not None:
        writer.add_chat_template(template)
    return len(tokens)


def _written(writer: gguf.GGUFWriter, path: Path) -> Path:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
