"""What an event means, and what a refusal means, whatever a server sends."""

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

import aiohttp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nio import ErrorResponse, RoomSendResponse

from connectors.base import Needs
from connectors.messaging.chat import Room
from connectors.messaging.errors import MailboxError
from connectors.messaging.matrix.config import Account
from connectors.messaging.matrix.faults import broken, refusal
from connectors.messaging.matrix.missing import INSTALL, MissingAccount, MissingBox
from connectors.messaging.matrix.store import Store
from connectors.messaging.matrix.timeline import Edit, Removal, Said, change_of
from connectors.messaging.matrix.watch import MatrixWatch
from connectors.messaging.mime.headers import Correspondent
from tests.connectors.messaging.conftest import NOW

ROOM, ANA, BEN = "!lake:home.example", "@ana:home.example", "@ben:home.example"
_TEXT = st.text(st.characters(exclude_categories=()), max_size=8)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_TEXT, inner, max_size=2),
    max_leaves=4,
)
_CONTENT = st.fixed_dictionaries(
    {},
    optional={
        "body": _JSON,
        "msgtype": _JSON | st.sampled_from(["m.text", "m.image", "m.emote"]),
        "info": _JSON | st.fixed_dictionaries({"size": _JSON, "mimetype": _JSON}),
        "m.relates_to": _JSON
        | st.fixed_dictionaries(
            {}, optional={"rel_type": st.just("m.replace"), "event_id": _JSON, "m.in_reply_to": _JSON}
        ),
        "m.new_content": _JSON,
        "redacts": _JSON,
    },
)
_EVENTS = st.fixed_dictionaries(
    {
        "event_id": st.just("$e") | _JSON,
        "sender": st.just(ANA) | _JSON,
        "type": st.sampled_from(
            ["m.room.message", "m.room.redaction", "m.sticker", "m.room.encrypted", "m.room.member"]
        )
        | _JSON,
        "origin_server_ts": _JSON,
        "content": _CONTENT | _JSON,
    },
    optional={"unsigned": _JSON | st.fixed_dictionaries({"redacted_because": _JSON}), "redacts": _JSON},
)


def _event(content: dict[str, object], id: str = "$one", sender: str = ANA, **more: object) -> dict[str, Any]:
    said = {"type": "m.room.message", "event_id": id, "sender": sender, "origin_server_ts": 1_796_000_000_000}
    return {**said, "content": content, **more}


@settings(max_examples=50)
@given(st.lists(_EVENTS, min_size=1, max_size=6))
def test_no_event_breaks_the_reading(events: list[dict[str, Any]]) -> None:
    changes = [change for each in events if (change := change_of(each, ROOM))]
    with TemporaryDirectory() as folder:
        store = Store(Path(folder) / "matrix.db")
        store.add(changes)
        told = [each for each in changes if isinstance(each, Said) and not each.removed]
        assert {message.said.id for message in store.messages()} == {each.id for each in told}
        store.close()


def test_what_is_said_is_told_apart() -> None:
    picture = {"msgtype": "m.image", "body": "../../x.png", "info": {"size": 5, "mimetype": "image/png"}}
    said = change_of(_event(picture), ROOM)
    assert isinstance(said, Said)
    assert said.file is not None
    assert (said.file.name, said.file.media, said.file.size) == ("x.png", "image/png", 5)
    waved = change_of(_event({"msgtype": "m.emote", "body": "waves"}), ROOM)
    assert isinstance(waved, Said)
    assert waved.text == "* waves"
    new = {"m.relates_to": {"rel_type": "m.replace", "event_id": "$one"}, "m.new_content": {"body": "b"}}
    assert isinstance(change_of(_event({**new, "body": "* b"}, "$two"), ROOM), Edit)
    taken_back = {"type": "m.room.redaction", "redacts": "$one"}
    assert isinstance(change_of({**_event({}, "$three"), **taken_back}, ROOM), Removal)
    assert change_of({**_event({}), "type": "m.room.member"}, ROOM) is None


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "matrix.db")


def test_of_several_changes_the_last_of_the_sender_holds(store: Store) -> None:
    store.add(
        [
            Said("$one", ROOM, ANA, 1, "first"),
            Edit("$c", ROOM, ANA, 30, "$one", "third"),
            Edit("$b", ROOM, ANA, 20, "$one", "second"),
            Edit("$d", ROOM, BEN, 40, "$one", "not Ana's"),
        ]
    )
    (message,) = store.messages()
    assert (message.text, message.changed) == ("third", 30)
    store.add([Removal(ROOM, 50, "$c")])
    (message,) = store.messages()
    assert (message.text, message.changed) == ("second", 20)


def test_what_was_removed_is_not_kept(store: Store, tmp_path: Path) -> None:
    store.add([Said("$one", ROOM, ANA, 1, "a secret"), Edit("$two", ROOM, ANA, 2, "$one", "the secret")])
    store.add([Removal(ROOM, 3, "$one")])
    (message,) = store.messages()
    assert (message.text, message.removed) == ("", 3)
    store.close()
    kept = Store(tmp_path / "matrix.db")
    with kept.using() as database:
        assert not database.execute("SELECT 1 FROM said WHERE text <> ''").fetchone()
        assert not database.execute("SELECT 1 FROM edit WHERE text <> ''").fetchone()
    kept.close()


def test_a_message_of_another_room_cannot_be_removed_or_changed(store: Store) -> None:
    store.add([Said("$one", ROOM, ANA, 1, "here"), Removal("!other:home.example", 2, "$one")])
    (message,) = store.messages()
    assert message.text == "here"


def test_a_room_that_was_encrypted_stays_so_in_what_is_kept(store: Store) -> None:
    room = Room(ROOM, "Lake", (Correspondent("Ana", ANA),), "", encrypted=True)
    store.set_rooms([room])
    assert store.rooms() == (room,)
    store.set_rooms([], [ROOM])
    assert store.rooms() == ()
    assert store.room(ROOM) == room


def test_changes_are_kept_together_or_not_at_all(store: Store) -> None:
    def half() -> None:
        with store.using():
            store.add([Said("$one", ROOM, ANA, 1, "here")])
            store.set_fact("token", "s1")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    assert store.messages() == []
    assert store.fact("token") == ""


@dataclass
class _Answer:
    """The HTTP answer behind one of the library's."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)


def _refused(status: int, code: str = "", **more: object) -> ErrorResponse:
    error = ErrorResponse("no", code or None, **more)
    error.transport_response = _Answer(status)
    return error


@pytest.mark.parametrize(
    ("answer", "needs", "certain"),
    [
        (_refused(401, "M_UNKNOWN_TOKEN"), Needs.SIGNED_OUT, True),
        (_refused(401, "M_UNKNOWN_TOKEN", soft_logout=True), Needs.SIGNED_OUT, True),
        (_refused(401), Needs.SIGNED_OUT, True),
        (_refused(403, "M_FORBIDDEN"), Needs.READ_ONLY, True),
        (_refused(404, "M_NOT_FOUND"), Needs.NOT_FOUND, True),
        (_refused(413, "M_TOO_LARGE"), Needs.INVALID, True),
        (_refused(400, "M_UNKNOWN"), Needs.INVALID, True),
        (_refused(408), Needs.UNAVAILABLE, False),
        (_refused(500), Needs.UNAVAILABLE, False),
        (_refused(502), Needs.UNAVAILABLE, False),
        (_refused(200), Needs.UNAVAILABLE, False),
    ],
)
def test_what_a_refusal_means(answer: ErrorResponse, needs: Needs, certain: bool) -> None:
    refused = refusal(answer, "home.example")
    assert refused is not None
    assert (refused.error.needs, refused.certain, refused.wait) == (needs, certain, 0.0)


@pytest.mark.parametrize(
    ("told", "header", "wait"), [(1500, "", 1.5), (None, "7", 7.0), (None, "soon", 5.0), (-1, "", 5.0)]
)
def test_how_long_to_wait(told: int | None, header: str, wait: float) -> None:
    answer = _refused(429, "M_LIMIT_EXCEEDED", retry_after_ms=told)
    answer.transport_response = _Answer(429, {"Retry-After": header})
    refused = refusal(answer, "home.example")
    assert refused is not None
    assert (refused.wait, refused.certain) == (wait, True)


def test_an_answer_is_no_refusal() -> None:
    assert refusal(RoomSendResponse("$one", ROOM), "home.example") is None


def test_only_a_line_that_never_was_is_certain() -> None:
    assert not broken(TimeoutError(), "home.example").certain
    assert not broken(aiohttp.ServerDisconnectedError(), "home.example").certain
    assert not broken(aiohttp.ClientPayloadError(), "home.example").certain


@pytest.mark.parametrize(
    ("wrong", "trouble"),
    [
        ({"user": "robin@home.example"}, "must be a Matrix id"),
        ({"homeserver": "http://matrix.example.org"}, "without encryption"),
        ({"homeserver": "ftp://matrix.example.org"}, "must be an address"),
        ({"homeserver": "https://robin:secret@matrix.example.org"}, "must be an address"),
        ({"token": "syt_secret"}, "never stands in this file"),
    ],
)
def test_settings_that_do_not_fit(wrong: dict[str, str], trouble: str) -> None:
    good = {"user": "@robin:home.example", "homeserver": "https://matrix.example.org"}
    assert Account.model_validate(good)
    with pytest.raises(ValueError, match=trouble):
        Account.model_validate({**good, **wrong})


def test_without_the_library_it_is_said_what_to_install() -> None:
    account, box = MissingAccount("@robin:home.example"), MissingBox()
    assert (account.known(), box.entries(), box.trouble) == ((), (), INSTALL)
    with pytest.raises(MailboxError, match=r"askfirst\[matrix\]"):
        account.now()


class _Listener:
    """An account that tells what it is told to, one step at a time."""

    def __init__(self, *steps: Exception | None) -> None:
        self.steps = list(steps)
        self.waits: list[float] = []
        self.listening = False
        self.done = Event()
        self.ended = False

    def learn(self, wait: float = 0.0) -> None:
        self.waits.append(wait)
        step = self.steps.pop(0) if self.steps else MailboxError(Needs.SIGNED_OUT, "Signed out.")
        if not self.steps:
            self.done.set()
        if step:
            raise step

    def stop(self) -> None:
        """Nothing is being done."""

    def close(self) -> None:
        self.ended = True


def test_a_watch_hears_of_news_and_is_told_of_a_sign_in_that_is_needed(store: Store) -> None:
    account = _Listener(None, None, MailboxError(Needs.SIGNED_OUT, "Signed out."))
    watch = MatrixWatch(account, lambda: NOW, store)
    watch.start()
    watch.start()
    assert account.done.wait(10)
    watch.close()
    assert account.waits == [0.0, 25.0, 25.0]
    assert (watch.report.known, watch.report.trouble) == (NOW, "Signed out.")
    assert not account.listening
    assert account.ended
    assert datetime.fromisoformat(store.fact("in step")) == NOW
    store.close()


def test_a_watch_remembers_when_the_account_was_last_in_step(store: Store) -> None:
    store.set_fact("in step", NOW.isoformat())
    account = _Listener(MailboxError(Needs.SIGNED_OUT, "Signed out."))
    watch = MatrixWatch(account, lambda: NOW, store)
    assert watch.settle(10).trouble == "Signed out."
    assert watch.report.known == NOW
    watch.close()
    store.close()
