"""The grammar: every form of speech about time that is understood, by subject."""

from connectors.when.grammar.days import DAY_RULES
from connectors.when.grammar.repeats import REPEAT_RULES
from connectors.when.grammar.scan import Rule, Unread, normalise, said, scan
from connectors.when.grammar.spans import SPAN_RULES
from connectors.when.grammar.times import TIME_RULES
from connectors.when.grammar.zones import ZONE_RULES
from connectors.when.pieces import Mark

MARK_RULES: tuple[Rule, ...] = (
    said(
        "on|the|please|by|due|due by|of|repeating|and repeat",
        Mark.FILLER,
    ),
    said("(?:at )?(?:around|about|approximately|roughly|circa|ca)|at|@", Mark.AT),
    said("to|through|thru", Mark.TO),
    Rule("(?<!^)-(?!-)", lambda _match: (Mark.TO,)),
    said("until|till|til|up to", Mark.UNTIL),
    said("and", Mark.AND),
    said("from", Mark.FROM),
    said("between", Mark.BETWEEN),
    said("starting(?: from| on)?|beginning|as of|from then", Mark.STARTING),
    said("since", Mark.SINCE),
    said("sometime|some time|any time|anytime", Mark.SOMETIME),
)
RULES: tuple[Rule, ...] = (*DAY_RULES, *TIME_RULES, *SPAN_RULES, *REPEAT_RULES, *ZONE_RULES, *MARK_RULES)

__all__ = ["RULES", "Unread", "normalise", "scan"]
