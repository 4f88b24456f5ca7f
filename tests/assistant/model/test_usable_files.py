"""A file that is no model in itself is refused with what it is instead."""

from collections.abc import Callable
from pathlib import Path

import gguf
import numpy as np
import pytest

from assistant.model.base import ModelUnusable
from assistant.model.shelf.catalogue import find
from assistant.model.shelf.importing import import_model
from assistant.model.shelf.tuning import Tuning
from assistant.model.shelf.usable import judged
from tests.assistant.model.toy import QWEN_TEMPLATE, build_llama, build_qwen


def write(
    path: Path, architecture: str, fill: Callable[[gguf.GGUFWriter], None], tensor: bool = True
) -> Path:
    """A small GGUF file with what `fill` puts in."""
    writer = gguf.GGUFWriter(path, architecture)
    fill(writer)
    if tensor:
        writer.add_tensor("token_embd.weight", np.zeros((4, 4), np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


@pytest.mark.parametrize(
    ("name", "architecture", "fill", "why"),
    [
        ("m-00001-of-00003.gguf", "llama", lambda w: None, "is one of 3 parts. Join them with"),
        ("part.gguf", "llama", lambda w: w.add_uint16("split.count", 3), "is one of 3 parts"),
        ("lora.gguf", "llama", lambda w: w.add_string("general.type", "adapter"), "is an adapter"),
        ("mmproj-f16.gguf", "clip", lambda w: None, "reads pictures for a model"),
        ("eyes.gguf", "qwen35", lambda w: w.add_string("general.type", "mmproj"), "reads pictures"),
        ("imatrix.gguf", "", lambda w: w.add_string("general.type", "imatrix"), "holds statistics"),
        ("odd.gguf", "", lambda w: None, "does not say what kind of model it is"),
        ("bert.gguf", "bert", lambda w: None, "has no chat template"),
        ("old.gguf", "llama", lambda w: w.add_chat_template("{{ messages }}"), "was not made to call tools"),
    ],
)  # fmt: skip
def test_what_is_no_model_for_tools_says_what_it_is(
    name: str, architecture: str, fill: Callable[[gguf.GGUFWriter], None], why: str, tmp_path: Path
) -> None:
    path = write(tmp_path / name, architecture, fill)
    with pytest.raises(ModelUnusable, match=why):
        judged(path)
    with pytest.raises(ModelUnusable, match=why):
        import_model(path, tmp_path / "cache")
    assert not (tmp_path / "cache" / "models").exists()


def test_a_vocabulary_without_weights_is_no_model(tmp_path: Path) -> None:
    path = write(tmp_path / "v.gguf", "qwen35", lambda w: w.add_chat_template(QWEN_TEMPLATE), tensor=False)
    with pytest.raises(ModelUnusable, match="holds a vocabulary but no weights"):
        judged(path)


def test_a_name_in_a_file_cannot_command_the_terminal(tmp_path: Path) -> None:
    def fill(writer: gguf.GGUFWriter) -> None:
        writer.add_name("Good\x1b]0;owned\x07 model" + "x" * 500)
        writer.add_chat_template(QWEN_TEMPLATE)

    title = judged(write(tmp_path / "m.gguf", "llama", fill)).title
    assert "\x1b" not in title
    assert "⟨U+001B⟩" in title
    assert len(title) < 120


def test_botpsy_by_any_name_thinks_and_others_do_not_unless_told(tmp_path: Path) -> None:
    plain = build_qwen(tmp_path / "some.gguf")
    named = tmp_path / "botpsy-0.8b-q8_0.gguf"
    named.write_bytes(plain.read_bytes())
    assert find(tmp_path, str(named)).thinking is True
    assert find(tmp_path, str(plain)).thinking is False
    assert find(tmp_path, str(plain), tuning=Tuning(thinking=True)).thinking is True
    assert find(tmp_path, str(named), thinking=False, tuning=Tuning(thinking=True)).thinking is False


def test_what_is_set_goes_before_what_the_catalogue_says(tmp_path: Path) -> None:
    path = build_llama(tmp_path / "m.gguf", context=4096)
    usual = find(tmp_path, str(path))
    tuned = find(tmp_path, str(path), tuning=Tuning(context=2048, thoughts=0, temperature=0.0, top_k=1))
    assert (usual.context, tuned.context) == (4096, 2048)
    assert (usual.thoughts, tuned.thoughts) == (768, 0)
    assert usual.sampling is not None
    assert tuned.sampling is not None
    assert (tuned.sampling.temperature, tuned.sampling.top_k) == (0.0, 1)
    assert tuned.sampling.top_p == usual.sampling.top_p
