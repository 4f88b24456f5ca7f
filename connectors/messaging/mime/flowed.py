"""Text whose line breaks were soft: format=flowed with DelSp, as RFC 3676 section 4 has it."""


def unflowed(text: str, *, delete_space: bool) -> str:
    """Flowed text with its soft breaks joined and its space-stuffing taken off.

    A line that ends in a space goes on in the next line of the same quote depth; `delete_space` (DelSp=yes)
    says that this space was put in by the break. The signature line "-- " never goes on.
    """
    paragraphs: list[str] = []
    open_depth: int | None = None
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        content = line[depth:].removeprefix(" ")
        soft = content.endswith(" ") and content != "-- "
        shown = content[:-1] if soft and delete_space else content
        if open_depth == depth and content != "-- ":
            paragraphs[-1] += shown
        else:
            paragraphs.append(f"{'>' * depth} {shown}" if depth else shown)
        open_depth = depth if soft else None
    return "\n".join(paragraphs)
