"""What a change of settings rules out at once, before it is taken over as a whole."""

from itertools import pairwise
from pathlib import Path

import pytest

from connectors.base import Effect
from connectors.calendar import config as calendar
from connectors.files import config as files
from connectors.messaging import config as messaging
from connectors.mode import CHANGES, EVERYTHING, LEAVING, Mode, forbidden
from connectors.settings import config as settings

NOTHING: frozenset[Effect] = frozenset()


def test_every_mode_leaves_less_than_the_one_after_it() -> None:
    stopped = [forbidden(mode) for mode in Mode]
    assert stopped == [EVERYTHING, CHANGES, LEAVING, NOTHING]
    assert all(more > less for more, less in pairwise(stopped))
    with pytest.raises(ValueError, match="sometimes"):
        forbidden("sometimes")


def a_calendar(mode: str = "full", url: str = "https://a.example/", **more: object) -> calendar.Config:
    account = {"url": url, "user": "ana", "mode": mode}
    return calendar.Config.model_validate({"accounts": {"home": account}, **more})


@pytest.mark.parametrize(
    ("before", "now", "stopped"),
    [
        (a_calendar(), a_calendar(), NOTHING),
        (a_calendar(), a_calendar(minutes=10), NOTHING),
        (a_calendar(), a_calendar("read-only"), CHANGES),
        (a_calendar(), a_calendar("off"), EVERYTHING),
        (a_calendar("read-only"), a_calendar("read-only"), NOTHING),
        (a_calendar("read-only"), a_calendar(), NOTHING),
        (a_calendar(), calendar.Config(), EVERYTHING),
        (calendar.Config(), a_calendar(), NOTHING),
        (a_calendar(), a_calendar(url="https://b.example/"), EVERYTHING),
        (calendar.Config(), calendar.Config(mode=Mode.DRAFT_ONLY), LEAVING),
        (calendar.Config(), calendar.Config(read_only=("Work",)), CHANGES),
        (calendar.Config(read_only=("Work",)), calendar.Config(), NOTHING),
    ],
)
def test_of_calendars(before: calendar.Config, now: calendar.Config, stopped: frozenset[Effect]) -> None:
    assert calendar.stops(before, now) == stopped


def mail(**more: object) -> messaging.Config:
    known = {"address": "ana@a.example", "imap": {"host": "a.example"}, "smtp": {"host": "s.example"}}
    return messaging.Config.model_validate({**known, **more})


BOOK = {"url": "https://a.example/"}


@pytest.mark.parametrize(
    ("before", "now", "stopped"),
    [
        (mail(), mail(), NOTHING),
        (mail(), mail(name="Ana"), NOTHING),
        (mail(), mail(mode="draft-only"), LEAVING),
        (mail(), mail(mode="read-only"), CHANGES),
        (mail(), mail(imap={"host": "b.example"}), EVERYTHING),
        (mail(), mail(address="ana@b.example"), EVERYTHING),
        (mail(), mail(smtp={"host": "b.example"}), LEAVING),
        (mail(), mail(smtp=None, sendmail=["sendmail"]), LEAVING),
        (mail(contacts={"home": BOOK}), mail(contacts={"home": {**BOOK, "mode": "read-only"}}), CHANGES),
        (mail(contacts={"home": BOOK}), mail(), EVERYTHING),
    ],
)
def test_of_mail(before: messaging.Config, now: messaging.Config, stopped: frozenset[Effect]) -> None:
    assert messaging.stops(before, now) == stopped


def folders(**named: str) -> files.Config:
    return files.Config(folders={name: Path(path) for name, path in named.items()})


@pytest.mark.parametrize(
    ("before", "now", "stopped"),
    [
        (folders(a="/a"), folders(a="/a", b="/b"), NOTHING),
        (folders(a="/a", b="/b"), folders(a="/a"), EVERYTHING),
        (folders(a="/a"), folders(a="/b"), EVERYTHING),
        (folders(), folders(a="/a"), EVERYTHING),
        (folders(), files.Config(mode=Mode.READ_ONLY), CHANGES),
    ],
)
def test_of_files(before: files.Config, now: files.Config, stopped: frozenset[Effect]) -> None:
    assert files.stops(before, now) == stopped


@pytest.mark.parametrize(
    ("before", "now", "stopped"),
    [
        ({}, {"keep_seconds": 30}, NOTHING),
        ({}, {"hidden": ["wifi"]}, EVERYTHING),
        ({"hidden": ["wifi"]}, {}, NOTHING),
        ({}, {"mode": "off"}, EVERYTHING),
    ],
)
def test_of_the_device(before: object, now: object, stopped: frozenset[Effect]) -> None:
    config = settings.Config
    assert settings.stops(config.model_validate(before), config.model_validate(now)) == stopped
