"""A wrong name of a repository, a file or a hub ends in what was tried, what there is, and how to say it."""

import os
from pathlib import Path

import pytest

from assistant.model.hub.choosing import choose
from assistant.model.hub.words import FetchError, Hub, Interrupted, Listing, RemoteFile, Source
from tests.assistant.model.hub_bench import NAME, SOURCE, bench
from tests.assistant.model.hub_server import REPOSITORY, Fault, status

HUB = Hub("https://hub.example")


def listed(*names: str) -> Listing:
    return Listing("c", tuple(RemoteFile(name) for name in names))


def source(file: str) -> Source:
    return Source("botpsy-q8", REPOSITORY, file)


@pytest.mark.parametrize(
    ("pattern", "names", "chosen"),
    [
        ("*q8_0*.gguf", ["botpsy-0.8b-q8_0.gguf", "botpsy-0.8b-q4_k_m-imat.gguf"], "botpsy-0.8b-q8_0.gguf"),
        ("*q8_0*.gguf", ["BotPsy-0.8B-Q8_0.gguf", "README.md"], "BotPsy-0.8B-Q8_0.gguf"),
        ("*q4_k_m*.gguf", ["botpsy-0.8b-q4_k_m-imat.gguf", "x-q4_k_s.gguf"], "botpsy-0.8b-q4_k_m-imat.gguf"),
        ("*bf16*.gguf", ["mmproj-BF16.gguf", "BotPsy-BF16.gguf"], "BotPsy-BF16.gguf"),
        ("*q8_0*.gguf", ["gguf/Q8_0/model-q8_0.gguf"], "gguf/Q8_0/model-q8_0.gguf"),
        ("*q8_0*.gguf", ["m-Q8_0-00001-of-00002.gguf", "m-q8_0.gguf"], "m-q8_0.gguf"),
        ("A.gguf", ["a.gguf", "A.gguf"], "A.gguf"),
        ("*-q8_0.gguf", ["Qwen3.5-0.8B-Q8_0.gguf", "Qwen3.5-0.8B-UD-Q8_K_XL.gguf"], "Qwen3.5-0.8B-Q8_0.gguf"),
    ],
)  # fmt: skip
def test_the_file_that_was_meant_is_chosen(pattern: str, names: list[str], chosen: str) -> None:
    assert choose(listed(*names), source(pattern), HUB).name == chosen


@pytest.mark.parametrize(
    ("pattern", "names", "sentence"),
    [
        (
            "*q8_0*.gguf",
            ["a-q8_0.gguf", "b-q8_0.gguf"],
            r"several files like \*q8_0\*\.gguf: a-q8_0.gguf, b-q8",
        ),
        ("*q8_0*.gguf", ["a-q6_k.gguf", "x.txt"], r"no file like \*q8_0\*\.gguf\. It has: a-q6_k\.gguf\."),
        ("*q8_0*.gguf", ["model.safetensors"], "holds no GGUF file"),
        ("*q8_0*.gguf", ["m-00001-of-00002.gguf", "mmproj-f16.gguf"], "in parts or for pictures only"),
        ("*q8_0*.gguf", [f"{n}.gguf" for n in range(30)], r"7\.gguf and 22 more\."),
        ("*", ["evil\x1b[2J.gguf", "b.gguf"], r"evil⟨U\+001B⟩\[2J\.gguf"),
    ],
)
def test_no_or_several_files_are_told_with_what_there_is(
    pattern: str, names: list[str], sentence: str
) -> None:
    with pytest.raises(FetchError, match=sentence) as told:
        choose(listed(*names), source(pattern), HUB)
    assert "askfirst models get botpsy-q8 --repository NAME --file FILE" in str(told.value)
    assert "[models.botpsy-q8]" in str(told.value)
    assert "askfirst models import FILE" in str(told.value)
    assert str(told.value).endswith("https://hub.example/models?search=botpsy+gguf")


async def test_a_repository_that_is_not_there_says_how_to_name_another(tmp_path: Path) -> None:
    told = r"has no repository qvac/Wrong, .*--repository NAME.*search="
    with bench(b"", tmp_path) as b, pytest.raises(FetchError, match=told):
        await b.fetch(Source("botpsy-q8", "qvac/Wrong", "*.gguf"))


async def test_a_revision_that_is_not_there_is_named(tmp_path: Path) -> None:
    with bench(b"", tmp_path) as b, pytest.raises(FetchError, match=r"has no revision v9\. Name another"):
        await b.fetch(Source("botpsy-q8", REPOSITORY, "*.gguf", "v9"))


@pytest.mark.parametrize("repository", ["no", "a/b/c", "../etc", "a b/c", "", "x" * 200])
async def test_what_cannot_be_a_repository_says_so(repository: str, tmp_path: Path) -> None:
    told = r"cannot be the name of a repository|has no repository"
    with bench(b"", tmp_path) as b, pytest.raises(FetchError, match=told):
        await b.fetch(Source("botpsy-q8", repository, "*.gguf"))


@pytest.mark.parametrize(
    "endpoint", ["localhost:1", "ftp://hub.example", "", "http://", "https://[", "hub example"]
)
async def test_what_cannot_be_a_hub_says_so(endpoint: str, tmp_path: Path) -> None:
    with bench(b"", tmp_path) as b:
        with pytest.raises(FetchError, match=r"no address of a hub|cannot be reached|as a hub does") as told:
            await b.fetch(endpoint=endpoint or "//")
        assert "Traceback" not in str(told.value)


async def test_a_closed_repository_says_what_a_token_is_for(tmp_path: Path) -> None:
    with bench(b"", tmp_path) as b:
        b.hub.list_faults = [status(403)]
        with pytest.raises(
            FetchError, match=r"does not show .* to everybody\. If you have a token .*HF_TOKEN"
        ):
            await b.fetch()


@pytest.mark.parametrize(
    "answer",
    [b"{", b"[]", b"null", b'{"id": "a"}', b'{"id": "a", "siblings": [1]}', b"<html>", b"[" * 200_000,
     b'{"id": "a", "siblings": [{"rfilename": 5}]}', b'{"id": "a", "sha": 5, "siblings": []}', b"\xff\xfe",
     b'{"id": "a", "siblings": {"rfilename": "x"}}',
     b'{"id": "a", "siblings": [{"rfilename": "x", "lfs": {"size": 1, "sha256": 5, "pointerSize": 1}}]}'],
    ids=lambda answer: repr(answer[:40]),
)  # fmt: skip
async def test_an_answer_that_is_no_list_is_no_crash(answer: bytes, tmp_path: Path) -> None:
    with bench(b"", tmp_path) as b:
        b.hub.list_faults = [Fault(body=answer)]
        with pytest.raises(FetchError, match=r"not as a hub does|does not say what"):
            await b.fetch()


async def test_the_token_is_in_no_sentence(tmp_path: Path) -> None:
    with bench(b"x", tmp_path) as b:
        b.token, b.hub.need_token = "hf_secret", "another"
        with pytest.raises(FetchError) as told:
            await b.fetch()
        assert "hf_secret" not in f"{told.value!r}{told.value.__cause__!r}"


def test_a_token_never_goes_over_the_network_for_everybody_to_read() -> None:
    def token(endpoint: str) -> str | None:
        return Hub(endpoint, lambda: "t").allowed_token()

    assert token("https://hub.example") == "t"
    assert token("http://127.0.0.1:8000") == "t"
    assert token("http://localhost") == "t"
    assert token("http://hub.example") is None
    assert token("http://10.0.0.1") is None


async def test_nothing_of_this_machine_is_told_to_the_hub(tmp_path: Path) -> None:
    assert os.environ["HF_HUB_DISABLE_TELEMETRY"] == "1"
    with bench(b"x", tmp_path, name=NAME) as b:
        b.hub.list_faults = [status(500)] * 9
        with pytest.raises(Interrupted):
            await b.fetch(SOURCE)
        agents = set(b.hub.agents)
        assert len(agents) == 1
        assert "torch" not in str(agents)
        assert "agent/" not in str(agents)
