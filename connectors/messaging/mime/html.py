"""HTML mail as plain text: nothing is loaded, nothing runs, and where a link leads is written beside it."""

import re
from html.parser import HTMLParser
from typing import Final

_UNSEEN: Final = frozenset({"script", "style", "title", "template"})
_SELF_ENDING: Final = frozenset({"p", "li", "dd", "dt", "td", "th", "tr", "option"})
_VOID: Final = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"})
_BLOCKS: Final = frozenset(
    {"address", "article", "aside", "blockquote", "center", "dd", "div", "dl", "dt"}
) | {
    *("fieldset", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main"),
    *("nav", "ol", "p", "pre", "section", "table", "tr", "ul"),
}
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0", re.IGNORECASE)
_SPACES = re.compile(r"[^\S\n]+")
# The standard parser takes time that grows with the square of the number of brackets that never close.
_LONE_BRACKET = re.compile(r"<(?=[^<>]*(?:<|\Z))")
_EMPTY_LINES = re.compile(r"\n{3,}")


def text_of_html(markup: str) -> str:
    """What a person would read in this HTML, with the address of each link after its words."""
    reader = _Reader()
    reader.feed(_LONE_BRACKET.sub("&lt;", _without_comments(markup)))
    reader.close()
    text = "".join(reader.pieces).replace("\u00a0", " ")
    lines = (_SPACES.sub(" ", line).strip() for line in text.split("\n"))
    return _EMPTY_LINES.sub("\n\n", "\n".join(lines)).strip()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._hidden = ""
        self._depth = 0
        self._links: list[tuple[str, int]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == self._hidden and tag in _SELF_ENDING:
            self._hidden, self._depth = "", 0
        if not self._hidden and tag not in _VOID and (tag in _UNSEEN or _hides(attributes)):
            self._hidden = tag
        if self._hidden:
            self._depth += tag == self._hidden
            return
        if tag == "br" or tag in _BLOCKS:
            self.pieces.append({"li": "\n• ", "p": "\n\n"}.get(tag, "\n"))
        elif tag in ("td", "th"):
            self.pieces.append("  ")
        elif tag == "a":
            self._links.append((attributes.get("href") or "", len(self.pieces)))
        elif tag == "img" and attributes.get("alt"):
            self.pieces.append(f"[{attributes['alt']}]")

    def handle_endtag(self, tag: str) -> None:
        if self._hidden:
            self._depth -= tag == self._hidden
            self._hidden = self._hidden if self._depth else ""
            return
        if tag == "a" and self._links:
            self._close_link(*self._links.pop())
        elif tag in _BLOCKS:
            self.pieces.append("\n\n" if tag == "p" else "\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(" ".join(re.split(r"[ \t\r\n]+", data)))

    def _close_link(self, address: str, start: int) -> None:
        words = "".join(self.pieces[start:]).strip()
        target = address.strip()
        if target and not target.startswith("#") and words not in (target, target.removeprefix("mailto:")):
            self.pieces.append(f" <{target}>")


def _without_comments(markup: str) -> str:
    pieces, position = [], 0
    while (start := markup.find("<!--", position)) >= 0:
        end = markup.find("-->", start)
        pieces.append(markup[position:start])
        position = len(markup) if end < 0 else end + 3
    return "".join([*pieces, markup[position:]])


def _hides(attributes: dict[str, str | None]) -> bool:
    return "hidden" in attributes or bool(_HIDING.search(attributes.get("style") or ""))
