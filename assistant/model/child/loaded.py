"""A loaded model and what is known of it."""

import llama_cpp

from assistant.model.child.memory import Memory
from assistant.model.child.prompts import Prompt, Prompts, Standing
from assistant.model.child.template import Template
from assistant.model.child.vocabulary import Vocabulary
from assistant.model.shelf.gguf import template_in
from assistant.model.wire import Chat, Ready


class Loaded:
    """A loaded model and what is known of it."""

    def __init__(self, model: llama_cpp.Llama, memory: Memory) -> None:
        self.model = model
        self.vocabulary = Vocabulary(model)
        self.memory = memory
        self._prompts = Prompts(self._render, self.tokens, self.vocabulary.is_mark)
        self._template: Template | None = None
        self._standing: Standing | None = None

    def ready(self) -> Ready:
        marks = self.vocabulary.marks()
        return Ready(self.model.n_ctx(), self.memory.hybrid, self.vocabulary.size, marks)

    def open(self, prompt: str | Chat) -> Prompt:
        """The prompt of a request; an answer that stood until now stands no longer. Raises TemplateError."""
        standing, self._standing = self._standing, None
        if isinstance(prompt, str):
            return self._prompts.of_text(prompt)
        return self._prompts.of_chat(prompt, standing)

    def length(self, prompt: str | Chat) -> int:
        """How many tokens a prompt is. Raises TemplateError."""
        if isinstance(prompt, str):
            return len(self.tokens(prompt))
        return len(self._prompts.tokens(prompt, self._standing))

    def ahead(self, chat: Chat) -> Prompt:
        """What can be read of a conversation before its next goal is known. Raises TemplateError."""
        return self._prompts.ahead(chat)

    def let_stand(self, chat: Chat) -> None:
        """Keep what is read now as a conversation and its answer, which a later request may follow."""
        self._standing = Standing(chat, self.memory.held())

    def tokens(self, text: str) -> list[int]:
        return list(self.model.tokenize(text.encode(), add_bos=False, special=True))

    def _render(self, chat: Chat) -> str:
        if self._template is None:
            text = template_in(self.model.metadata) or ""
            bos, eos = self.model.token_bos(), self.model.token_eos()
            self._template = Template(text, self._name(bos), self._name(eos))
        return self._template.render(chat)

    def _name(self, token: int) -> str:
        return self.vocabulary.data(token).decode("utf-8", "replace") if token >= 0 else ""
