"""`askfirst models`: each action does what it says, and says in a sentence what it did or why not."""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assistant.model.base import ModelError
from connectors.config import load
from tests.assistant.model.hub_server import Fault, HubServer, serving, status
from tests.assistant.model.toy import build_llama, build_qwen
from tests.interrupts import heed_interrupts
from tui.models import models
from tui.places import Places, below
from tui.settings import Settings

NAME = "botpsy-0.8b-q8_0.gguf"


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_qwen(tmp_path_factory.mktemp("toy") / "toy.gguf")


@pytest.fixture
def places(tmp_path: Path) -> Places:
    here = below(tmp_path / "home")
    here.make()
    return here


@pytest.fixture
def hub(toy: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    with serving(HubServer({NAME: toy.read_bytes(), "other.gguf": toy.read_bytes()})) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.address)
        yield server


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(places: Places, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs one action; gives its exit code and all that it wrote."""

    def one(action: str = "list", what: str = "", **more: object) -> tuple[int, str]:
        usual = {"repository": None, "file": None, "yes": False, "json": False}
        options = argparse.Namespace(action=action, what=what, **{**usual, **more})
        try:
            code = models(options, places)
        except ModelError as error:
            return 1, str(error)
        written = capsys.readouterr()
        return code, written.out + written.err

    return one


def configure(places: Places, text: str) -> None:
    (places.config / "config.toml").write_text(text)


def test_a_fetched_model_is_listed_used_and_removed(run: Run, places: Places, hub: HubServer) -> None:
    assert run("get", "botpsy") == (
        0,
        "BotPsy 0.8B (Q8_0) is here as “botpsy-q8”, whole (1 MB)."
        " Use it: askfirst models use botpsy-q8\n",
    )  # fmt: skip
    assert "✓ botpsy-q8    here, 1 MB, Apache-2.0, takes" in run()[1]
    assert run("use", "botpsy-q8") == (0, "From now on Askfirst uses BotPsy 0.8B (Q8_0).\n")
    assert load(places.config / "config.toml", Settings).model == "botpsy-q8"
    assert "▸ botpsy-q8    in use" in run()[1]
    assert "is in use. Use another first" in run("remove", "botpsy-q8", yes=True)[1]
    configure(places, 'model = "starter"\n')
    assert run("remove", "botpsy-q8", yes=True) == (0, "botpsy-q8 is removed: 1 MB are free again.\n")
    assert "  botpsy-q8    not here" in run()[1]
    assert not list((places.cache / "models").iterdir())


def test_a_broken_line_says_how_to_go_on_and_the_list_how_much_is_here(
    run: Run, hub: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.faults = [Fault(cut=400_000), status(429, Retry_After="3600")]
    code, said = run("get", "botpsy-q8")
    assert code == 1
    assert said.endswith("goes on from there. To go on: askfirst models get botpsy-q8\n")
    assert "50 % fetched" in run()[1]
    row = next(row for row in json.loads(run(json=True)[1]) if row["key"] == "botpsy-q8")
    assert (row["here"], row["active"], round(row["fetched"], 2)) == (False, False, 0.5)
    assert run("remove", "botpsy-q8", yes=True)[0] == 0
    assert "not here" in run()[1].split("botpsy-q8")[1]


def test_nothing_is_removed_without_a_yes(run: Run, hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    run("get", "botpsy-q8")
    monkeypatch.setattr("tui.models.present", lambda: False)
    code, said = run("remove", "botpsy-q8")
    assert code == 3
    assert "BotPsy 0.8B (Q8_0) is deleted, which frees 1 MB. Nobody was there to say yes" in said
    assert "✓ botpsy-q8" in run()[1]


def test_settings_say_where_a_model_is_and_add_others(run: Run, places: Places, hub: HubServer) -> None:
    hub.repository = "me/mine"
    configure(
        places,
        '[models.botpsy-q8]\nrepository = "me/mine"\nfile = "other.gguf"\n'
        '[models.extra]\nrepository = "me/mine"\nfile = "other.gguf"\nthinking = true\ncontext = 2048\n',
    )
    assert "extra" in run()[1]
    assert run("get", "botpsy-q8")[0] == 0
    assert run("get", "extra")[0] == 0
    assert [asked.path.rpartition("/")[2] for asked in hub.asked] == ["other.gguf", "other.gguf"]
    assert run("use", "extra") == (0, "From now on Askfirst uses Toy Qwen.\n")


def test_what_is_said_on_the_line_goes_before_the_settings(run: Run, hub: HubServer) -> None:
    hub.repository = "you/yours"
    assert run("get", "mine", repository="you/yours", file="OTHER*")[0] == 0
    assert "✓ mine" in run()[1]


def test_a_model_of_one_s_own_that_has_begun_is_listed_and_gone_on_with_by_its_name(
    run: Run, hub: HubServer
) -> None:
    hub.repository = "you/yours"
    hub.faults = [Fault(cut=400_000), status(429, Retry_After="3600")]
    assert (
        "To go on: askfirst models get mine\n" in run("get", "mine", repository="you/yours", file="other*")[1]
    )
    assert "  mine         50 % fetched, 1 MB" in run()[1]
    assert run("get", "mine")[0] == 0
    assert hub.asked[-1].range == "bytes=400000-"
    assert "✓ mine" in run()[1]


@pytest.mark.parametrize(
    ("key", "more", "sentence"),
    [
        ("botpsy-q8", {"repository": "qvac/Wrong"}, "has no repository qvac/Wrong"),
        ("botpsy-q8", {"file": "nope.gguf"}, f"no file like nope.gguf. It has: {NAME}, other.gguf."),
        ("llama", {}, "It is not known where to get “llama”. Known are starter, botpsy-q8"),
        ("../../x", {}, "cannot name a model"),
        ("x", {"repository": "nope"}, "The repository nope must be an owner and a name, such as qvac/BotPsy"),
        ("x", {"repository": "a/b/c"}, "The repository a/b/c must be an owner and a name"),
    ],
)
def test_a_wrong_name_is_a_sentence(
    run: Run, hub: HubServer, key: str, more: dict[str, str], sentence: str
) -> None:
    code, said = run("get", key, **more)
    assert code == 1
    assert sentence in said


def test_the_token_comes_from_the_chain_and_is_never_shown(
    run: Run, places: Places, hub: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.need_token = "hf_abc"
    assert run("get", "botpsy-q8")[0] == 1
    monkeypatch.setenv("HF_TOKEN", "hf_wrong")
    assert "hf_wrong" not in run("get", "botpsy-q8")[1]
    monkeypatch.delenv("HF_TOKEN")
    folder = places.config / "secrets"
    folder.mkdir(mode=0o700)
    (folder / "hub-token").write_text("hf_abc\n")
    (folder / "hub-token").chmod(0o600)
    code, said = run("get", "botpsy-q8")
    assert (code, "hf_abc" in said) == (0, False)


def test_a_token_that_cannot_be_had_is_said(run: Run, places: Places, hub: HubServer) -> None:
    configure(places, '[hub]\ntoken.file = "/nonexistent/token"\n')
    assert "The hub's token cannot be had." in run("get", "botpsy-q8")[1]


def test_an_imported_file_is_tried_first(run: Run, toy: Path) -> None:
    assert run("import", str(toy)) == (0, "Toy Qwen is here as “toy”. Use it: askfirst models use toy\n")


def test_a_file_that_llama_cpp_cannot_load_is_refused_with_its_reason(run: Run, tmp_path: Path) -> None:
    strange = tmp_path / "strange.gguf"
    strange.write_bytes(build_llama(tmp_path / "l.gguf").read_bytes().replace(b"llama", b"lxxma"))
    code, said = run("import", str(strange))
    assert code == 1
    assert "unknown model architecture: 'lxxma'" in said
    assert "strange" not in run()[1]


def test_a_file_that_needs_more_memory_than_there_is_is_refused(
    run: Run, toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.model.shelf.trial.available_memory", lambda: 1_000_000)
    code, said = run("import", str(toy))
    assert code == 1
    assert "of memory" in said
    assert "✓ toy" not in run()[1]


def test_a_file_is_used_where_it_lies_by_its_whole_path(
    run: Run, places: Places, toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(toy.parent)
    assert run("use", toy.name)[0] == 0
    assert load(places.config / "config.toml", Settings).model == str(toy)
    assert f"▸ {toy}" in run()[1]


@pytest.mark.parametrize("action", ["import", "use", "remove"])
def test_an_action_without_a_name_asks_for_it(run: Run, action: str) -> None:
    assert run(action)[1].startswith("Say which")


def test_ctrl_c_does_not_wait_for_a_hub_that_is_silent(places: Places, hub: HubServer) -> None:
    hub.list_faults = [Fault(stall=True)]
    process = fetching(places)
    assert hub.lists.acquire(timeout=60)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - began < 10
    assert err == "askfirst: Stopped. Nothing of it is kept.\n"


def fetching(places: Places) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tui.cli", "models", "get", "botpsy-q8"],
        env={
            **os.environ,
            "ASKFIRST_HOME": str(places.config.parent),
            "ASKFIRST_CACHE": str(places.cache),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    )


def test_ctrl_c_leaves_a_part_and_says_so(places: Places, hub: HubServer) -> None:
    hub.faults = [Fault(cut=400_000), Fault(stall=True)]
    process = fetching(places)
    for _ in range(2):
        assert hub.requests.acquire(timeout=60)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (1, "")
    assert err == "askfirst: Stopped. 50 % of it stays here; the same command goes on from there.\n"
