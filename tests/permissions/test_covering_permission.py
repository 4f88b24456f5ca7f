"""Which of the permissions in force is written down as the one that let a call run."""

from dataclasses import replace

from permissions.answers import covering
from permissions.judge import Judged, Matter
from permissions.policy import Policy, Rule
from permissions.provenance import Provenance
from permissions.words import EVERY_ARGUMENT, Asker, Limit, Request, Verdict, Width
from tests.permissions.fakes import GOAL, NOW
from tests.permissions.policy_cases import NONE, UNDO, W, case, grant_for, ruled

CALL = case(W, undo=UNDO)
GRANT = grant_for(CALL)
OTHER = replace(GRANT, tool="messaging.read")
ALLOWED = Policy((Rule("write", Verdict.ALLOW, "messaging", limits=(Limit(EVERY_ARGUMENT, Width.ANY),)),))
JUDGED = Judged(Request("one", CALL.prepared, ruled(CALL), {}), Matter(Provenance(), GOAL, Asker.PLAN), CALL)


class TestTheCoveringPermission:
    def test_it_is_the_first_that_covers_the_call(self) -> None:
        assert covering(JUDGED, NONE, [OTHER, GRANT, replace(GRANT, words="again")], NOW) is GRANT

    def test_there_is_none_where_a_rule_lets_the_call_run(self) -> None:
        assert ruled(CALL, OTHER, policy=ALLOWED).verdict is Verdict.ALLOW
        assert covering(JUDGED, ALLOWED, [OTHER], NOW) is None

    def test_there_is_none_where_what_was_judged_cannot_be_told(self) -> None:
        assert covering(replace(JUDGED, case=None), NONE, [GRANT], NOW) is None
