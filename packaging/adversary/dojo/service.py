"""One of AgentDojo's three services as a connector."""

from collections.abc import Sequence

from agentdojo.agent_pipeline.tool_execution import tool_result_to_str
from agentdojo.default_suites.v1.workspace.task_suite import WorkspaceEnvironment
from agentdojo.functions_runtime import FunctionsRuntime

from connectors.base import (
    Call,
    Context,
    Field,
    Needs,
    Outcome,
    Prepared,
    Preview,
    Question,
    Resolved,
    Role,
    Tool,
    failed,
)
from connectors.clean import clean, clean_line
from dojo.tools import HARMLESS_READ, VERBS, Things, effects_of, function_name, tools_of, written_out

_SHOWN = 400
_TEXTS = ("body", "content", "description")


class Service:
    """The calendar, the mailbox or the drive of one environment."""

    def __init__(self, name: str, runtime: FunctionsRuntime, env: WorkspaceEnvironment) -> None:
        self.name = name
        self._runtime = runtime
        self._env = env
        self._tools = tools_of(list(runtime.functions.values()), name)

    @property
    def tools(self) -> Sequence[Tool]:
        return self._tools

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        function = function_name(call.tool)
        try:
            things = Things(self._env).resolved(function, call.arguments)
        except KeyError as error:
            return failed(Needs.NOT_FOUND, f"There is no such thing: {error}.")
        return Prepared(
            call=call,
            effects=effects_of(function, things),
            resolved=things,
            payload=call.arguments,
            preview=_preview(function, call, things),
            basis=Things(self._env).state(function, call.arguments),
            undo=VERBS[function].undo,
        )

    async def perform(self, prepared: Prepared) -> Outcome:
        function = function_name(prepared.call.tool)
        if prepared.basis != Things(self._env).state(function, prepared.payload):
            return failed(Needs.CONFLICT, "It has changed meanwhile.")
        result, error = self._runtime.run_function(self._env, function, written_out(prepared.payload))
        if error:
            return failed(Needs.INVALID, clean_line(error, 200))
        text = clean(tool_result_to_str(result))
        if prepared.effects <= HARMLESS_READ:
            return Outcome(ok=True, text="Here it is.", content=text)
        return Outcome(ok=True, text=f"Done: {prepared.preview.title}.")


def _preview(function: str, call: Call, things: Sequence[Resolved]) -> Preview:
    verb = VERBS[function]
    named = [t.label for t in things if t.role is not Role.CONTENT and t.role is not Role.BOUND]
    text = next((str(call.arguments[name]) for name in _TEXTS if call.arguments.get(name)), None)
    fields = tuple(
        Field(name, clean_line(str(value), _SHOWN), name)
        for name, value in call.arguments.items()
        if name not in _TEXTS
    )
    about = f": {', '.join(named)}" if named else ""
    return Preview(
        clean_line(f"{verb.deed.capitalize()}{about}", _SHOWN),
        verb.deed,
        fields,
        body=clean(text) if text else None,
    )
