"""The files' tools: what may be asked of them, in words copied from the person."""

from pydantic import Field

from connectors.base import Effect, Tool, ToolArguments, UndoArguments


class Search(ToolArguments):
    words: str | None = Field(None, description="words in the name or text")
    folder: str | None = None


class List(ToolArguments):
    folder: str | None = None


class Read(ToolArguments):
    file: str | None = Field(None, description="a name, a path or a handle")


class Write(ToolArguments):
    file: str | None = Field(None, description="a name, a path or a handle")
    text: str | None = Field(None, description="the text, in the person's words")
    add: bool = Field(False, description="add to the end instead of replacing")


class Move(ToolArguments):
    file: str | None = Field(None, description="a name, a path or a handle")
    to: str | None = Field(None, description="a folder, or the new name")


class MakeFolder(ToolArguments):
    folder: str | None = None


class Delete(ToolArguments):
    file: str | None = Field(None, description="a name, a path or a handle")


TOOLS = (
    Tool("files.search", "find files by name or content", Search, Effect.READ),
    Tool("files.list", "show what is in a folder", List, Effect.READ),
    Tool("files.read", "show what a file says", Read, Effect.READ),
    Tool("files.write", "write a note or text to a file", Write, Effect.WRITE),
    Tool("files.move", "move or rename a file", Move, Effect.WRITE),
    Tool("files.make_folder", "make a folder", MakeFolder, Effect.WRITE),
    Tool("files.delete", "put a file in the trash", Delete, Effect.DELETE),
    Tool("files.undo", "take back a change to files", UndoArguments, Effect.WRITE, offered=False),
)
