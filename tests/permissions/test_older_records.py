"""A record from an earlier Askfirst reads as it was kept, and what was not kept then is not made up."""

import json
import sqlite3
from pathlib import Path

from permissions.journal import Journal
from permissions.words import Request, Ruling, Verdict
from tests.permissions.fakes import GOAL, NOW, prepared_for


def test_a_record_from_before_plans_were_kept_tells_of_none(folder: Path) -> None:
    journal = Journal(folder / "journal.db", lambda: NOW)
    asked = Request("q", prepared_for(), Ruling(Verdict.ASK, "r", "w"), {}, plan="sealed", step=1)
    journal.planned(asked, GOAL, "h")
    with sqlite3.connect(folder / "journal.db") as other:
        why = json.loads(other.execute("SELECT why FROM call").fetchone()[0])
        del why["plan"]
        other.execute("UPDATE call SET why = ?", (json.dumps(why),))
    other.close()
    (entry,) = journal.entries()
    assert (entry.why.plan, entry.why.step) == ("", 1)
    journal.close()
