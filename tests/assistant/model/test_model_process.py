"""The model's process towards the machine: it dies with its parent, is silent, and runs only our code."""

import asyncio
import os
import sys
from pathlib import Path

import pytest


async def run_program(
    model: Path, body: str, folder: Path | None = None, terminal: int = asyncio.subprocess.PIPE
) -> asyncio.subprocess.Process:
    """A program of its own, started in a folder, that makes an engine and then does as told."""
    program = (
        "import asyncio, os, sys, pathlib\n"
        "from assistant.model.host.engine import Engine\n"
        "from assistant.model.spec import DialectName, ModelSpec\n"
        "from assistant.model.wire import Generate, Said\n"
        "async def main():\n"
        "    path = pathlib.Path(sys.argv[1])\n"
        "    engine = Engine(ModelSpec('t', 'T', path, DialectName.QWEN, context=4096))\n"
        f"{body}"
        "asyncio.run(main())\n"
    )
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-P", "-W", "error", "-c", program, str(model)),
        cwd=folder,
        stdin=None if terminal == asyncio.subprocess.PIPE else terminal,
        stdout=terminal,
        stderr=terminal,
    )


async def test_the_process_ends_when_the_one_that_started_it_is_killed(toy_llama: Path) -> None:
    parent = await run_program(
        toy_llama,
        "    async for event in engine.generate(Generate(0, 'hello', 100000)):\n"
        "        if isinstance(event, Said):\n"
        "            print(engine.pid, flush=True)\n"
        "            await asyncio.sleep(60)\n",
    )
    assert parent.stdout
    child = os.pidfd_open(int(await parent.stdout.readline()))
    parent.kill()
    await parent.wait()
    ended = asyncio.Event()
    asyncio.get_running_loop().add_reader(child, ended.set)
    async with asyncio.timeout(20):
        await ended.wait()
    asyncio.get_running_loop().remove_reader(child)
    os.close(child)


async def test_nothing_of_llama_cpp_reaches_the_terminal(toy_llama: Path) -> None:
    process = await run_program(toy_llama, "    await engine.load()\n    await engine.close()\n")
    assert await process.communicate() == (b"", b"")
    assert process.returncode == 0


async def test_nothing_reaches_the_terminal_when_it_is_cancelled_and_killed(toy_llama: Path) -> None:
    ours, theirs = os.openpty()
    process = await run_program(
        toy_llama,
        "    for _ in range(3):\n"
        "        answer = engine.generate(Generate(0, 'the cat sat on the mat and ' * 140, 10))\n"
        "        await anext(answer)\n"
        "        await answer.aclose()\n"
        "    os.kill(engine.pid, 9)\n"
        "    async for _ in engine.generate(Generate(0, 'hello', 3)):\n"
        "        pass\n"
        "    await engine.close()\n",
        terminal=theirs,
    )
    os.close(theirs)
    assert await process.wait() == 0
    os.set_blocking(ours, False)
    with pytest.raises(OSError, match="Input/output error"):  # it is closed, and nothing was left in it
        os.read(ours, 1000)
    os.close(ours)


async def test_what_lies_in_the_folder_it_was_started_in_is_not_run(toy_llama: Path, tmp_path: Path) -> None:
    for name in ("numpy.py", "jinja2.py", "llama_cpp.py"):
        (tmp_path / name).write_text("open('was_run', 'w')\n")
    process = await run_program(toy_llama, "    await engine.load()\n    await engine.close()\n", tmp_path)
    assert await process.communicate() == (b"", b"")
    assert not (tmp_path / "was_run").exists()
