"""A loaded model and what is known of it."""

import llama_cpp

from assistant.model.child.memory import Memory
from assistant.model.child.template import Template
from assistant.model.child.vocabulary import Vocabulary
from assistant.model.wire import Chat, Ready


class Loaded:
    """A loaded model and what is known of it."""

    def __init__(self, model: llama_cpp.Llama) -> None:
        self.model = model
        self.vocabulary = Vocabulary(model)
        self.memory = Memory(model)
        self._template: Template | None = None

    def ready(self) -> Ready:
        marks = self.vocabulary.marks()
        return Ready(self.model.n_ctx(), self.memory.hybrid, self.vocabulary.size, marks)

    def render(self, prompt: str | Chat) -> str:
        if isinstance(prompt, str):
            return prompt
        if self._template is None:
            text = self.model.metadata.get("tokenizer.chat_template", "")
            bos, eos = self.model.token_bos(), self.model.token_eos()
            self._template = Template(text, self._name(bos), self._name(eos))
        return self._template.render(prompt)

    def tokens(self, text: str) -> list[int]:
        return list(self.model.tokenize(text.encode(), add_bos=False, special=True))

    def length(self, prompt: str | Chat) -> int:
        """How many tokens a prompt is."""
        return len(self.tokens(self.render(prompt)))

    def _name(self, token: int) -> str:
        return self.vocabulary.data(token).decode("utf-8", "replace") if token >= 0 else ""
