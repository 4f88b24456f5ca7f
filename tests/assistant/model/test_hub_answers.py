"""Whatever a server answers, it is understood, may be asked again, or is refused in a sentence."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.model.hub.answers import Asked, Body, body_of, retry_after
from assistant.model.hub.patience import Patience
from assistant.model.hub.words import Again, FetchError, Interrupted

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("UTC"))
NUMBERS = st.one_of(
    st.integers(-5, 10**21).map(str), st.just("9" * 5000), st.sampled_from(["", "*", "²", "٣", "1e3"])
)
DATES = st.sampled_from(
    ["Mon, 30 Nov 99999 10:00:00 GMT", "Mon, 30 Nov 2026", "Mon, 30 Nov 2026 10:00 +9999"]
)
MOMENTS = st.datetimes().map(lambda at: f"{at:%a, %d %b %Y %H:%M:%S} GMT")
RANGES = st.tuples(NUMBERS, NUMBERS, NUMBERS).map(lambda n: f"bytes {n[0]}-{n[1]}/{n[2]}")
HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "content-length": NUMBERS,
        "content-range": st.one_of(RANGES, st.text(max_size=30)),
        "content-type": st.sampled_from(["text/html", "TEXT/HTML; charset=x", "a/b", ""]),
        "content-encoding": st.sampled_from(["gzip", "identity", "", " "]),
        "etag": st.sampled_from(['"a"', 'W/"a"', '"b"', ""]),
        "retry-after": st.one_of(NUMBERS, st.text(max_size=40), DATES),
    },
)


@given(
    st.integers(100, 600),
    HEADERS,
    st.integers(0, 100),
    st.one_of(st.none(), st.integers(1, 100)),
    st.sampled_from(["", '"a"']),
)
@example(206, {"content-range": f"bytes {'9' * 5000}-1/2"}, 0, None, "")
@example(200, {"content-length": "9" * 5000}, 0, None, "")
def test_any_answer_is_a_body_another_try_or_a_sentence(
    status: int, headers: dict[str, str], have: int, size: int | None, etag: str
) -> None:
    body = understood(status, headers, Asked("m.gguf", have, size, etag))
    if isinstance(body, Body):
        assert body.start in (0, have)
        assert size is None or body.size == size
    else:
        assert body


def understood(status: int, headers: dict[str, str], asked: Asked) -> Body | str:
    """The body, or the reason against it."""
    try:
        return body_of(status, headers, asked, NOW)
    except (Again, FetchError) as error:
        return str(error)


@given(st.one_of(NUMBERS, st.text(max_size=60), DATES, MOMENTS))
@example("9" * 5000)
@example("Mon, 30 Nov 99999 10:00:00 GMT")
def test_any_wish_to_wait_is_no_time_or_one_that_is_not_past(said: str) -> None:
    seconds = retry_after({"retry-after": said}, NOW)
    assert seconds is None or 0 <= seconds < float("inf")


@pytest.mark.parametrize("wait", [121.0, 10.0**18])
async def test_a_long_wait_is_told_in_minutes(wait: float) -> None:
    with pytest.raises(Interrupted, match=r"for \d+ minutes"):
        await Patience().wait(1, Again("busy", wait), "m")
