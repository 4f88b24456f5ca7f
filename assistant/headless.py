"""A front end for when nobody is there: it tells what happens, says no to everything, and keeps a list."""

from collections.abc import Callable, Sequence

from assistant.events import CallFinished, Event, ModelNoted, TurnEnded
from assistant.frontend import Answer
from connectors.base import Question
from permissions.words import Decision, Reply, Request, Scope


class Headless:
    """Answers every request with no, at once; `needs` lists what would have been asked."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self.needs: list[str] = []
        self.ended: TurnEnded | None = None

    async def show(self, event: Event) -> None:
        match event:
            case CallFinished(title=title, outcome=outcome):
                self._write(f"{title}: {outcome.text}")
            case ModelNoted(text=text):
                self._write(text)
            case TurnEnded():
                self.ended = event
            case _:
                pass

    async def ask(self, requests: Sequence[Request]) -> Sequence[Decision]:
        return [self._refuse(request) for request in requests]

    def _refuse(self, request: Request) -> Decision:
        prepared = request.prepared
        self.needs.append(
            f"{prepared.call.tool} ({prepared.preview.deed}): {prepared.preview.title}{_way(request)}"
        )
        return Decision(Reply.NO, reason="nobody was there to ask")

    async def choose(self, question: Question) -> Answer:
        labels = "; ".join(option.label for option in question.options)
        self.needs.append(f"{question.text}{f' ({labels})' if labels else ''}")
        return Answer(None)


def _way(request: Request) -> str:
    """Whether a rule could let the call run without anybody there."""
    lasting = any(offer.grant.scope is Scope.ALWAYS for offer in request.offers)
    return " [a rule may allow it: --grant]" if lasting else " [asked every time]"
