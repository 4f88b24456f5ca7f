"""Programs of the tests that Ctrl+C reaches, however the tests themselves were started."""

import signal


def heed_interrupts() -> None:
    """For `preexec_fn`: what is started from a shell's background would ignore SIGINT (POSIX sh, 2.11)."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
