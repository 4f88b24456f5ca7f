"""How much memory a model needs, held against real loads, and what is said where there is less."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.model.base import ModelUnusable
from assistant.model.capacity.footprint import Footprint, footprint, need_memory, refusal
from assistant.model.host.engine import Engine
from assistant.model.shelf.gguf import Header, Value, read_header
from assistant.model.spec import DialectName, ModelSpec
from assistant.model.wire import Ended, Generate
from tests.assistant.model.toy import build_qwen
from tests.assistant.model.words import many_words

MB, GB = 1_000_000, 1_000_000_000
BOTPSY = ModelSpec("botpsy-q8", "BotPsy 0.8B (Q8_0)", Path("x.gguf"), DialectName.QWEN, context=8192)


def header(architecture: str, values: Mapping[str, Value], **rest: object) -> Header:
    own = {f"{architecture}.{name}": value for name, value in values.items()}
    return Header(
        {"general.architecture": architecture, "general.file_type": 7, **own},
        (),
        {"tokenizer.ggml.tokens": int(str(rest.get("words", 0)))},
        {f"{architecture}.attention.head_count_kv": tuple(rest["kv"])} if "kv" in rest else {},
    )


QWEN35 = header(
    "qwen35",
    {
        "block_count": 24,
        "embedding_length": 1024,
        "feed_forward_length": 3584,
        "attention.head_count": 8,
        "attention.head_count_kv": 2,
        "attention.key_length": 256,
        "attention.value_length": 256,
        "full_attention_interval": 4,
        "ssm.conv_kernel": 4,
        "ssm.state_size": 128,
        "ssm.group_count": 16,
        "ssm.inner_size": 2048,
    },
    words=248_320,
)
LLAMA = header(
    "llama",
    {"block_count": 30, "embedding_length": 576, "attention.head_count": 9, "attention.head_count_kv": 3},
)


def kept(one: Header) -> int:
    """Bytes kept of a token: what is left of its share without that of masking it."""
    return footprint(one, 0).token - 256 * 4 * 2


def test_with_an_adapter_each_token_is_weighed_against_the_context_for_each_head_at_once() -> None:
    assert footprint(LLAMA, 0, 1).token - footprint(LLAMA, 0).token == 256 * 4 * (9 + 3 - 2)


def test_a_hybrid_keeps_keys_and_values_only_in_the_layers_that_attend() -> None:
    assert kept(QWEN35) == 12 * 1024  # 6 layers, 2 heads, key and value of 256, 16 bits each


def test_a_plain_model_keeps_them_in_every_layer() -> None:
    assert kept(LLAMA) == 30 * 3 * 2 * 64 * 2


def test_layers_may_have_different_numbers_of_heads() -> None:
    values = {"block_count": 4, "attention.head_count": 8, "attention.key_length": 64}
    mixed = header("lfm2", {**values, "attention.value_length": 64}, kv=[0, 2, 0, 4])
    assert kept(mixed) == 6 * 128 * 2


def test_the_state_of_a_hybrid_and_its_checkpoints_are_part_of_what_does_not_grow() -> None:
    without = replace(QWEN35, metadata={k: v for k, v in QWEN35.metadata.items() if ".ssm." not in k})
    states = footprint(QWEN35, 0).fixed - footprint(without, 0).fixed
    assert states == pytest.approx((1 + 4) * 19.27 * 2**20, rel=0.01)


def test_a_header_that_says_little_is_taken_as_usual_ones_are() -> None:
    need = footprint(Header({"general.architecture": "new"}, ()), 4 * GB)
    assert 4.3 * GB < need.at(8192) < 12 * GB


@pytest.mark.parametrize("context", [1024, 8192])
async def test_a_real_load_that_reads_all_of_its_context_takes_about_what_was_said(
    toy_llama: Path, toy_qwen: Path, context: int
) -> None:
    for path in (toy_llama, toy_qwen):
        spec = replace(BOTPSY, path=path, context=context)
        need = footprint(read_header(path), path.stat().st_size).at(context)
        taken = await taken_by(spec, "a list of words " * (context // 16 - 3))
        assert taken < need * 1.1
        assert need < taken + 60 * MB + context * 10_000


async def test_a_large_vocabulary_is_counted(tmp_path: Path) -> None:
    path = build_qwen(tmp_path / "words.gguf", words=many_words(), quantised=True)
    need = footprint(read_header(path), path.stat().st_size).at(1024)
    taken = await taken_by(replace(BOTPSY, path=path, context=1024), "the list of messages " * 50)
    assert need * 0.7 < taken < need * 1.1


async def taken_by(spec: ModelSpec, prompt: str) -> int:
    """The largest memory of a model's process in bytes once it has read a prompt."""
    engine = Engine(spec)
    await engine.load()
    async for event in engine.generate(Generate(0, prompt, 1)):
        ended = event
    assert isinstance(ended, Ended)
    assert ended.reason == "limit"
    assert engine.pid
    taken = largest(engine.pid)
    await engine.close()
    return taken


def largest(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))


NEED = Footprint(weights=810 * MB, fixed=214 * MB, token=32_768, as_q4=530 * MB)


def test_what_fits_is_not_refused() -> None:
    assert refusal(BOTPSY, NEED, NEED.at(8192)) == ""


def test_too_little_memory_names_the_context_the_smaller_file_and_the_starter() -> None:
    assert refusal(BOTPSY, NEED, 1_200 * MB) == (
        "BotPsy 0.8B (Q8_0) needs 1.3 GB of memory with a context of 8,192 tokens, and 1.2 GB are free. It"
        " fits with context = 5120 under [models.botpsy-q8] in config.toml; or BotPsy 0.8B (Q4_K_M) is"
        " smaller: askfirst models get botpsy-q4; or the starter needs little: askfirst models use starter."
    )


def test_a_context_too_small_to_be_of_use_is_not_proposed() -> None:
    said = refusal(BOTPSY, NEED, 1_030 * MB)
    assert "fits" not in said
    assert "BotPsy 0.8B (Q4_K_M) is smaller" in said


def test_a_smaller_file_that_would_not_fit_either_is_not_proposed() -> None:
    said = refusal(BOTPSY, NEED, 400 * MB)
    assert "Q4_K_M" not in said
    assert said.endswith("The starter needs little: askfirst models use starter.")


def test_of_a_file_that_is_not_known_it_is_said_how_large_a_smaller_one_would_be() -> None:
    own = replace(BOTPSY, key="mine", title="Mine")
    assert "a Q4_K_M file of it has only about 530 MB" in refusal(own, NEED, 1_200 * MB)
    assert "Q4_K_M" not in refusal(own, replace(NEED, as_q4=0), 1_200 * MB)


def test_a_smaller_file_is_not_proposed_where_the_context_is_what_takes_the_memory() -> None:
    wide = replace(BOTPSY, key="mine", title="Mine", context=262_144)
    assert "Q4_K_M" not in refusal(wide, NEED, 4 * GB)
    assert "fits with context = 90112 under [models.mine]" in refusal(wide, NEED, 4 * GB)


def test_the_starter_itself_can_only_wait_for_room() -> None:
    starter = replace(BOTPSY, key="starter", title="Starter", context=2048)
    assert refusal(starter, NEED, 100 * MB).endswith("100 MB are free. End other programs first.")


@pytest.mark.parametrize("free", range(0, 1400 * MB, 70 * MB))
def test_a_context_that_is_proposed_does_fit(free: int) -> None:
    fitting = NEED.fitting(free, 8192)
    assert (fitting is None) == (NEED.at(2048) > free)
    if fitting is not None:
        assert NEED.at(fitting) <= free
        assert fitting <= 8192


async def test_a_model_that_does_not_fit_is_not_loaded(toy_llama: Path) -> None:
    engine = Engine(replace(BOTPSY, path=toy_llama), free=lambda: 1 * MB)
    with pytest.raises(ModelUnusable, match=r"needs \d+ MB of memory .* and 1 MB are free"):
        await engine.load()
    assert engine.pid is None


async def test_where_it_is_not_known_what_is_free_nothing_is_refused(toy_llama: Path) -> None:
    engine = Engine(replace(BOTPSY, path=toy_llama, context=1024), free=lambda: None)
    await engine.load()
    assert engine.ready
    await engine.close()


def test_what_is_wrong_with_a_file_is_left_to_loading_it(tmp_path: Path) -> None:
    need_memory(replace(BOTPSY, path=tmp_path / "none.gguf"), 1)
    (tmp_path / "bad.gguf").write_bytes(b"no model")
    need_memory(replace(BOTPSY, path=tmp_path / "bad.gguf"), 1)


def test_lists_in_a_header_are_told_by_their_length_and_short_ones_of_numbers_by_value(
    toy_qwen: Path,
) -> None:
    read = read_header(toy_qwen)
    assert read.lengths["tokenizer.ggml.tokens"] == 266
    assert read.numbers["qwen35.rope.dimension_sections"] == (2, 1, 1, 0)
    assert "tokenizer.ggml.tokens" not in read.numbers
