"""What the system's errors are told as."""

import errno

import pytest

from connectors.base import Needs
from connectors.files.errors import refusal


@pytest.mark.parametrize(
    ("code", "needs"),
    [
        (errno.ENOSPC, Needs.NO_SPACE),
        (errno.EDQUOT, Needs.NO_SPACE),
        (errno.EFBIG, Needs.NO_SPACE),
        (errno.EACCES, Needs.READ_ONLY),
        (errno.EPERM, Needs.READ_ONLY),
        (errno.EROFS, Needs.READ_ONLY),
        (errno.ENOENT, Needs.NOT_FOUND),
        (errno.EEXIST, Needs.CONFLICT),
        (errno.EXDEV, Needs.INVALID),
        (errno.ELOOP, Needs.INVALID),
        (errno.ENAMETOOLONG, Needs.INVALID),
        (errno.EIO, Needs.UNAVAILABLE),
        (None, Needs.UNAVAILABLE),
    ],
)
def test_an_error_of_the_system_has_a_code_and_names_the_file(code: int | None, needs: Needs) -> None:
    told = refusal(OSError(code, "reason"), "Documents/a.txt")
    assert told.needs is needs
    assert "“Documents/a.txt”" in told.text
    assert told.text.endswith(".")
