"""What is loaded where: llama.cpp only in the model's own process, nothing that draws anywhere."""

import subprocess
import sys

import pytest

MODULES = (
    "local",
    "shelf.catalogue",
    "host.engine",
    "scripted",
    "starter.fetch",
    "dialects.choice",
    "held.constraint",
    "hub.fetch",
)
HEAVY = ("llama_cpp", "numpy", "jinja2", "textual", "rich", "gguf", "huggingface_hub.hf_api", "hf_xet")


@pytest.mark.parametrize("module", MODULES)
def test_outside_of_the_models_process_nothing_heavy_is_loaded(module: str) -> None:
    program = f"import sys, assistant.model.{module}; print(*[m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_models_process_draws_nothing() -> None:
    program = (
        "import sys, assistant.model.child.runner;"
        " print(*[m for m in ('textual', 'rich', 'llama_cpp') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["llama_cpp"]
