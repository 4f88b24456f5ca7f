"""A pytest plugin for tests under mutation: no test fails of itself, and a control shows whether one did.

A test runs more than once in one process here, which hypothesis takes for a fault of the test, and under a
load an example may take longer than it likes. `CONTROLLED` names the module under mutation, which has been
given a function `control` whose result nobody reads: a fault in it must never be noticed.
"""

import importlib
import os

from hypothesis import HealthCheck, settings

CONTROLLED = "MUTATION_CONTROLLED"

settings.register_profile(
    "mutation",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.differing_executors, HealthCheck.too_slow],
)


def pytest_sessionstart() -> None:
    """Load the profile after the conftest of all tests has loaded its own, and before a test is read."""
    settings.load_profile("mutation")


def pytest_runtest_setup() -> None:
    """Let every test speak for the control."""
    importlib.import_module(os.environ[CONTROLLED]).control()
