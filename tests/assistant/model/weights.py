"""Random weights in the shapes that llama.cpp expects of two architectures, seeded."""

from dataclasses import dataclass

import gguf
import numpy as np

_ATTENDS_EVERY = 4


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of a model; heads and states are those of attention and of the linear layers.

    `spread` is the standard deviation of ordinary weights, `loud` of those that make outputs vary.
    """

    layers: int
    embedding: int
    feed_forward: int
    heads: int
    kv_heads: int
    head: int
    rope: int
    rope_sections: tuple[int, int, int, int]
    state: int
    groups: int
    rank: int
    kernel: int = 4
    spread: float = 0.05
    loud: float = 0.3

    @property
    def inner(self) -> int:
        return self.state * self.rank


TOY = Shape(
    layers=4, embedding=64, feed_forward=128, heads=4, kv_heads=2, head=16, rope=8,
    rope_sections=(2, 1, 1, 0), state=16, groups=4, rank=4,
)  # fmt: skip

# The text trunk of a Qwen3.5 model of 0.8 billion weights.
FULL = Shape(
    layers=24, embedding=1024, feed_forward=3584, heads=8, kv_heads=2, head=256, rope=64,
    rope_sections=(11, 11, 10, 0), state=128, groups=16, rank=16, spread=0.02, loud=0.02,
)  # fmt: skip


class Tensors:
    """Draws tensors and adds them to a file, matrices as Q8_0 where that is wished."""

    def __init__(self, writer: gguf.GGUFWriter, seed: int, *, quantised: bool = False) -> None:
        self._writer = writer
        self._random = np.random.default_rng(seed)
        self._quantised = quantised

    def normal(self, name: str, shape: tuple[int, ...], spread: float, *, exact: bool = False) -> None:
        """Values around 0; `exact` ones are never quantised."""
        if not self._quantised:
            values = self._random.normal(0, spread, shape).astype(np.float32)
        else:
            values = self._random.standard_normal(shape, np.float32) * np.float32(spread)
        if self._quantised and not exact:
            kind = gguf.GGMLQuantizationType.Q8_0
            self._writer.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)
        else:
            self._writer.add_tensor(name, values)

    def full(self, name: str, length: int, value: float = 1.0) -> None:
        self._writer.add_tensor(name, np.full(length, value, np.float32))


def add_qwen(writer: gguf.GGUFWriter, shape: Shape, vocabulary: int, tensors: Tensors) -> None:
    """The sizes and weights of the hybrid architecture qwen35, its embeddings tied."""
    writer.add_uint32("qwen35.full_attention_interval", _ATTENDS_EVERY)
    writer.add_array("qwen35.rope.dimension_sections", list(shape.rope_sections))
    writer.add_uint32("qwen35.rope.dimension_count", shape.rope)
    for key, value in (
        ("conv_kernel", shape.kernel),
        ("state_size", shape.state),
        ("group_count", shape.groups),
        ("time_step_rank", shape.rank),
        ("inner_size", shape.inner),
    ):
        writer.add_uint32(f"qwen35.ssm.{key}", value)
    tensors.normal("token_embd.weight", (vocabulary, shape.embedding), shape.loud)
    tensors.full("output_norm.weight", shape.embedding)
    for layer in range(shape.layers):
        start = f"blk.{layer}."
        tensors.full(start + "attn_norm.weight", shape.embedding)
        tensors.full(start + "post_attention_norm.weight", shape.embedding)
        _feed_forward(tensors, shape, start)
        if (layer + 1) % _ATTENDS_EVERY == 0:
            _gated_attention(tensors, shape, start)
        else:
            _linear_attention(tensors, shape, start)


def add_llama(writer: gguf.GGUFWriter, shape: Shape, vocabulary: int, tensors: Tensors) -> None:
    """The sizes and weights of the plain architecture llama, its embeddings tied."""
    writer.add_uint32("llama.rope.dimension_count", shape.head)
    tensors.normal("token_embd.weight", (vocabulary, shape.embedding), shape.loud)
    tensors.full("output_norm.weight", shape.embedding)
    for layer in range(shape.layers):
        start = f"blk.{layer}."
        tensors.full(start + "attn_norm.weight", shape.embedding)
        tensors.full(start + "ffn_norm.weight", shape.embedding)
        _attention(tensors, shape, start, queries=1, output=shape.loud)
        _feed_forward(tensors, shape, start)


def add_sizes(writer: gguf.GGUFWriter, architecture: str, shape: Shape, context: int) -> None:
    """What every architecture says of itself; the context is in tokens."""
    for key, value in (
        ("block_count", shape.layers),
        ("context_length", context),
        ("embedding_length", shape.embedding),
        ("feed_forward_length", shape.feed_forward),
        ("attention.head_count", shape.heads),
        ("attention.head_count_kv", shape.kv_heads),
        ("attention.key_length", shape.head),
        ("attention.value_length", shape.head),
    ):
        writer.add_uint32(f"{architecture}.{key}", value)
    writer.add_float32(f"{architecture}.attention.layer_norm_rms_epsilon", 1e-6)
    writer.add_float32(f"{architecture}.rope.freq_base", 1e7)


def _attention(tensors: Tensors, shape: Shape, start: str, *, queries: int, output: float) -> None:
    size = shape.embedding
    tensors.normal(start + "attn_q.weight", (queries * shape.heads * shape.head, size), shape.spread)
    tensors.normal(start + "attn_k.weight", (shape.kv_heads * shape.head, size), shape.spread)
    tensors.normal(start + "attn_v.weight", (shape.kv_heads * shape.head, size), shape.spread)
    tensors.normal(start + "attn_output.weight", (size, shape.heads * shape.head), output)


def _gated_attention(tensors: Tensors, shape: Shape, start: str) -> None:
    """Query and gate stand in one matrix."""
    _attention(tensors, shape, start, queries=2, output=shape.spread)
    tensors.full(start + "attn_q_norm.weight", shape.head)
    tensors.full(start + "attn_k_norm.weight", shape.head)


def _linear_attention(tensors: Tensors, shape: Shape, start: str) -> None:
    size, value = shape.embedding, shape.inner
    conv = 2 * shape.state * shape.groups + value
    tensors.normal(start + "attn_qkv.weight", (conv, size), shape.spread)
    tensors.normal(start + "attn_gate.weight", (value, size), shape.spread)
    tensors.normal(start + "ssm_conv1d.weight", (conv, shape.kernel), 0.3, exact=True)
    tensors.normal(start + "ssm_dt.bias", (shape.rank,), shape.spread, exact=True)
    tensors.full(start + "ssm_a", shape.rank, -0.05)
    tensors.normal(start + "ssm_beta.weight", (shape.rank, size), shape.spread)
    tensors.normal(start + "ssm_alpha.weight", (shape.rank, size), shape.spread)
    tensors.full(start + "ssm_norm.weight", shape.state)
    tensors.normal(start + "ssm_out.weight", (size, value), shape.loud)


def _feed_forward(tensors: Tensors, shape: Shape, start: str) -> None:
    tensors.normal(start + "ffn_gate.weight", (shape.feed_forward, shape.embedding), shape.spread)
    tensors.normal(start + "ffn_up.weight", (shape.feed_forward, shape.embedding), shape.spread)
    tensors.normal(start + "ffn_down.weight", (shape.embedding, shape.feed_forward), shape.spread)
