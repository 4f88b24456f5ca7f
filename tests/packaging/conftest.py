"""Lets the tests import the starter's training code, which is no package of Askfirst."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "packaging" / "starter"))
