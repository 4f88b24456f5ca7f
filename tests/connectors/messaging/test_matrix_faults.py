"""A homeserver that fails in every way: nothing is sent twice, nor said to be sent that was not."""

import random
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trustme

from connectors.base import Needs, Outcome, Prepared
from tests.connectors.faults import Fault, FaultProxy, fault_proxy, no_fault
from tests.connectors.messaging.matrix_world import MatrixWorld
from tests.connectors.messaging.synapse import Person, Synapse

pytestmark = pytest.mark.timeout(240)
_FAULTS = tuple(fault for fault in Fault if fault is not Fault.CHANGED)
_WORST = (Fault.NEVER_ARRIVES, Fault.NO_ANSWER, Fault.SLOW, Fault.BROKEN_AFTER, Fault.LOGIN_PAGE)
_RUNS = 12


@pytest.fixture
def proxy(homeserver: Synapse) -> Iterator[FaultProxy]:
    with fault_proxy("127.0.0.1", homeserver.port) as proxy:
        yield proxy


@pytest.fixture
def world(tmp_path: Path, homeserver: Synapse, proxy: FaultProxy) -> Iterator[MatrixWorld]:
    """A world that reaches the server through the proxy, and other people who do not."""
    world = MatrixWorld(tmp_path, homeserver)
    world.url = f"http://127.0.0.1:{proxy.port}"
    # Long enough for a machine that is busy, and shorter than what is slow on purpose.
    world.settings = {"timeout": 2.0}
    world.build(send_timeout=6.0)
    proxy.seconds = 2.5
    yield world
    proxy.choose = no_fault
    world.end()


def _sends(fault: Fault, times: int = 1_000) -> Callable[[str, str], Fault]:
    """The fault for the first requests that send a message."""
    left = [fault] * times

    def choose(method: str, path: str) -> Fault:
        sending = method == "PUT" and "/send/m.room.message/" in path
        return left.pop() if sending and left else Fault.NONE

    return choose


def _true(outcome: Outcome, there: int) -> bool:
    """Whether what is said fits what the other one has."""
    if outcome.ok:
        return there == 1
    return there <= 1 if outcome.needs is Needs.TIMEOUT else there == 0


@pytest.mark.parametrize(
    ("fault", "times"), [*((fault, 1) for fault in _FAULTS), *((fault, 1_000) for fault in _WORST)]
)
async def test_a_send_that_fails_is_sent_at_most_once_and_told_truly(
    world: MatrixWorld, proxy: FaultProxy, fault: Fault, times: int
) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    prepared = await world.prepared("send", to=["Ana"], body="Only once.")
    proxy.choose = _sends(fault, times)
    outcome = await world.connector.perform(prepared)
    there = ana.bodies(room).count("Only once.")
    assert _true(outcome, there), (outcome, there)
    proxy.choose = no_fault
    await _found_out(world, prepared, outcome, there)
    again = await world.connector.perform(prepared)
    assert ana.bodies(room).count("Only once.") == (1 if again.ok else there)


async def _found_out(world: MatrixWorld, prepared: Prepared, outcome: Outcome, there: int) -> None:
    """Afterwards it can be seen whether it was sent."""
    told = await world.connector.probe("messaging.send", prepared.mark)
    if there:
        assert told is not None
        assert told.ok
    else:
        assert told is None or not told.ok


@pytest.mark.parametrize("fault", [Fault.NO_ANSWER, Fault.HALF_AN_ANSWER, Fault.BROKEN_AFTER, Fault.GATEWAY])
async def test_an_answer_that_is_lost_is_looked_for(
    world: MatrixWorld, proxy: FaultProxy, fault: Fault
) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    prepared = await world.prepared("send", to=["Ana"], body="Only once.")
    proxy.choose = _sends(fault)
    assert (await world.connector.perform(prepared)).ok
    assert ana.bodies(room) == ["Only once."]
    # Whatever asks again, be it the library below, does so under the same transaction.
    assert len({path for _, path in proxy.seen if "/send/" in path}) == 1


@pytest.mark.parametrize("second", [Fault.TOO_MANY, Fault.SIGN_IN])
async def test_a_refusal_says_nothing_of_what_was_sent_before_it(
    world: MatrixWorld, proxy: FaultProxy, second: Fault
) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    prepared = await world.prepared("send", to=["Ana"], body="Only once.")
    # The library below asks once more by itself where a line breaks.
    faults = [Fault.NO_ANSWER, second, *[Fault.NEVER_ARRIVES] * 100]
    away = False

    def choose(method: str, path: str) -> Fault:
        nonlocal away
        away = away or "/send/" in path
        return faults.pop(0) if away else Fault.NONE

    proxy.choose = choose
    outcome = await world.connector.perform(prepared)
    assert ana.bodies(room) == ["Only once."]
    assert outcome.needs is Needs.TIMEOUT


async def test_a_server_that_asks_to_wait_is_waited_for(world: MatrixWorld, proxy: FaultProxy) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    prepared = await world.prepared("send", to=["Ana"], body="Later.")
    told = b'{"errcode": "M_LIMIT_EXCEEDED", "error": "Too Many Requests", "retry_after_ms": 300}'
    answers = [
        b"HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n"
        + told
    ]

    def alter(method: str, path: str, answer: bytes) -> bytes:
        return answers.pop() if "/send/" in path and answers else answer

    proxy.alter = alter
    assert (await world.connector.perform(prepared)).ok
    assert ana.bodies(room) == ["Later."]


async def test_a_server_that_asks_to_wait_too_long_is_not(world: MatrixWorld, proxy: FaultProxy) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    prepared = await world.prepared("send", to=["Ana"], body="Later.")
    proxy.choose = _sends(Fault.TOO_MANY)
    outcome = await world.connector.perform(prepared)
    assert outcome.needs is Needs.UNAVAILABLE
    assert "asks to wait 7 seconds" in outcome.text
    assert ana.bodies(room) == []


async def test_a_token_that_is_not_taken_any_more_needs_a_sign_in(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    ana.room(world.me, direct=True)
    prepared = await world.prepared("send", to=["Ana"], body="Hello.")
    world.me.ask("POST", "/logout", {})
    outcome = await world.connector.perform(prepared)
    assert outcome.needs is Needs.SIGNED_OUT
    assert "has signed this account out" in outcome.text
    assert "askfirst connect messaging" in outcome.text


async def test_somebody_elses_token_is_not_used(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    world.token = ana.token
    world.build()
    told = await world.refused("send", to=[ana.user], body="Hello.")
    assert told.needs is Needs.SIGNED_OUT
    assert f"is that of {ana.user}, not of {world.me.user}" in told.text


@pytest.mark.parametrize("fault", [Fault.NO_ANSWER, Fault.BROKEN, Fault.LOGIN_PAGE, Fault.SLOW])
async def test_a_server_that_is_away_shows_what_was_known(
    world: MatrixWorld, proxy: FaultProxy, fault: Fault
) -> None:
    ana = world.friend("Ana Ruiz")
    ana.say(ana.room(world.me, direct=True), "Known")
    assert len((await world.do("search")).items) == 1
    proxy.seconds = 12.0
    proxy.choose = lambda method, path: fault
    world.build()
    outcome = await world.do("search")
    assert [item.label for item in outcome.items] == ["Ana Ruiz: Known"]
    assert "What was known before is shown." in outcome.text
    told = await world.refused("send", to=["Ana"], body="Hello.")
    assert told.needs in (Needs.OFFLINE, Needs.UNAVAILABLE)


async def test_a_channel_that_fails_is_not_exchanged_for_another(
    world: MatrixWorld, proxy: FaultProxy
) -> None:
    ana = world.friend("Ana Ruiz", "ana@post.example")
    ana.room(world.me, direct=True)
    prepared = await world.prepared("send", to=[ana.user], body="Hello.")
    proxy.choose = lambda method, path: Fault.NEVER_ARRIVES
    assert not (await world.connector.perform(prepared)).ok
    assert world.delivered("ana@post.example") == []


@pytest.mark.parametrize("fault", [*_WORST, Fault.SIGN_IN, Fault.TOO_MANY])
async def test_a_conversation_is_opened_at_most_once(
    world: MatrixWorld, proxy: FaultProxy, fault: Fault
) -> None:
    ana = world.friend("Ana Ruiz")
    prepared = await world.prepared("send", to=[ana.user], body="Hello.")
    proxy.choose = lambda method, path: fault if path.endswith("/createRoom") else Fault.NONE
    outcome = await world.connector.perform(prepared)
    rooms = world.me.rooms()
    assert len(rooms) <= 1
    said = [body for room in rooms for body in world.me.bodies(room)]
    assert said == (["Hello."] if outcome.ok else [])


@pytest.mark.parametrize("fault", _WORST)
async def test_what_is_noted_of_other_conversations_is_not_lost(
    world: MatrixWorld, proxy: FaultProxy, fault: Fault
) -> None:
    ana, ben = world.friend("Ana Ruiz"), world.friend("Ben Okafor")
    old = ben.room(world.me, direct=True)
    prepared = await world.prepared("send", to=[ana.user], body="Hello.")
    proxy.choose = lambda method, path: (
        fault if path.endswith("/m.direct") and method == "GET" else Fault.NONE
    )
    assert (await world.connector.perform(prepared)).ok
    noted = world.me.ask("GET", f"/user/{world.me.user}/account_data/m.direct")
    assert noted[ben.user] == [old]


async def test_everybody_in_a_room_is_still_known_after_a_sign_in_was_refused(
    world: MatrixWorld, proxy: FaultProxy
) -> None:
    ana, ben = world.friend("Ana Ruiz"), world.friend("Ben Okafor")
    room = ana.room(world.me, ben, name="Lake trip")
    await world.do("search")
    proxy.choose = lambda method, path: Fault.SIGN_IN
    assert (await world.refused("send", to=["Lake trip"], body="Hi.")).needs is Needs.SIGNED_OUT
    proxy.choose = no_fault
    ana.say(room, "Anybody there?")
    prepared = await world.prepared("send", to=["Lake trip"], body="Hi.")
    assert {each.value for each in prepared.resolved} >= {room, ana.user, ben.user}


async def test_no_faults_in_seeded_runs_send_twice_or_lie(world: MatrixWorld, proxy: FaultProxy) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    outcomes = []
    for seed in range(_RUNS):
        outcomes.append(await _run(world, proxy, ana, room, random.Random(seed)))
    assert "sent" in outcomes


async def _run(world: MatrixWorld, proxy: FaultProxy, ana: Person, room: str, chance: random.Random) -> str:
    """One send through a server that fails at random; what became of it."""
    body = f"Number {chance.random()}"
    proxy.choose = no_fault
    prepared = await world.prepared("send", to=[ana.user], body=body)
    proxy.choose = lambda method, path: chance.choice(_FAULTS) if chance.random() < 0.3 else Fault.NONE
    outcome = await world.connector.perform(prepared)
    proxy.choose = no_fault
    there = ana.bodies(room).count(body)
    assert _true(outcome, there), (outcome, there)
    if outcome.needs is Needs.TIMEOUT:
        await _found_out(world, prepared, outcome, there)
    return "sent" if outcome.ok else "unknown" if outcome.needs is Needs.TIMEOUT else "not sent"


@pytest.mark.parametrize("trusted", [True, False])
async def test_a_token_only_goes_where_the_certificate_is_trusted(
    tmp_path: Path, homeserver: Synapse, trusted: bool
) -> None:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    (tmp_path / "ca.pem").write_bytes(authority.cert_pem.bytes())
    with fault_proxy("127.0.0.1", homeserver.port, context) as proxy:
        world = MatrixWorld(tmp_path, homeserver)
        world.url = f"https://localhost:{proxy.port}"
        world.settings = {"authority": tmp_path / "ca.pem"} if trusted else {}
        world.build()
        ana = world.friend("Ana Ruiz")
        found = await world.look("send", to=[ana.user], body="Hello.")
        if trusted:
            assert isinstance(found, Prepared)
        else:
            assert isinstance(found, Outcome)
            assert "is not to be trusted" in found.text
            assert proxy.seen == []
        world.end()
