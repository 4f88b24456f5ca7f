"""Made-up vocabularies for models with random weights: bytes, merges by rule, and the tags of a chat."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

import gguf

TAGS = ("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>")
CONTROLS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
REAL_SIZE = 248_320

_NORMAL, _CONTROL, _USER_DEFINED, _UNUSED = 1, 3, 4, 5
_SPACE = "Ġ"
_LETTERS = "etaoinshrdlucmfwygpbvkjxqz"
_VOWELS = "aeiouy"
_SIGNS = ('":', '",', '"}', '{"', '":{"', '"},"', "**", "__", "--", "ĊĊ", _SPACE * 2, _SPACE * 4)


@dataclass(frozen=True, slots=True)
class Words:
    """A vocabulary: its tokens with their kinds, and the merges that make them, first to last."""

    tokens: tuple[str, ...]
    kinds: tuple[int, ...]
    merges: tuple[str, ...]

    def add_to(self, writer: gguf.GGUFWriter, pre: str) -> None:
        """Write it; `pre` names the way in which llama.cpp parts a text before it merges."""
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre(pre)
        writer.add_token_list(list(self.tokens))
        writer.add_token_types(list(self.kinds))
        writer.add_token_merges(list(self.merges))
        writer.add_eos_token_id(self.tokens.index("<|im_end|>"))
        writer.add_bos_token_id(self.tokens.index("<|endoftext|>"))
        writer.add_pad_token_id(self.tokens.index("<|endoftext|>"))
        writer.add_add_bos_token(False)


def byte_characters() -> list[str]:
    """The characters that stand for the 256 bytes in a GPT-2 vocabulary."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte if byte in plain else next(others)) for byte in range(256)]


def few_words() -> Words:
    """All bytes, one merge and the tags: 266 tokens."""
    tokens = (*byte_characters(), "he", *CONTROLS, *TAGS)
    kinds = (*[_NORMAL] * 257, *[_CONTROL] * len(CONTROLS), *[_USER_DEFINED] * len(TAGS))
    return Words(tokens, kinds, ("h e",))


def many_words(size: int = REAL_SIZE, unused: int = 256) -> Words:
    """As many tokens as a large model has: merges of letters by rule, the tags, and some `unused` ones.

    English text comes to about three letters a token.
    """
    bytes_ = byte_characters()
    pairs = tuple(islice(_distinct(set(bytes_)), size - len(bytes_) - len(CONTROLS) - len(TAGS) - unused))
    pads = tuple(f"[PAD{number}]" for number in range(unused))
    tokens = (*bytes_, *(left + right for left, right in pairs), *CONTROLS, *TAGS, *pads)
    kinds = (
        *[_NORMAL] * (len(bytes_) + len(pairs)),
        *[_CONTROL] * len(CONTROLS),
        *[_USER_DEFINED] * len(TAGS),
        *[_UNUSED] * unused,
    )
    return Words(tokens, kinds, tuple(f"{left} {right}" for left, right in pairs))


def _distinct(known: set[str]) -> Iterator[tuple[str, str]]:
    """Each merge that makes something new of two things that are there."""
    for left, right in _merges():
        if left + right not in known and left in known and right in known:
            known.add(left + right)
            yield left, right


def _merges() -> Iterator[tuple[str, str]]:
    """Pairs of letters first, frequent ones before rare; then longer and longer pieces of words."""
    pairs = sorted(product(_LETTERS, repeat=2), key=lambda pair: sum(map(_LETTERS.index, pair)))
    said = ["".join(pair) for pair in pairs if (pair[0] in _VOWELS) != (pair[1] in _VOWELS)]
    yield from pairs
    for sign in _SIGNS:
        yield from ((sign[:at], sign[at:]) for at in range(1, len(sign)))
    yield from product(said, said)
    twos = ["".join(pair) for pair in pairs]
    yield from product(twos, _LETTERS)
    yield from product((_SPACE,), _LETTERS)
    yield from product((_SPACE,), twos)
    yield from ((_SPACE, a + b) for a, b in product(said, said))
    yield from ((_SPACE, a + b) for a, b in product(twos, _LETTERS))
    yield from product(_LETTERS.upper(), _LETTERS)
    yield from product(_LETTERS.upper(), twos)
    yield from product([_SPACE], _LETTERS.upper())
    yield from ((_SPACE, a + b) for a, b in product(_LETTERS.upper(), [*_LETTERS, *twos]))
    yield from product([a + b for a, b in product(said, said)], twos)
