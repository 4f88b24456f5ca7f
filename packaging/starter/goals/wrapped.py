"""A question put inside another: "can you tell me if i have ..." for "do i have ..."."""

import random
import re
from dataclasses import replace

from goals.phrase import Example

HEADS = (
    "can you tell me ",
    "could you tell me ",
    "tell me ",
    "please tell me ",
    "i'd like to know ",
    "i want to know ",
    "i need to know ",
    "do you know ",
    "let me know ",
    "can you check ",
    "please check ",
    "just tell me ",
    "hey, tell me ",
)
WORDED = re.compile(r"(?:what|when|where|who|how|which)\b", re.I)
INVERTED = {
    "do i have ": "i have ",
    "have i got ": "i have got ",
    "am i ": "i am ",
    "is there ": "there is ",
    "are there ": "there are ",
    "did i get ": "i got ",
}


def wrapped(example: Example, rng: random.Random) -> Example:
    """The question as a request to be told; what is no question stays as it is."""
    goal = example.goal
    if WORDED.match(goal):
        return replace(example, goal=rng.choice(HEADS) + goal[0].lower() + goal[1:])
    for asked, told in INVERTED.items():
        if goal.lower().startswith(asked):
            return replace(example, goal=f"{rng.choice(HEADS)}if {told}{goal[len(asked) :]}")
    return example
