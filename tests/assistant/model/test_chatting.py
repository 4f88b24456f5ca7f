"""The tokens of a chat's answer: drawn freely, and drawn again only where they cannot come."""

import random

import numpy as np
import numpy.typing as npt
import pytest

from assistant.model.child.chatting import Chatting
from assistant.model.child.sampling import Sampler
from assistant.model.child.voice import Voice
from assistant.model.dialects.schema import tool_schemas
from assistant.model.held.spoken import Spoken
from assistant.model.shapes import ToolShape, call_shapes
from assistant.model.wire import Said, Sampling
from connectors.settings.tools import TOOLS as SETTINGS
from tests.assistant.model.pieces import END, FewPieces

SHAPES = call_shapes(tool_schemas(SETTINGS)[:1])  # settings.get


class Mind:
    """Says what it would like to say next, as logits."""

    def __init__(self, pieces: FewPieces) -> None:
        self._pieces = pieces
        self._logits = np.zeros(pieces.size, np.single)

    def wish(self, *texts: str) -> None:
        """The first is likeliest, then the next; all else is less likely."""
        self._logits = np.linspace(0, -1, self._pieces.size, dtype=np.single)
        for rank, text in enumerate(texts):
            self._logits[self._pieces.id_of(text)] = 50.0 - rank

    def logits(self) -> npt.NDArray[np.single]:
        return self._logits


class Talk:
    """A chat with all its parts, and what was picked so far."""

    def __init__(
        self,
        form: str = "xml",
        *,
        tools: tuple[ToolShape, ...] = SHAPES,
        thinking: bool = False,
        top_k: int = 5,
        presence: float = 0.0,
    ) -> None:
        self.pieces = FewPieces()
        self.mind = Mind(self.pieces)
        self.spoken = Spoken(tools, form, thinking=thinking)
        sampler = Sampler(Sampling(top_k=top_k, presence=presence), 1)
        self.chatting = Chatting(self.pieces, self.pieces.tokenise, self.mind.logits, sampler, self.spoken)

    def pick(self, *texts: str) -> str:
        """What is picked when the model would like to say these, likeliest first."""
        self.mind.wish(*texts)
        return self.text(self.chatting.pick())

    def text(self, tokens: list[int]) -> str:
        return b"".join(map(self.pieces.data, tokens)).decode()


def test_what_is_likeliest_is_said() -> None:
    talk = Talk()
    assert talk.pick("hello", " there") == "hello"
    assert talk.pick(" there") == " there"
    assert talk.pick("<|im_end|>", "hello") == "<|im_end|>"


def test_once_a_call_begins_what_must_follow_comes_with_it() -> None:
    talk = Talk()
    assert talk.pick("<tool_call>") == "<tool_call>\n<function=settings.get>\n"
    assert talk.pick("</", "parameter") == "</function>\n"
    assert talk.pick("</tool_call>", "<|im_end|>") == "</tool_call>"
    assert talk.spoken.may_end


def test_what_cannot_come_is_passed_over_for_the_next_likely() -> None:
    talk = Talk()
    talk.pick("<tool_call>")
    assert talk.pick("hello", "<|im_end|>", "<tool_call>", "</think>", "</") == "</function>\n"


def test_where_nothing_that_was_drawn_can_come_a_way_on_is_taken() -> None:
    talk = Talk(top_k=2)
    talk.pick("<tool_call>")
    picked = talk.pick("hello", " there")
    assert picked.startswith("<")


def test_where_text_is_free_and_nothing_drawn_can_come_the_likeliest_that_can_is_taken() -> None:
    ask = call_shapes(tool_schemas(()))
    talk = Talk(tools=ask, top_k=1)
    talk.pick("<tool_call>")
    while talk.spoken.ways():
        talk.pick("<|im_end|>")
    assert talk.pick("<|im_end|>", "<tool_response>", "hello") == "hello"


def test_in_a_call_may_be_repeated_what_was_said() -> None:
    talk = Talk(tools=call_shapes(tool_schemas(())), presence=3.0)
    assert talk.pick("hello", " there") == "hello"
    assert talk.pick("hello", " there") == " there"
    talk.pick("<tool_call>")
    while talk.spoken.ways():
        talk.pick("<|im_end|>")
    assert talk.pick("hello", "!") == "hello"


def test_special_tokens_that_are_text_to_their_vocabulary_are_text() -> None:
    talk = Talk(tools=call_shapes(tool_schemas(())))
    assert talk.pick("<b>") == "<b>"
    assert talk.pick("\n\n") == "\n\n"
    talk.pick("<tool_call>")
    while talk.spoken.ways():
        talk.pick("<|im_end|>")
    assert talk.pick("<tool_response>", "<b>") == "<b>"
    assert talk.pick("[TOOL_CALLS]", "\n\n") == "\n\n"


def test_calls_in_other_forms_are_left_to_the_reader() -> None:
    talk = Talk()
    assert talk.pick("<tool_response>", "[TOOL_CALLS]") == "[TOOL_CALLS]"
    assert talk.pick("hello") == "hello"
    assert talk.pick("<tool_response>") == "<tool_response>"
    assert talk.pick("<|im_end|>") == "<|im_end|>"


def test_the_end_does_not_come_within_a_call() -> None:
    talk = Talk()
    said = talk.pick("<tool_call>")
    for _ in range(40):
        if talk.spoken.may_end:
            break
        said += talk.pick("<|im_end|>")
    assert said.endswith("</tool_call>")
    assert talk.pick("<|im_end|>") == "<|im_end|>"


def test_reasoning_is_closed_as_the_template_writes_it() -> None:
    talk = Talk(thinking=True)
    talk.pick("hello")
    assert talk.chatting.thinking
    tokens = talk.chatting.close_thought()
    assert talk.text(tokens) == "\n</think>\n\n"
    assert talk.pieces.id_of("</think>") in tokens
    assert not talk.chatting.thinking


@pytest.mark.parametrize("form", ["xml", "json"])
def test_whatever_a_model_would_like_to_say_its_calls_come_to_an_end(form: str) -> None:
    chance = random.Random(form)
    for _ in range(20):
        talk = Talk(form, top_k=chance.choice([1, 5, 40]))
        talk.pick("<tool_call>")
        for _ in range(400):
            if talk.spoken.may_end:
                break
            talk.mind.wish(*(talk.text([chance.randrange(128)]) for _ in range(6)))
            talk.chatting.pick()
        assert talk.spoken.may_end


def voice(pieces: FewPieces, times: list[float]) -> tuple[Voice, list[Said]]:
    heard: list[Said] = []
    return Voice(1, pieces, heard.append, lambda: times[0]), heard


def test_text_that_comes_fast_is_said_together() -> None:
    pieces, now = FewPieces(), [10.0]
    speaker, heard = voice(pieces, now)
    speaker.say(pieces.tokenise("hello"))
    speaker.say(pieces.tokenise(" there"))
    assert heard == [Said(1, "hello")]
    now[0] += 0.03
    speaker.say(pieces.tokenise("!"))
    assert heard[1:] == [Said(1, " there!")]
    speaker.say(pieces.tokenise("?"))
    speaker.finish()
    assert heard[2:] == [Said(1, "?")]
    speaker.finish()
    assert len(heard) == 3


def test_a_character_is_said_when_it_is_whole_and_a_broken_one_as_a_sign_of_it() -> None:
    pieces, now = FewPieces(), [10.0]
    speaker, heard = voice(pieces, now)
    for byte in "é".encode():
        now[0] += 1
        speaker.say([byte])
    assert heard == [Said(1, "é")]
    speaker.say([0xE2, 0x82])
    speaker.finish()
    assert heard[1:] == [Said(1, "\ufffd")]


def test_a_special_token_is_said_by_itself_and_in_its_place() -> None:
    pieces, now = FewPieces(), [10.0]
    speaker, heard = voice(pieces, now)
    speaker.say([*pieces.tokenise("a<think>b"), *pieces.tokenise("c</think>")])
    assert heard == [
        Said(1, "a"),
        Said(1, "<think>", mark=True),
        Said(1, "bc"),
        Said(1, "</think>", mark=True),
    ]
    assert not pieces.is_mark(255)
    assert pieces.is_mark(END)
