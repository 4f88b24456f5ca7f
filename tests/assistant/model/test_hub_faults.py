"""Whatever goes wrong, in whatever order: only the right file is ever usable, all else is a sentence."""

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.model.base import ModelUnusable
from assistant.model.shelf.catalogue import installed, models_folder
from tests.assistant.model.hub_bench import Bench, bench
from tests.assistant.model.hub_server import Fault, status, web_page

ROUNDS, SEEDS = 3, int(os.environ.get("ASKFIRST_FAULT_RUNS", "40"))

Maker = Callable[[random.Random, int], Fault]

FAULTS: tuple[Maker, ...] = (
    lambda r, size: Fault(cut=r.randrange(size)),
    lambda r, size: Fault(cut=r.randrange(200)),
    lambda r, size: Fault(flip=r.randrange(size)),
    lambda r, size: Fault(flip=r.randrange(size), cut=r.randrange(size)),
    lambda r, size: Fault(length=r.choice((-5000, -1, 1, 5000))),
    lambda r, size: Fault(ignore_range=True, cut=r.choice((None, r.randrange(size)))),
    lambda r, size: Fault(shift=r.randrange(1, 5000)),
    lambda r, size: Fault(stall=True),
    lambda r, size: Fault(headers={"Content-Length": "", "Connection": "close"}, cut=r.randrange(size)),
    lambda r, size: Fault(headers={"Content-Length": "", "Connection": "close"}, extra=b"x" * 100),
    lambda r, size: Fault(headers={"Content-Range": "bytes nonsense"}),
    lambda r, size: Fault(headers={"ETag": f'"{r.random()}"'}),
    lambda r, size: Fault(headers={"Content-Encoding": "br"}),
    lambda r, size: web_page(),
    lambda r, size: Fault(body=b""),
    lambda r, size: Fault(body=b"GGUF", headers={"Content-Length": str(size)}),
    lambda r, size: status(r.choice((401, 403, 404, 410, 416, 418, 429, 500, 502, 503, 504))),
    lambda r, size: status(429, Retry_After=r.choice(("3", "9999", "soon", "Mon, 30 Nov 2026 10:00:00 GMT"))),
)
LIST_FAULTS: tuple[Maker, ...] = (
    lambda r, size: status(r.choice((401, 403, 404, 429, 500, 503))),
    lambda r, size: web_page(),
    lambda r, size: Fault(body=b"{"),
    lambda r, size: Fault(body=b'{"id": "a/b", "siblings": [1]}'),
    lambda r, size: Fault(body=b'{"siblings": null, "id": 1}'),
    lambda r, size: Fault(body=b"[]"),
    lambda r, size: Fault(cut=20),
)


@pytest.fixture
def data(toy_qwen: Path) -> bytes:
    return toy_qwen.read_bytes()


@pytest.mark.parametrize("seed", range(SEEDS))
async def test_only_the_right_file_is_ever_usable(seed: int, data: bytes, tmp_path: Path) -> None:
    random_ = random.Random(seed)
    with bench(data, tmp_path) as b:
        b.silence = 0.05
        for _ in range(ROUNDS):
            b.hub.faults = [random_.choice(FAULTS)(random_, len(data)) for _ in range(random_.randrange(7))]
            b.hub.list_faults = [
                random_.choice(LIST_FAULTS)(random_, 0) for _ in range(random_.choice((0, 0, 0, 1)))
            ]
            assert is_plain(await outcome(b))
            for model in installed(tmp_path):
                assert (models_folder(tmp_path) / model.file).read_bytes() == data
        b.hub.faults = b.hub.list_faults = []
        await b.fetch()
        assert b.left == ["botpsy-q8.gguf", "botpsy-q8.json"]


async def outcome(b: Bench) -> str:
    """What the person is told."""
    try:
        return f"{(await b.fetch()).title} is here."
    except ModelUnusable as error:
        return str(error)


def is_plain(text: str) -> bool:
    """True for whole sentences without a word of Python, of a library or of an unseen character."""
    foreign = ("Error", "Exception", "Traceback", "httpx", "huggingface_hub", "None", "object at", "\n")
    return text[0].isalnum() and text.endswith((".", "?", "+gguf")) and not any(w in text for w in foreign)
