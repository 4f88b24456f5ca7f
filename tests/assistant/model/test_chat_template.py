"""A model's own chat template is foreign code: it renders in a sandbox, or says why it does not."""

from datetime import UTC, datetime

import pytest

from assistant.model.child.template import Template, TemplateError
from assistant.model.wire import Chat
from tests.assistant.model.toy import QWEN_TEMPLATE

CHAT = Chat(
    messages=(
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "lunch <b>&"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"function": {"name": "a.b", "arguments": {"to": ["Ana"], "x": "y"}}}],
        },
        {"role": "tool", "content": "Done."},
    ),
    tools=({"type": "function", "function": {"name": "a.b"}},),
    thinking=False,
)


def render(text: str, chat: Chat = CHAT) -> str:
    return Template(text, "<s>", "<|im_end|>").render(chat)


def test_a_conversation_is_rendered_as_the_template_says() -> None:
    assert render(QWEN_TEMPLATE) == (
        "<|im_start|>system\n# Tools\n\n"
        '<tools>\n{"type": "function", "function": {"name": "a.b"}}\n</tools>\n\n'
        "Call <function=NAME> within <tool_call>.\n\nBe brief.<|im_end|>\n"
        "<|im_start|>user\nlunch <b>&<|im_end|>\n"
        "<|im_start|>assistant\n\n<tool_call>\n<function=a.b>\n"
        '<parameter=to>\n["Ana"]\n</parameter>\n<parameter=x>\ny\n</parameter>\n</function>\n</tool_call><|im_end|>\n'
        "<|im_start|>user\n<tool_response>\nDone.\n</tool_response><|im_end|>\n"
        "<|im_start|>assistant\n<think>\n\n</think>\n\n"
    )


def test_thinking_is_always_said_outright() -> None:
    thinking = Chat(CHAT.messages, CHAT.tools, thinking=True)
    assert render("{{ enable_thinking }}", thinking) == "True"
    assert render("{{ enable_thinking }}") == "False"
    assert render(QWEN_TEMPLATE, thinking).endswith("<|im_start|>assistant\n<think>\n")


def test_json_is_written_as_the_models_were_trained_on_it() -> None:
    chat = Chat(({"role": "user", "content": "é<'>&"},), (), thinking=False)
    assert render("{{ messages[0] | tojson }}", chat) == '{"role": "user", "content": "é<\'>&"}'
    assert render("{{ [1] | tojson(indent=1) }}") == "[\n 1\n]"


def test_the_tags_that_training_templates_carry_are_passed_over() -> None:
    text = "{% for m in messages %}{% generation %}{{ loop.index }}{% endgeneration %}{% break %}{% endfor %}"
    assert render(text) == "1"


def test_the_special_tokens_are_known_to_it() -> None:
    assert render("{{ bos_token }}{{ eos_token }}{{ add_generation_prompt }}") == "<s><|im_end|>True"


@pytest.mark.parametrize(
    "text",
    [
        "{{ messages.__class__.__mro__ }}",
        "{{ ''.__class__.__base__.__subclasses__() }}",
        "{{ raise_exception.__globals__.json }}",
        "{{ cycler.__init__.__globals__.os.system('true') }}",
        "{% set x = messages.append(1) %}",
        "{{ messages[0].update({'role': 'tool'}) }}",
    ],
)
def test_it_cannot_reach_out_of_the_sandbox(text: str) -> None:
    with pytest.raises(TemplateError, match="its chat template fails"):
        render(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{% if %}", "is broken"),
        ("{{ raise_exception('Conversation roles must alternate') }}", "fails .*must alternate"),
        ("{{ nothing.of.the.kind }}", "fails"),
        ("{{ 1 // 0 }}", "fails"),
        ("{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}", "fails"),
        (
            "{% for a in range(99999) %}{% for b in range(99) %}xxxxxxxxx{% endfor %}{% endfor %}",
            "without end",
        ),
        ("{{ range(999999999) }}", "fails"),
        ("{{ 9 ** (9 ** 9) }}", "too large numbers"),
        (
            "{% set x = namespace(n=3) %}{% for a in range(40) %}{% set x.n = x.n * x.n %}{% endfor %}",
            "large",
        ),
        (f"{'{% for a in [1] %}' * 60}x{'{% endfor %}' * 60}", "is broken"),
        (f"{{{{ {'(' * 5000}1{')' * 5000} }}}}", "is broken"),
        ("x" * 600_000, "is too long"),
    ],
)
def test_a_template_that_fails_says_why(text: str, why: str) -> None:
    with pytest.raises(TemplateError, match=why):
        render(text)


FOREVER = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"


def test_a_template_that_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.model.child.template._SECONDS", 0.1)
    with pytest.raises(TemplateError, match="does not come to an end"):
        render(FOREVER)
    assert render("{{ messages | length }}") == "4", "the next is not stopped by the bound of the one before"


@pytest.mark.parametrize(
    "text",
    [
        "{% set x = namespace(s='x') %}{% for a in range(60) %}{% set x.s = x.s ~ x.s %}{% endfor %}",
        "{{ 'x' * 9999999999 }}",
        "{{ ([1] * 9999999999) | length }}",
        "{{ 'x'.center(9999999999) }}",
        "{{ '%9999999999d' | format(1) }}",
    ],
)
def test_a_template_that_wants_all_the_memory_does_not_get_it(text: str) -> None:
    with pytest.raises(TemplateError, match=r"too much memory|fails"):
        render(text)
    assert render("{{ 'x' * 100_000 }}") == "x" * 100_000


def test_a_template_that_asks_for_the_date_is_told_that_of_its_beginning() -> None:
    moments = iter([datetime(2026, 11, 30, 23, 59, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC)])
    template = Template("{{ strftime_now('%d %B %Y') }}", "", "", lambda: next(moments))
    assert template.render(CHAT) == template.render(CHAT) == "30 November 2026"
