"""Why something could not be done with a file, said so that a person can do something about it.

FilesError
├── Refused      it cannot be done; `needs` is the code a repair can be found for
├── Unsettled    a person has to choose or say something first
└── Changed      what was looked at is no longer as it was
"""

import errno

from connectors.base import Needs, Question

_NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_READ_ONLY = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_NOT_FOUND = frozenset({errno.ENOENT, errno.ENOTDIR})
_IN_THE_WAY = frozenset({errno.EEXIST, errno.ENOTEMPTY, errno.EISDIR})


class FilesError(Exception):
    """Base of everything that keeps a call on files from being done."""


class Refused(FilesError):
    """It cannot be done, for a reason told in one plain sentence."""

    def __init__(self, needs: Needs, text: str) -> None:
        super().__init__(text)
        self.needs = needs
        self.text = text


class Unsettled(FilesError):
    """A person has to answer a question before it can be done."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.text)
        self.question = question


class Changed(FilesError):
    """A file is no longer as it was when it was looked at."""


def refusal(error: OSError, shown: str) -> Refused:
    """What the system's error means for the file or folder called `shown`."""
    code = error.errno or 0
    if code in _NO_SPACE:
        return Refused(Needs.NO_SPACE, f"There is no room left on the disk for “{shown}”.")
    if code in _READ_ONLY:
        return Refused(Needs.READ_ONLY, f"“{shown}” is protected: this account may not do that with it.")
    if code in _NOT_FOUND:
        return Refused(Needs.NOT_FOUND, f"“{shown}” is not there.")
    if code in _IN_THE_WAY:
        return Refused(Needs.CONFLICT, f"Something called “{shown}” is already there.")
    if code == errno.EXDEV:
        return Refused(Needs.INVALID, f"“{shown}” leads outside the folders that may be used.")
    if code == errno.ELOOP:
        return Refused(Needs.INVALID, f"“{shown}” is a link, and links are not followed there.")
    if code == errno.ENAMETOOLONG:
        return Refused(Needs.INVALID, f"“{shown}” is too long a name for this disk.")
    if code == errno.EINVAL:
        return Refused(Needs.INVALID, f"This disk cannot do that with “{shown}”.")
    return Refused(Needs.UNAVAILABLE, f"“{shown}” could not be used: {error.strerror or 'unknown error'}.")
