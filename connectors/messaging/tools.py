"""The mailbox's tools: what may be asked of it, in words copied from the person."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from connectors.base import Effect, Tool, ToolArguments, UndoArguments


def _several(value: object) -> object:
    """One name is a list of one: small models and people who type an answer write it so."""
    return (value,) if isinstance(value, str) else value


People = Annotated[tuple[str, ...], BeforeValidator(_several)]
Files = Annotated[tuple[str, ...], BeforeValidator(_several)]


class Search(ToolArguments):
    words: str | None = Field(None, description="words in the subject or text")
    sender: str | None = Field(None, description="who it is from")
    when: str | None = Field(None, description="when it came, in the person's words")
    folder: str | None = None
    unread: bool | None = None


class Read(ToolArguments):
    message: str | None = Field(None, description="words that name the message, or its handle")
    sender: str | None = Field(None, description="who it is from")


class SaveAttachment(Read):
    attachment: str | None = Field(None, description="which file, where there are several")
    folder: str | None = Field(None, description="where to keep it")


class Draft(ToolArguments):
    to: People = Field((), description="names or addresses")
    subject: str | None = None
    body: str | None = Field(None, description="the text, in the person's words")
    attachments: Files = Field((), description="files to send along: names, paths or handles")


class Send(Draft):
    pass


class Reply(ToolArguments):
    message: str | None = Field(None, description="words that name the message, or its handle")
    sender: str | None = Field(None, description="who it is from")
    body: str | None = Field(None, description="the text, in the person's words")
    attachments: Files = Field((), description="files to send along: names, paths or handles")


class Move(ToolArguments):
    message: str | None = Field(None, description="words that name the message, or its handle")
    sender: str | None = Field(None, description="who it is from")
    folder: str | None = Field(None, description="where to")


class Delete(ToolArguments):
    message: str | None = Field(None, description="words that name the message, or its handle")
    sender: str | None = Field(None, description="who it is from")


class FindContact(ToolArguments):
    name: str | None = None


class AddContact(ToolArguments):
    name: str | None = None
    address: str | None = Field(None, description="an e-mail address")
    phone: str | None = None


TOOLS = (
    Tool("messaging.search", "find or list messages", Search, Effect.READ),
    Tool("messaging.read", "show what a message says", Read, Effect.READ),
    Tool("messaging.save_attachment", "save a file that a message carries", SaveAttachment, Effect.WRITE),
    Tool("messaging.draft", "write a message and keep it as a draft", Draft, Effect.WRITE),
    Tool("messaging.send", "send a message", Send, Effect.SEND),
    Tool("messaging.reply", "answer a message", Reply, Effect.SEND),
    Tool("messaging.move", "move a message to a folder", Move, Effect.WRITE),
    Tool("messaging.delete", "put a message in the trash", Delete, Effect.DELETE),
    Tool("messaging.find_contact", "look up somebody's address or number", FindContact, Effect.READ),
    Tool("messaging.add_contact", "add somebody to the address book", AddContact, Effect.WRITE),
    Tool("messaging.undo", "take back a change to the mailbox", UndoArguments, Effect.WRITE, offered=False),
)
