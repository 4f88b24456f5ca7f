"""What a request asks to be read: its tokens, and the places among them that are worth remembering."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from pydantic import JsonValue

from assistant.model.child.template import TemplateError
from assistant.model.wire import Chat

_Messages = tuple[dict[str, JsonValue], ...]

# Stand for texts that are not known yet. Letters only: no template trims, escapes or reformats them.
_ANSWER, _GOAL, _OTHER = "ASKFIRSTANSWERSTANDSHERE", "QSOMETHINGELSE", "ZANOTHERTHING"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as text and as tokens.

    `fixed` is how many tokens at its beginning every conversation with the same tools shares; `lasting`, how
    many will stand unchanged before the next goal. Both are 0 where that is not known.
    """

    text: str
    tokens: Sequence[int]
    fixed: int = 0
    lasting: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """An answer that ended by itself: the conversation it was given to, and all tokens up to its end."""

    chat: Chat
    tokens: tuple[int, ...]


class Prompts:
    """Makes prompts of conversations; `is_mark` tells special tokens, at which text always parts."""

    def __init__(
        self,
        render: Callable[[Chat], str],
        tokenise: Callable[[str], list[int]],
        is_mark: Callable[[int], bool],
    ) -> None:
        self._render = render
        self._tokenise = tokenise
        self._is_mark = is_mark

    def of_text(self, text: str) -> Prompt:
        return Prompt(text, self._tokenise(text))

    def of_chat(self, chat: Chat, standing: Standing | None) -> Prompt:
        """The whole conversation, or, where an answer stands, its tokens and what came after.

        Raises TemplateError.
        """
        text = self._render(chat)
        if grown := self._grown(chat, standing):
            return Prompt(text, grown)
        tokens = self._tokenise(text)
        later: _Messages = (*chat.messages, _message("assistant", _ANSWER), _message("user", _GOAL))
        return Prompt(text, tokens, self._fixed(chat, tokens), self._shared(chat, tokens, later))

    def tokens(self, chat: Chat, standing: Standing | None) -> list[int]:
        """The tokens of a conversation alone. Raises TemplateError."""
        return self._grown(chat, standing) or self._tokenise(self._render(chat))

    def ahead(self, chat: Chat) -> Prompt:
        """What of a conversation will stand before the next goal, whatever that is. Raises TemplateError."""
        goal, other = (
            replace(chat, messages=(*chat.messages, _message("user", each))) for each in (_GOAL, _OTHER)
        )
        text = self._render(goal)
        tokens = self._tokenise(text)
        lasting = self._shared(chat, tokens, other.messages)
        return Prompt(text, tokens[:lasting], min(self._fixed(chat, tokens), lasting), lasting)

    def _fixed(self, chat: Chat, tokens: Sequence[int]) -> int:
        roles = [message["role"] for message in chat.messages]
        first = roles.index("user") if "user" in roles else len(roles)
        return self._shared(chat, tokens, (*chat.messages[:first], _message("user", _OTHER)))

    def _shared(self, chat: Chat, tokens: Sequence[int], messages: _Messages) -> int:
        """How many tokens a prompt shares with that of other messages, up to before the last special one.

        Up to there the tokens are the same whatever follows.
        """
        try:
            others = self._tokenise(self._render(replace(chat, messages=messages)))
        except TemplateError:
            return 0
        at = common(tokens, others) - 1
        while at > 0 and not self._is_mark(tokens[at]):
            at -= 1
        return max(at, 0)

    def _grown(self, chat: Chat, standing: Standing | None) -> list[int]:
        """The tokens that stand and those of what came after; none where another answer is meant."""
        if not standing or not chat.follows or (after := self._after_answer(chat, standing)) is None:
            return []
        return [*standing.tokens, *self._tokenise(after)]

    def _after_answer(self, chat: Chat, standing: Standing) -> str | None:
        """The text that comes after the last answer, if that is the one that stands."""
        last = len(standing.chat.messages)
        roles = [message["role"] for message in chat.messages[last:]]
        if not roles or roles[0] != "assistant" or "assistant" in roles[1:]:
            return None
        if replace(chat, messages=chat.messages[:last], follows=standing.chat.follows) != standing.chat:
            return None
        messages = (*chat.messages[:last], _message("assistant", _ANSWER), *chat.messages[last + 1 :])
        try:
            _, found, after = self._render(replace(chat, messages=messages)).partition(_ANSWER)
        except TemplateError:
            return None
        return after if found and _ANSWER not in after else None


def common(one: npt.ArrayLike, other: npt.ArrayLike) -> int:
    """How many tokens two sequences share at their beginning."""
    first, second = np.asarray(one), np.asarray(other)
    shortest = min(len(first), len(second))
    differs = np.flatnonzero(first[:shortest] != second[:shortest])
    return int(differs[0]) if len(differs) else shortest


def _message(role: str, content: str) -> dict[str, JsonValue]:
    return {"role": role, "content": content}
