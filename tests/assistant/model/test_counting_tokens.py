"""How long prompts are is asked of the model that would read them; nothing is read for it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from assistant.model.base import ModelUnusable
from assistant.model.host.engine import Engine
from assistant.model.spec import DialectName, ModelSpec
from assistant.model.wire import Chat, Generate, Opened
from tests.assistant.model.toy import build_llama

CHAT = Chat(
    messages=({"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}),
    tools=({"type": "function"},),
    thinking=False,
)


@pytest.fixture
async def engine(toy_qwen: Path) -> AsyncIterator[Engine]:
    engine = Engine(ModelSpec("toy", "Toy", toy_qwen, DialectName.QWEN, context=2048))
    yield engine
    await engine.close()


async def test_texts_and_conversations_are_counted_in_their_order(engine: Engine) -> None:
    text, longer, chat = await engine.count(["hello there", "the cat " * 5000, CHAT])
    assert text == len("hello there") - 2  # "he" is one token, all else are bytes
    assert longer > 2048, "longer than the context is no fault"
    async for event in engine.generate(Generate(0, CHAT, 1)):
        if isinstance(event, Opened):
            assert event.tokens == chat


async def test_a_template_that_fails_is_said_to_fail(tmp_path: Path) -> None:
    path = build_llama(tmp_path / "odd.gguf", template="{{ raise_exception('no <function= today') }}")
    engine = Engine(ModelSpec("toy", "Toy", path, DialectName.QWEN))
    with pytest.raises(ModelUnusable, match="its chat template fails"):
        await engine.count([CHAT])
    await engine.close()
