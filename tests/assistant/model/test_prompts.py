"""Where the prompts of a conversation part from one another, whatever the template does."""

import re
from dataclasses import replace

import pytest

from assistant.model.child.prompts import Prompt, Prompts, Standing
from assistant.model.child.template import Template, TemplateError
from assistant.model.wire import Chat
from tests.assistant.model.chats import chat
from tests.assistant.model.toy import QWEN_TEMPLATE

# As the templates of models that reason: thoughts stand only in the answer that is being given.
THINKING = QWEN_TEMPLATE.replace(
    "<|im_start|>assistant\n{{ message.content }}",
    "<|im_start|>assistant\n{% if messages[loop.index:] | selectattr('role', 'eq', 'user') | list"
    " | length == 0 %}<think>\n\n</think>\n\n{% endif %}{{ message.content }}",
)
TRIMMED = QWEN_TEMPLATE.replace("message.content }}", "message.content | trim }}")
TEMPLATES = pytest.mark.parametrize(
    "text", [QWEN_TEMPLATE, THINKING, TRIMMED], ids=["plain", "think", "trim"]
)


class Words:
    """Takes words, blanks and special tokens for tokens."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}

    def tokens(self, text: str) -> list[int]:
        parts = re.findall(r"<[^<>]*>|\s|[^\s<]+|<", text)
        return [self.ids.setdefault(part, len(self.ids)) for part in parts]

    def is_mark(self, token: int) -> bool:
        word = list(self.ids)[token]
        return word.startswith("<|") or word in ("<think>", "</think>")

    def text(self, tokens: object) -> str:
        words = list(self.ids)
        return "".join(words[token] for token in tokens)


def made(text: str) -> tuple[Prompts, Words]:
    words = Words()
    return Prompts(Template(text, "", "").render, words.tokens, words.is_mark), words


@TEMPLATES
def test_the_beginning_that_all_conversations_share_ends_before_the_first_goal(text: str) -> None:
    prompts, words = made(text)
    for told in (chat("mail Ana"), chat("lunch", "Done.", "and dinner")):
        prompt = prompts.of_chat(told, None)
        assert words.text(prompt.tokens[: prompt.fixed]).endswith("Be brief.<|im_end|>\n")
        assert words.text(prompt.tokens) == prompt.text


@TEMPLATES
def test_what_lasts_is_what_the_prompt_of_the_next_goal_begins_with(text: str) -> None:
    prompts, words = made(text)
    first = prompts.of_chat(chat("mail Ana"), None)
    second = prompts.of_chat(chat("mail Ana", "Done.", "lunch"), None)
    assert words.text(first.tokens[: first.lasting]).endswith("mail Ana<|im_end|>\n")
    assert second.tokens[: first.lasting] == first.tokens[: first.lasting]


@TEMPLATES
def test_what_is_read_ahead_is_all_but_the_next_goal(text: str) -> None:
    prompts, words = made(text)
    told = chat("mail Ana", "", "=Sent.", "Done.")
    ahead = prompts.ahead(told)
    after = prompts.of_chat(chat("mail Ana", "", "=Sent.", "Done.", "lunch"), None)
    assert after.tokens[: len(ahead.tokens)] == ahead.tokens
    assert words.text(after.tokens[len(ahead.tokens) :]).startswith("<|im_start|>user\nlunch")
    assert ahead.fixed == after.fixed
    assert ahead.lasting == len(ahead.tokens)


@TEMPLATES
def test_before_any_goal_what_all_conversations_share_is_read_ahead(text: str) -> None:
    prompts, _ = made(text)
    ahead = prompts.ahead(chat())
    assert len(ahead.tokens) == ahead.fixed == prompts.of_chat(chat("lunch"), None).fixed


@TEMPLATES
def test_after_an_answer_that_stands_comes_only_what_is_new(text: str) -> None:
    prompts, words = made(text)
    first = chat("mail Ana")
    held = (*words.tokens(prompts.of_chat(first, None).text), *words.tokens("what it really said"))
    told = chat("mail Ana", "what the conversation says of it", "=Sent.", follows=True)
    prompt = prompts.of_chat(told, Standing(first, held))
    assert tuple(prompt.tokens[: len(held)]) == held
    assert words.text(prompt.tokens[len(held) :]).startswith(
        "<|im_end|>\n<|im_start|>user\n<tool_response>\n=Sent.\n</tool_response><|im_end|>\n"
    )
    assert "what the conversation says of it" in prompt.text


SAID = chat("mail Ana", "Hm.", "=Sent.", follows=True)


@pytest.mark.parametrize(
    "told",
    [
        replace(SAID, follows=False),
        replace(SAID, thinking=True),
        replace(SAID, tools=SAID.tools[:1]),
        replace(SAID, messages=SAID.messages[:2]),
        chat("mail Ben", "Hm.", "=Sent.", follows=True),
        chat("mail Ana", "Hm.", "=Sent.", "Done.", follows=True),
        chat("mail Ana", "Hm.", "=ASKFIRSTANSWERSTANDSHERE", follows=True),
    ],
    ids=["not said", "thinking", "tools", "no answer", "goal", "two answers", "the sign itself"],
)
def test_where_another_answer_may_be_meant_all_is_read(told: Chat) -> None:
    prompts, _ = made(QWEN_TEMPLATE)
    standing = Standing(chat("mail Ana"), (1, 2, 3))
    assert prompts.of_chat(told, standing) == prompts.of_chat(told, None)


def test_where_the_template_refuses_a_guess_nothing_is_known_to_last() -> None:
    refusing = "{% if messages | length > 2 %}{{ raise_exception('no') }}{% endif %}" + QWEN_TEMPLATE
    prompts, _ = made(refusing)
    prompt = prompts.of_chat(chat("mail Ana"), None)
    assert prompt.lasting == 0
    assert prompt.fixed > 0
    with pytest.raises(TemplateError):
        prompts.of_chat(chat("mail Ana", "Done."), None)


def test_a_template_without_special_tokens_has_no_such_places() -> None:
    prompts, words = made("{% for m in messages %}{{ m.role }}: {{ m.content }} {% endfor %}assistant:")
    prompt = prompts.of_chat(chat("mail Ana"), None)
    assert prompt == Prompt("system: Be brief. user: mail Ana assistant:", words.tokens(prompt.text))
