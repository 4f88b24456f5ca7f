"""A person's answer held against what was asked, and as the journal keeps it."""

from collections.abc import Iterable
from datetime import datetime

from permissions.judge import Judged
from permissions.policy import Policy, sufficient
from permissions.words import Decision, Grant, Key, Reply, Request

_WEIGHT = {Key.SMALL: 0, Key.CAPITAL: 1, Key.TYPED: 2}


def fault(request: Request, decision: Decision) -> str:
    """Why a yes does not count: the wrong word or key, or a permission that was not on offer; or nothing."""
    ruling = request.ruling
    if ruling.key is Key.TYPED and _plain(decision.typed) != _plain(ruling.word):
        return f"the word “{ruling.word}” was not typed"
    if decision.key is not None and _WEIGHT[decision.key] < _WEIGHT[ruling.key]:
        return "this needs another key"
    if decision.grant is not None and decision.grant not in [offer.grant for offer in request.offers]:
        return "a permission was taken that was not on offer"
    return ""


def covering(judged: Judged, policy: Policy, grants: Iterable[Grant], now: datetime) -> Grant | None:
    """The permission that lets a judged call run unasked, if one alone does."""
    if judged.case is None:
        return None
    return next(iter(sufficient(judged.case, policy, grants, now)), None)


def yes_words(request: Request, decision: Decision) -> str:
    """A yes in words: how it was given, and what it covers from now on."""
    how = f"typed “{request.ruling.word}”" if request.ruling.key is Key.TYPED else request.ruling.key.value
    given = next((offer.words for offer in request.offers if offer.grant == decision.grant), "")
    return f"yes ({how}){f', and {given}' if given else ''}"


def no_words(request: Request, decision: Decision) -> str:
    """Any other answer in words, with the standing no that was taken from those on offer."""
    match decision.reply:
        case Reply.NO if decision.ban and decision.ban in request.bans:
            return f"no, and {decision.ban.words}"
        case Reply.NO:
            return f"no: {decision.reason}" if decision.reason else "no"
        case Reply.EDIT:
            return "changed before it was answered"
        case _:
            return "no: the goal was stopped"


def _plain(word: str) -> str:
    return " ".join(word.split()).lower()
