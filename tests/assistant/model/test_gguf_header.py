"""What a GGUF file says of itself, and that a broken one is found out before it is loaded."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.model.base import ModelUnusable
from assistant.model.shelf.gguf import read_header, template_in
from tests.assistant.model.toy import QWEN_TEMPLATE


def test_a_whole_file_tells_its_kind_its_template_and_its_context(toy_qwen: Path) -> None:
    header = read_header(toy_qwen)
    assert header.architecture == "qwen35"
    assert header.template == QWEN_TEMPLATE
    assert header.trained_context == 32768
    assert header.metadata["qwen35.rope.freq_base"] == 1e7
    assert header.metadata["tokenizer.ggml.add_bos_token"] is False
    assert "token_embd.weight" in header.tensors
    assert not header.is_adapter


@pytest.mark.parametrize("left", [4, 20, 24, 100, 3000, 30_000, -1, -5000])
def test_a_file_that_ends_too_early_is_not_whole(toy_qwen: Path, tmp_path: Path, left: int) -> None:
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(toy_qwen.read_bytes()[:left])
    with pytest.raises(ModelUnusable, match=r"cut\.gguf is not whole"):
        read_header(cut)


@pytest.mark.parametrize("content", [b"", b"GGU", b"<html>not found</html>", b"PK\x03\x04" + b"\0" * 100])
def test_another_kind_of_file_is_no_model(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "page.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelUnusable, match=r"page\.gguf is not a GGUF model file"):
        read_header(path)


def test_a_file_that_is_not_there_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ModelUnusable, match="No such file"):
        read_header(tmp_path / "missing.gguf")


def test_a_word_that_is_said_to_be_longer_than_any_file_ends_too_early(
    toy_qwen: Path, tmp_path: Path
) -> None:
    data = bytearray(toy_qwen.read_bytes())
    key = b"tokenizer.ggml.tokens"
    first_length = data.index(key) + len(key) + 4 + 4 + 8
    data[first_length : first_length + 8] = b"\xff" * 8
    path = tmp_path / "long.gguf"
    path.write_bytes(bytes(data))
    with pytest.raises(ModelUnusable, match=r"long\.gguf is not whole"):
        read_header(path)


def test_a_file_that_has_changed_is_read_again(toy_qwen: Path, toy_llama: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(toy_qwen.read_bytes())
    assert read_header(path).architecture == "qwen35"
    path.write_bytes(toy_llama.read_bytes())
    assert read_header(path).architecture == "llama"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=400), st.integers(0, 400))
def test_no_bytes_make_it_fail_in_another_way(toy_qwen: Path, tmp_path: Path, noise: bytes, at: int) -> None:
    data = bytearray(toy_qwen.read_bytes()[:20_000])
    data[at : at + len(noise)] = noise
    path = tmp_path / "noise.gguf"
    path.write_bytes(bytes(data))
    with pytest.raises(ModelUnusable):
        read_header(path)


def test_of_several_templates_that_for_tools_is_taken() -> None:
    plain, with_tools = "{{ messages }}", "{{ tools }}"
    assert template_in({"tokenizer.chat_template": plain}) == plain
    named = {"tokenizer.chat_template": plain, "tokenizer.chat_template.tool_use": with_tools}
    assert template_in(named) == with_tools
    assert template_in({"tokenizer.chat_template": plain, "tokenizer.chat_template.tool_use": " "}) == plain
    assert template_in({"tokenizer.chat_template": ["x"]}) is None


@pytest.mark.parametrize("name", ["evil\x1b[2J.gguf", "odd\udcff.gguf", "two\nlines.gguf"])
def test_a_file_s_name_cannot_command_the_terminal(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"no model")
    with pytest.raises(ModelUnusable) as told:
        read_header(path)
    assert str(told.value).isprintable()
    path.unlink()
    with pytest.raises(ModelUnusable) as told:
        read_header(path)
    assert str(told.value).isprintable()
