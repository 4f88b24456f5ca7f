"""How much memory a model needs, by its header, and what to choose where there is less."""

from dataclasses import dataclass
from math import prod

from assistant.model.base import ModelUnusable
from assistant.model.shelf.gguf import Header, read_header
from assistant.model.shelf.known import KNOWN, Known
from assistant.model.spec import ModelSpec
from assistant.model.starter import KEY as STARTER

# So many tokens of a prompt are evaluated at once at most; what that takes is used up to this number.
_AT_ONCE = 256
# Measured: Python with llama.cpp and the libraries around it, and each entry of a vocabulary in both.
_PROGRAM = 80 << 20
_WORD = 330
# Copies of the state that are kept of a conversation, so that not all of it has to be read again.
_CHECKPOINTS, _MOST_CHECKPOINTS = 4, 256 << 20
_SMALLEST_CONTEXT = 2048
_CONTEXT_STEP = 1024
_GOOD_PART = 0.2
# What a Q4_K_M file is to others of the same model, by general.file_type (ggml-org/ggml:docs/gguf.md).
_Q4_SHARE = {0: 0.17, 1: 0.35, 7: 0.65, 32: 0.35}


@dataclass(frozen=True, slots=True)
class Footprint:
    """The memory that a model takes, in bytes.

    `weights` are its file, mapped, and any adapter; `fixed` is the program, the vocabulary and the state that
    does not grow; `token` is for each token of the context: what is kept of it, and what reading along all
    of them takes.
    """

    weights: int
    fixed: int
    token: int
    as_q4: int = 0

    def at(self, context: int) -> int:
        """Bytes with a context of so many tokens."""
        return self.weights + self.fixed + self.token * context

    def fitting(self, available: int, most: int) -> int | None:
        """The largest context in tokens that fits, up to `most`; None where even a small one does not."""
        least = min(_SMALLEST_CONTEXT, most)
        room = available - self.weights - self.fixed
        tokens = min(room // self.token if self.token else most, most)
        if tokens < least:
            return None
        return most if tokens == most else max(tokens // _CONTEXT_STEP * _CONTEXT_STEP, least)


def footprint(header: Header, file_size: int, adapter_size: int = 0) -> Footprint:
    """What a model file of this size needs, as its header says.

    A value that the header lacks is taken as most models have it.
    """
    sizes = _Sizes(header)
    words = header.lengths.get("tokenizer.ggml.tokens", 0)
    wide = 8 * sizes.embedding + 5 * sizes.feed_forward
    states = sizes.state + min(_CHECKPOINTS * sizes.state, _MOST_CHECKPOINTS)
    fixed = _PROGRAM + words * _WORD + states + _AT_ONCE * wide * 4
    # Each token of a part is masked against all of the context. With an adapter it is weighed against it too,
    # for each head at once; without, that is done piece by piece (flash attention).
    weighing = _AT_ONCE * 4 * (sizes.heads + 3 if adapter_size else 2)
    as_q4 = file_size * _Q4_SHARE.get(int(header.metadata.get("general.file_type", -1)), 0)
    return Footprint(file_size + adapter_size, fixed, sizes.kept + weighing, int(as_q4))


def need_memory(spec: ModelSpec, available: int | None) -> None:
    """ModelUnusable, with what can be done, if a model needs more bytes than are available.

    Where it is not known how many are, nothing is refused; what is wrong with a file is told by loading it.
    """
    if available is None:
        return
    try:
        adapter = spec.adapter.stat().st_size if spec.adapter else 0
        need = footprint(read_header(spec.path), spec.path.stat().st_size, adapter)
    except (OSError, ModelUnusable):
        return
    if why := refusal(spec, need, available):
        raise ModelUnusable(why)


def refusal(spec: ModelSpec, need: Footprint, available: int) -> str:
    """Why a model cannot be loaded, and what can be done; empty where it fits into the bytes available."""
    if need.at(spec.context) <= available:
        return ""
    ways = [*_smaller_context(spec, need, available), *_other_models(spec, need, available)]
    return (
        f"{spec.title} needs {gigabytes(need.at(spec.context))} of memory with a context of {spec.context:,}"
        f" tokens, and {gigabytes(available)} are free. {_sentence(ways)}"
    )


def gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 950_000_000 else f"{size / 1e6:.0f} MB"


def _smaller_context(spec: ModelSpec, need: Footprint, available: int) -> list[str]:
    fitting = need.fitting(available, spec.context)
    where = f"under [models.{spec.key}] in config.toml"
    return [f"it fits with context = {fitting} {where}"] if fitting else []


def _other_models(spec: ModelSpec, need: Footprint, available: int) -> list[str]:
    """A smaller file of the same model, where the file is a good part of what is needed, and the starter."""
    ways = []
    if need.weights > need.at(spec.context) * _GOOD_PART:
        ways += _smaller_file(spec.key, need, available - need.at(_SMALLEST_CONTEXT) + need.weights)
    if spec.key != STARTER:
        ways.append("the starter needs little: askfirst models use starter")
    return ways


def _smaller_file(key: str, need: Footprint, room: int) -> list[str]:
    """The largest smaller file for which there is room beside the rest."""
    own = next((known for known in KNOWN if known.key == key), None)
    if not own:
        fits = 0 < need.as_q4 <= room
        return [f"a Q4_K_M file of it has only about {gigabytes(need.as_q4)}"] if fits else []
    smaller = [known for known in KNOWN if _is_smaller(known, own) and known.size <= room]
    best = max(smaller, key=lambda known: known.size, default=None)
    return [f"{best.title} is smaller: askfirst models get {best.key}"] if best else []


def _is_smaller(known: Known, own: Known) -> bool:
    same = known.repository and known.repository == own.repository
    return bool(same) and known.size < own.size


def _sentence(ways: list[str]) -> str:
    if not ways:
        return "End other programs first."
    text = "; or ".join(ways)
    return f"{text[0].upper()}{text[1:]}."


class _Sizes:
    """The sizes in a header, each with the usual value where it is missing."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self.layers = self._size("block_count", 32)
        self.embedding = self._size("embedding_length", 2048)
        self.feed_forward = self._size("feed_forward_length", 4 * self.embedding)
        self.heads = max(self._per_layer("attention.head_count", 16))

    @property
    def kept(self) -> int:
        """Bytes that are kept of each token: a key and a value, 16 bits each, in the layers that attend."""
        head = self.embedding // max(self.heads, 1)
        both = self._size("attention.key_length", head) + self._size("attention.value_length", head)
        heads = self._per_layer("attention.head_count_kv", self.heads)
        every = self._size("full_attention_interval", 1)
        return sum(count for at, count in enumerate(heads) if (at + 1) % every == 0) * both * 2

    @property
    def state(self) -> int:
        """Bytes of the state that layers without attention carry along, 32 bits a value."""
        inner, size = self._size("ssm.inner_size", 0), self._size("ssm.state_size", 0)
        groups, kernel = self._size("ssm.group_count", 0), self._size("ssm.conv_kernel", 1)
        every = self._size("full_attention_interval", 1)
        layers = self.layers - self.layers // every if every > 1 else self.layers
        return layers * 4 * (prod((kernel - 1, inner + 2 * groups * size)) + inner * size)

    def _size(self, name: str, usual: int) -> int:
        value = self._header.metadata.get(f"{self._header.architecture}.{name}")
        return value if isinstance(value, int) and value > 0 else usual

    def _per_layer(self, name: str, usual: int) -> list[int]:
        """A value for each layer, where a header may give one for all."""
        listed = self._header.numbers.get(f"{self._header.architecture}.{name}")
        if listed:
            return [max(int(value), 0) for value in listed]
        return [self._size(name, usual)] * self.layers
