"""Toy models, built once for all tests of the model."""

from pathlib import Path

import pytest

from tests.assistant.model.toy import build_llama, build_qwen


@pytest.fixture(scope="session")
def toy_qwen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hybrid model: its memory cannot be cut back to a common beginning."""
    return build_qwen(tmp_path_factory.mktemp("toy") / "toy-qwen.gguf")


@pytest.fixture(scope="session")
def toy_llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plain model."""
    return build_llama(tmp_path_factory.mktemp("toy") / "toy-llama.gguf")
