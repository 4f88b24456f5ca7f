"""Made-up vocabularies for models with random weights: bytes, merges by rule, and the tags of a chat."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, product

import gguf

TAGS = ("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>")
CONTROLS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
REAL_SIZE = 248_320

_NORMAL, _CONTROL, _USER_DEFINED, _UNUSED = 1, 3, 4, 5
_SPACE, _LINE = "Ġ", "Ċ"
_LETTERS = "etaoinshrdlucmfwygpbvkjxqz"
_VOWELS = "aeiouy"
_SIGNS = (
    '":', '",', '"}', '{"', '"},', '"}}', '"}}}', '"],', ' "', ' {"', ' ["', '":{"', "\n\n", "  ", "    ",
)  # fmt: skip
# What prompts with tools are made of: each is one token, as in the vocabularies of real models.
_OFTEN = """
type description string function name parameters object properties required array items boolean enum integer
the a or in of to and is that it its with for from by as on at an this what when who where which how not no so
if all one new only every you your person people words said asked says ask tell tools tool call calls list
show find search read write move delete add change create make set get put send reply draft message messages
mail address addresses subject body text calendar event events task tasks date day days time hour minute
duration
place title invite note notes file files folder path contact phone number value setting settings device mode
complete cancel free trash item contents lines data instructions never something question unclear missing
monday friday tomorrow today morning lunch meeting dentist schedule remind reminder turn off at noon week
"""


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

    English text comes to about four letters a token.
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


def _learned(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Byte-pair merges, the most frequent first, until every word is one token."""
    parted = [tuple(word) for word in words]
    while pairs := Counter(pair for word in parted for pair in pairwise(word)):
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        yield best
        parted = [_joined(word, best) for word in parted]


def _joined(word: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    joined: list[str] = []
    for piece in word:
        if joined and (joined[-1], piece) == pair:
            joined[-1] += piece
        else:
            joined.append(piece)
    return tuple(joined)


def _merges() -> Iterator[tuple[str, str]]:
    """Those of frequent words and signs; then pairs of letters, and longer and longer pieces of words."""
    often = _OFTEN.split()
    signs = [sign.replace(" ", _SPACE).replace("\n", _LINE) for sign in _SIGNS]
    yield from _learned([*often, *(_SPACE + word for word in often), *signs])
    pairs = sorted(product(_LETTERS, repeat=2), key=lambda pair: sum(map(_LETTERS.index, pair)))
    said = ["".join(pair) for pair in pairs if (pair[0] in _VOWELS) != (pair[1] in _VOWELS)]
    yield from pairs
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
