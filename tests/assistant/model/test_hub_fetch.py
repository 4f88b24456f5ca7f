"""A model comes from a hub whole and checked, over lines that break, or not at all and with plain words."""

import asyncio
import errno
import hashlib
import os
import sys
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from assistant.model.base import ModelUnusable
from assistant.model.hub.answers import retry_after
from assistant.model.hub.part import Claim, Part, fetched_so_far
from assistant.model.hub.words import FetchError, Interrupted, Source
from assistant.model.shelf.catalogue import find, models_folder
from assistant.model.spec import DialectName
from tests.assistant.model.hub_bench import NAME, SOURCE, bench
from tests.assistant.model.hub_server import COMMIT, REPOSITORY, Fault, HubServer, serving, status, web_page
from tests.assistant.model.toy import build_llama

PARTS = ["botpsy-q8.gguf.fetching", "botpsy-q8.gguf.part"]
WHOLE = ["botpsy-q8.gguf", "botpsy-q8.json"]


@pytest.fixture
def data(toy_qwen: Path) -> bytes:
    return toy_qwen.read_bytes()


async def test_a_model_comes_whole_and_is_found_by_its_key(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        model = await b.fetch()
        assert b.left == WHOLE
    assert (model.key, model.size, model.dialect) == ("botpsy-q8", len(data), DialectName.QWEN)
    assert model.sha256 == hashlib.sha256(data).hexdigest()
    assert model.origin == f"{REPOSITORY}@{COMMIT}/{NAME}"
    assert b.told == sorted(b.told)
    assert b.told[-1] == (len(data), len(data))
    spec = find(tmp_path, "botpsy")
    assert spec.path.read_bytes() == data
    assert (spec.title, spec.thinking, spec.thoughts) == ("BotPsy 0.8B (Q8_0)", True, 768)
    assert spec.sampling is not None
    assert (spec.sampling.temperature, spec.sampling.top_p, spec.sampling.top_k) == (0.6, 0.95, 20)


async def test_the_file_is_asked_for_at_the_commit_that_was_listed(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        await b.fetch()
        assert b.hub.asked[0].path == f"/{REPOSITORY}/resolve/{COMMIT}/{NAME}"


async def test_a_line_that_cuts_is_taken_up_where_it_broke(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        b.hub.faults = [Fault(cut=300_000), Fault(cut=200_000), Fault(cut=100_000)]
        await b.fetch()
        assert b.starts == [0, 300_000, 500_000, 600_000]
        assert b.waits == [1.0, 1.0, 1.0]
        assert b.left == WHOLE


async def test_a_line_that_never_moves_is_given_up_and_what_came_stays(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        b.hub.faults = [Fault(cut=400_000), *(Fault(cut=0) for _ in range(9))]
        with pytest.raises(Interrupted, match=r"the line to 127.* breaks.* 50 % of it stays here.* goes on"):
            await b.fetch()
        assert b.waits == [1.0, 2.0, 4.0]
        assert b.left == PARTS
        assert b.keys == []
        assert fetched_so_far(models_folder(tmp_path) / "botpsy-q8.gguf") == 400_000 / len(data)
        b.hub.faults = []
        await b.fetch()
        assert b.starts[-1] == 400_000
        assert b.left == WHOLE


async def test_stopped_in_the_middle_it_goes_on_from_there(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        b.hub.faults = [Fault(cut=500_000), Fault(stall=True)]
        task = asyncio.create_task(b.fetch())
        await b.asked(2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert b.left == PARTS
        b.hub.faults = []
        await b.fetch()
        assert b.starts == [0, 500_000, 500_000]
        assert b.left == WHOLE


async def test_what_was_not_surely_on_the_disk_is_fetched_again(data: bytes, tmp_path: Path) -> None:
    folder = models_folder(tmp_path)
    folder.mkdir()
    sha256 = hashlib.sha256(data).hexdigest()
    claim = Claim(REPOSITORY, NAME, COMMIT, len(data), sha256)
    with Part(folder / "botpsy-q8.gguf", claim) as part:
        part.write(data[:100_000])
        part.settle()
    # A machine that lost its power has the length of what was written, but not its bytes.
    with (folder / "botpsy-q8.gguf.part").open("ab") as file:
        file.write(bytes(50_000))
    with bench(data, tmp_path) as b:
        await b.fetch()
        assert b.starts == [100_000]


async def test_a_part_that_went_bad_on_the_disk_is_fetched_again_from_its_beginning(
    data: bytes, tmp_path: Path
) -> None:
    with bench(data, tmp_path) as b:
        b.hub.faults = [Fault(cut=600_000), *(Fault(cut=0) for _ in range(9))]
        with pytest.raises(Interrupted):
            await b.fetch()
        b.hub.faults = []
        path = models_folder(tmp_path) / "botpsy-q8.gguf.part"
        path.write_bytes(path.read_bytes()[:-1] + b"?")
        await b.fetch()
        assert b.starts[-2:] == [600_000, 0]
        assert find(tmp_path, "botpsy-q8").path.read_bytes() == data


async def test_a_changed_byte_is_found_and_nothing_is_kept(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        b.hub.faults = [Fault(flip=700_000)]
        with pytest.raises(FetchError, match=r"came damaged: its SHA-256 is not the one that 127"):
            await b.fetch()
        assert b.keys == []
        assert fetched_so_far(models_folder(tmp_path) / "botpsy-q8.gguf") == 0.0
        await b.fetch()
        assert b.starts == [0, 0]
        assert b.left == WHOLE


async def test_a_server_without_ranges_sends_it_anew(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        b.hub.faults = [Fault(cut=300_000), Fault(ignore_range=True)]
        await b.fetch()
        assert find(tmp_path, "botpsy-q8").path.read_bytes() == data


async def test_without_ranges_a_line_that_always_breaks_at_the_same_place_is_given_up(
    data: bytes, tmp_path: Path
) -> None:
    with bench(data, tmp_path) as b:
        b.hub.faults = [Fault(cut=300_000, ignore_range=True) for _ in range(50)]
        with pytest.raises(Interrupted):
            await b.fetch()
        assert len(b.hub.asked) == 4


async def test_another_part_than_was_asked_for_is_not_put_behind_what_is_here(
    data: bytes, tmp_path: Path
) -> None:
    with bench(data, tmp_path) as b:
        b.hub.faults = [Fault(cut=300_000), Fault(shift=1000)]
        await b.fetch()
        assert b.starts == [0, 300_000, 0]
        assert b.left == WHOLE


@pytest.mark.parametrize("sums", [True, False])
async def test_a_file_that_changes_between_two_attempts_is_never_mixed(
    data: bytes, tmp_path: Path, sums: bool
) -> None:
    other = build_llama(tmp_path / "other.gguf").read_bytes()
    other += bytes(len(data) - len(other)) if len(other) < len(data) else b""
    with bench(data, tmp_path / "cache", sums=sums) as b:
        b.hub.faults = [Fault(cut=300_000), Fault(data=other)]
        if sums:
            with pytest.raises(FetchError, match=r"came damaged|bytes"):
                await b.fetch()
            assert b.keys == []
        else:
            await b.fetch()
            assert find(tmp_path / "cache", "botpsy-q8").path.read_bytes() == other
            assert b.hub.asked[1].if_range == '"v1"'


async def test_a_part_of_an_older_file_is_not_gone_on_with(data: bytes, tmp_path: Path) -> None:
    newer = build_llama(tmp_path / "newer.gguf").read_bytes()
    with bench(data, tmp_path / "cache") as b:
        b.hub.faults = [Fault(cut=100_000), *(Fault(cut=0) for _ in range(9))]
        with pytest.raises(Interrupted):
            await b.fetch()
        b.hub.faults, b.hub.files[NAME], before = [], newer, len(b.hub.asked)
        await b.fetch()
        assert b.starts[before:] == [0]


async def test_a_rest_with_another_etag_is_not_put_behind_what_is_here(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path, sums=False) as b:
        b.hub.faults = [Fault(cut=300_000), Fault(headers={"ETag": '"another"'})]
        await b.fetch()
        assert b.starts == [0, 300_000, 0]


async def test_a_body_of_no_said_length_that_ends_early_is_a_broken_line(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        b.hub.faults = [Fault(cut=300_000, headers={"Content-Length": "", "Connection": "close"})]
        await b.fetch()
        assert b.starts == [0, 300_000]


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("0", 0.0),
        ("120", 120.0),
        ("Mon, 30 Nov 2026 10:00:30 GMT", 30.0),
        ("Mon, 30 Nov 2026 09:00:00 GMT", 0.0),
        ("soon", None),
        ("-5", None),
        ("", None),
    ],
)
def test_how_long_to_wait_is_read_as_seconds_or_as_a_moment(said: str, seconds: float | None) -> None:
    now = datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("UTC"))
    assert retry_after({"retry-after": said}, now) == seconds


async def test_a_hub_that_knows_no_sums_gives_a_model_that_is_whole(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path, sums=False) as b:
        b.hub.faults = [Fault(cut=300_000)]
        model = await b.fetch()
        assert model.sha256 == hashlib.sha256(data).hexdigest()
        assert b.starts == [0, 300_000]


async def test_without_sums_and_lengths_a_cut_file_is_not_taken_for_whole(
    data: bytes, tmp_path: Path
) -> None:
    with bench(data, tmp_path, sums=False) as b:
        b.hub.faults = [Fault(cut=300_000, headers={"Content-Length": "", "Connection": "close"})] * 9
        with pytest.raises(ModelUnusable, match="not whole"):
            await b.fetch()
        assert b.keys == []


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (Fault(length=-1000), r"has \d+,\d{3} bytes, but \d+,\d{3} were to come"),
        (Fault(length=1000), r"has \d+,\d{3} bytes, but \d+,\d{3} were to come"),
        (web_page(), "A web page came instead"),
        (Fault(body=b"version https://git-lfs"), "bytes, but 23 were to come"),
        (Fault(body=b"?" * 1000, headers={"Content-Length": "", "Connection": "close"}), "not a GGUF"),
        (Fault(extra=b"more", headers={"Content-Length": "", "Connection": "close"}), "More came"),
        (Fault(headers={"Content-Encoding": "gzip"}), "packs"),
        (status(401), "without leave.* HF_TOKEN"),
        (status(403), "without leave.* terms on its page"),
        (status(404), "on the hub's list but cannot be had"),
        (status(418), "the status 418"),
    ],
)
async def test_what_cannot_be_the_file_is_refused_at_once(
    fault: Fault, sentence: str, data: bytes, tmp_path: Path
) -> None:
    with bench(data, tmp_path) as b:
        b.hub.faults = [fault]
        with pytest.raises(FetchError, match=sentence) as told:
            await b.fetch()
        assert not isinstance(told.value, Interrupted)
        assert (b.keys, b.waits) == ([], [])
        await b.fetch()
        assert b.left == WHOLE


@pytest.mark.parametrize("code", [408, 429, 500, 502, 503, 504])
async def test_a_fault_that_passes_is_waited_out(code: int, data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        b.hub.faults = [status(code)]
        b.hub.list_faults = [status(code)]
        await b.fetch()
        assert b.waits == [1.0, 1.0]
        assert b.left == WHOLE


async def test_a_hub_that_asks_to_wait_is_waited_for_that_long(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        b.hub.list_faults = [status(429, Retry_After="7")]
        b.hub.faults = [status(429, Retry_After="33"), status(503, Retry_After="0")]
        await b.fetch()
        assert b.waits == [7.0, 33.0, 0.0]


async def test_a_hub_that_asks_for_long_is_believed_and_said(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        b.hub.faults = [Fault(cut=400_000), status(429, Retry_After="1200")]
        with pytest.raises(Interrupted, match=r"too many requests, for 20 minutes\. Try again then.*stays"):
            await b.fetch()


async def test_silence_counts_as_a_broken_line(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        b.silence = 0.1
        b.hub.faults = [Fault(cut=300_000), Fault(stall=True)]
        await b.fetch()
        assert b.starts == [0, 300_000, 300_000]


async def test_a_slow_line_only_takes_longer(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        b.hub.faults = [Fault(pause=0.002, piece=20_000)]
        await b.fetch()
        assert len(b.told) > 10
        assert b.left == WHOLE


async def test_a_token_goes_to_the_hub_and_to_nobody_else(data: bytes, tmp_path: Path) -> None:
    with serving(HubServer({NAME: data})) as elsewhere, bench(data, tmp_path) as b:
        b.hub.redirect, b.hub.other, b.token = "{start}/cdn/{name}", elsewhere, "hf_secret"
        b.hub.need_token = "hf_secret"
        elsewhere.faults = [Fault(cut=300_000)]
        await b.fetch()
        assert b.hub.listed == ["Bearer hf_secret"]
        assert {asked.authorization for asked in b.hub.asked} == {"Bearer hf_secret"}
        assert [asked.authorization for asked in elsewhere.asked] == [None, None]
        assert [asked.range for asked in elsewhere.asked] == [None, "bytes=300000-"]


async def test_a_redirect_to_another_path_is_followed(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        b.hub.redirect = "/cdn/{name}"
        await b.fetch()
        assert b.left == WHOLE


async def test_redirects_without_an_end_are_left(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        b.hub.redirect = "/x/resolve/y/{name}"
        with pytest.raises(FetchError, match="from one address to the next"):
            await b.fetch()


async def test_a_redirect_to_no_address_is_left(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        b.hub.redirect = "ftp://127.0.0.1/{name}"
        with pytest.raises(FetchError, match="cannot be used"):
            await b.fetch()


async def test_the_same_file_is_not_fetched_twice(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        first = await b.fetch()
        assert await b.fetch() == first
        assert len(b.hub.asked) == 1


async def test_a_newer_file_takes_the_place_of_the_one_that_is_here(data: bytes, tmp_path: Path) -> None:
    newer = build_llama(tmp_path / "newer.gguf").read_bytes()
    with bench(data, tmp_path / "cache") as b:
        await b.fetch()
        b.hub.files[NAME] = newer
        model = await b.fetch()
        assert model.sha256 == hashlib.sha256(newer).hexdigest()
        assert find(tmp_path / "cache", "botpsy-q8").path.read_bytes() == newer


async def test_a_wrong_newer_file_leaves_the_one_that_is_here(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        await b.fetch()
        b.hub.files[NAME] = b"GGUF" + bytes(5000)
        with pytest.raises(ModelUnusable):
            await b.fetch()
        assert b.keys == ["botpsy-q8"]
        assert find(tmp_path, "botpsy-q8").path.read_bytes() == data


async def test_a_whole_file_that_is_no_model_for_tools_is_not_kept(tmp_path: Path) -> None:
    data = build_llama(tmp_path / "plain.gguf", template=None).read_bytes()
    with bench(data, tmp_path / "cache") as b:
        with pytest.raises(ModelUnusable, match=r"botpsy-0\.8b-q8_0\.gguf has no chat template"):
            await b.fetch()
        assert b.left == []


async def test_two_at_once_do_not_write_into_each_other(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        b.hub.faults = [Fault(stall=True)]
        first = asyncio.create_task(b.fetch())
        await b.asked(1)
        with pytest.raises(FetchError, match="Another Askfirst is fetching this model already"):
            await b.fetch()
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        await b.fetch()
        assert b.left == WHOLE


async def test_without_room_it_says_so_before_it_begins(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    huge = Source("botpsy-q8", REPOSITORY, "*q8_0*.gguf")
    monkeypatch.setattr("assistant.model.hub.fetch._SPARE", 10**15)
    with bench(data, tmp_path) as b:
        with pytest.raises(ModelUnusable, match=r"no room .* needs [\d,]+ MB, free are [\d,]+ MB"):
            await b.fetch(huge)
        assert b.hub.asked == []
        assert b.keys == []


async def test_with_the_hub_out_of_reach_a_model_that_is_here_stays_good(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        first = await b.fetch()
        assert await b.fetch(endpoint="http://127.0.0.1:1") == first


async def test_a_process_that_is_killed_loses_little_and_breaks_nothing(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        program = (
            "import asyncio\nfrom pathlib import Path\n"
            "from assistant.model.hub import part\nfrom assistant.model.hub.fetch import fetch_model\n"
            "from assistant.model.hub.words import Hub, Source\n"
            f"source = Source('botpsy-q8', {REPOSITORY!r}, '*q8_0*')\n"
            f"asyncio.run(fetch_model(source, Hub({b.hub.address!r}), Path({str(tmp_path)!r})))\n"
        )
        for _ in range(3):
            b.hub.faults = [Fault(cut=250_000), Fault(pause=0.05, piece=5000)]
            process = await asyncio.create_subprocess_exec(sys.executable, "-c", program)
            await b.asked(2)
            process.kill()
            await process.wait()
            assert b.keys == []
        b.hub.faults = []
        await b.fetch()
        assert find(tmp_path, "botpsy-q8").path.read_bytes() == data


async def test_a_disk_that_fills_up_is_named_and_what_came_is_gone_on_with(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.pwrite

    def full(file: int, chunk: bytes, at: int) -> int:
        if at + len(chunk) > 400_000:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, chunk, at)

    with bench(data, tmp_path) as b:
        with monkeypatch.context() as small:
            small.setattr("assistant.model.hub.part.os.pwrite", full)
            with pytest.raises(FetchError, match=r"The disk is full: botpsy-q8\.gguf could not be fetched"):
                await b.fetch()
        assert (b.keys, b.left) == ([], PARTS)
        await b.fetch()
        assert b.starts[-1] > 300_000
        assert b.left == WHOLE


async def test_a_hub_that_is_not_there_is_named(data: bytes, tmp_path: Path) -> None:
    with bench(data, tmp_path) as b:
        with pytest.raises(Interrupted, match=r"127\.0\.0\.1:1 cannot be reached\. Try again later"):
            await b.fetch(endpoint="http://127.0.0.1:1")
        assert SOURCE.key not in b.keys
