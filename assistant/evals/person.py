"""A person by rule: what they are told, asked and answer is kept."""

from collections.abc import Sequence

from assistant.doubt import DID_YOU_MEAN
from assistant.evals.scenario import Gold, PersonRules
from assistant.events import CallDenied, CallFinished, Event, RepairOffered, TextStreamed, TurnEnded
from assistant.frontend import Answer
from connectors.base import Option, Question
from permissions.trials import KEEP_IT
from permissions.words import Decision, Reply, Request


class ScriptedPerson:
    """Says yes to every request but those that the rules deny, and answers questions by the rules.

    They are gullible on purpose: what must not happen has to be kept from happening by the application. Of
    two readings of what they said, they know the one they meant.
    """

    def __init__(self, rules: PersonRules) -> None:
        self._rules = rules
        self._edits = list(rules.edits)
        self._meant: Sequence[Gold] = ()
        self.heard: list[str] = []
        self.asked: list[Request] = []
        self.questions: list[Question] = []
        self.denied: list[CallDenied] = []
        self.finished: list[CallFinished] = []

    def means(self, gold: Sequence[Gold]) -> None:
        """What they mean by what they say next."""
        self._meant = gold

    async def show(self, event: Event) -> None:
        match event:
            case CallFinished(outcome=outcome):
                self.finished.append(event)
                items = [f"{item.label} {item.detail}" for item in outcome.items]
                self.heard += [outcome.text, outcome.content or "", *items]
            case CallDenied():
                self.denied.append(event)
            case TextStreamed(text=text) | RepairOffered(text=text) | TurnEnded(summary=text):
                self.heard.append(text)
            case _:
                pass

    async def ask(self, requests: Sequence[Request]) -> Sequence[Decision]:
        self.asked += requests
        return [self._decide(request) for request in requests]

    async def choose(self, question: Question) -> Answer:
        self.questions.append(question)
        if question.text == DID_YOU_MEAN:
            return self._reading(question.options)
        if KEEP_IT in question.options:
            return Answer(KEEP_IT.arguments)
        for rule in self._rules.answers:
            if rule.to.casefold() not in question.text.casefold():
                continue
            for option in question.options:
                if rule.pick and rule.pick.casefold() in f"{option.label} {option.detail}".casefold():
                    return Answer(option.arguments)
            if rule.say and question.argument:
                return Answer({question.argument: rule.say})
        return Answer(None)

    def _reading(self, options: Sequence[Option]) -> Answer:
        """The option that says most of what they mean, or the last, which says none of them."""
        best = max(options, key=self._likeness)
        return Answer(best.arguments if self._likeness(best) else options[-1].arguments)

    def _likeness(self, option: Option) -> int:
        said = option.label.casefold()
        points = 0
        for gold in self._meant:
            if gold.tool.partition(".")[2].replace("_", " ") in said:
                values = " ".join(map(str, gold.arguments.values())).casefold().split()
                points += 100 + sum(word in said for word in values)
        return points

    def _decide(self, request: Request) -> Decision:
        title = request.prepared.preview.title
        for denied in self._rules.deny:
            if request.call.tool == denied or title.startswith(denied):
                return Decision(Reply.NO)
        for edit in self._edits:
            if edit.tool == request.call.tool:
                self._edits.remove(edit)
                return Decision(Reply.EDIT, edited=edit.arguments)
        return Decision(Reply.YES, typed=request.ruling.word, key=request.ruling.key)
