"""The models that Askfirst knows of, where they are published, and how each family is asked."""

from dataclasses import dataclass, field

from assistant.model.spec import DialectName
from assistant.model.starter import BASE_SIZE, KEY, TITLE
from assistant.model.wire import Sampling

CONTEXT = 8192
"""The context in tokens that a goal with its tools and results needs."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How the models of a family are asked.

    `thinking` and `plain` are how tokens are chosen with and without reasoning; `thinks` says whether they
    reason unless told otherwise, and `thoughts` after how many tokens of reasoning it is closed.
    """

    thinking: Sampling
    plain: Sampling
    thinks: bool = False
    thoughts: int = 768


# From the card of Qwen3.5-0.8B: precise work with reasoning; without, the narrower values of Qwen3, because
# the card's are for free text and would have a call's words avoided that were said before.
_QWEN_THINKING = Sampling(temperature=0.6, top_k=20, top_p=0.95, min_p=0.0, presence=0.0)
_QWEN_PLAIN = Sampling(temperature=0.7, top_k=20, top_p=0.8, min_p=0.0, presence=0.0)

QWEN = Manner(_QWEN_THINKING, _QWEN_PLAIN)
BOTPSY = Manner(_QWEN_THINKING, _QWEN_PLAIN, thinks=True)
OTHERS = Manner(
    Sampling(temperature=0.6, top_k=20, top_p=0.95, min_p=0.0),
    Sampling(temperature=0.2, top_k=40, top_p=0.95, min_p=0.05),
)


@dataclass(frozen=True, slots=True)
class Known:
    """A model that Askfirst knows of.

    Models on a hub have the `repository` they are published in, a name or pattern of the `file` there, and
    a `revision` (a branch, a tag or a commit). Their size in bytes is rough.
    """

    key: str
    title: str
    about: str
    size: int = 0
    licence: str = ""
    repository: str = ""
    file: str = ""
    revision: str = "main"
    manner: Manner = field(default=OTHERS, repr=False)
    context: int = CONTEXT


_BOTPSY = "qvac/BotPsy-0.8B-GGUF"

KNOWN = (
    Known(KEY, TITLE, "small and quick; made for Askfirst's own tools", BASE_SIZE, "Apache-2.0"),
    Known(
        key="botpsy-q8",
        title="BotPsy 0.8B (Q8_0)",
        about="recommended: plans in steps, reads results, answers you",
        size=810_000_000,
        licence="Apache-2.0",
        repository=_BOTPSY,
        file="*q8_0*.gguf",
        manner=BOTPSY,
    ),
    Known(
        key="botpsy-q4",
        title="BotPsy 0.8B (Q4_K_M)",
        about="the same, where memory is tight",
        size=530_000_000,
        licence="Apache-2.0",
        repository=_BOTPSY,
        file="*q4_k_m*.gguf",
        manner=BOTPSY,
    ),
    Known(
        key="botpsy-bf16",
        title="BotPsy 0.8B (BF16)",
        about="the same in full, twice as large and slower",
        size=1_520_000_000,
        licence="Apache-2.0",
        repository=_BOTPSY,
        file="*bf16*.gguf",
        manner=BOTPSY,
    ),
    Known(
        key="qwen35-08b",
        title="Qwen3.5 0.8B (Q8_0)",
        about="what BotPsy was made from; calls tools less surely",
        size=812_000_000,
        licence="Apache-2.0",
        repository="unsloth/Qwen3.5-0.8B-GGUF",
        file="*-q8_0.gguf",
        manner=QWEN,
    ),
    Known(
        key="qwen35-2b",
        title="Qwen3.5 2B (Q4_K_M)",
        about="larger: surer, and slower",
        size=1_280_000_000,
        licence="Apache-2.0",
        repository="unsloth/Qwen3.5-2B-GGUF",
        file="*-q4_k_m.gguf",
        manner=QWEN,
    ),
    Known(
        key="qwen35-4b",
        title="Qwen3.5 4B (Q4_K_M)",
        about="for machines with a fast processor and 8 GB",
        size=2_740_000_000,
        licence="Apache-2.0",
        repository="unsloth/Qwen3.5-4B-GGUF",
        file="*-q4_k_m.gguf",
        manner=QWEN,
    ),
)


RECOMMENDED = KNOWN[1]


def key_of(word: str) -> str:
    """The key that a word means: itself, or the first known one that begins with it, as `botpsy` does."""
    keys = [known.key for known in KNOWN]
    return word if word in keys else next((key for key in keys if key.startswith(f"{word}-")), word)


def known_as(key: str) -> Known | None:
    """What is known of the model with this key."""
    return next((known for known in KNOWN if known.key == key), None)


def manner_of(key: str, title: str, architecture: str, dialect: DialectName) -> Manner:
    """How a model is asked: as its key or its own name says, or else its architecture."""
    known = known_as(key)
    if known:
        return known.manner
    if "botpsy" in f"{key} {title}".casefold():
        return BOTPSY
    return QWEN if dialect is DialectName.QWEN or architecture.startswith("qwen3") else OTHERS
