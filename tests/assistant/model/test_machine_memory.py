"""How much memory may be taken, read from trees of files as Linux shows them."""

from pathlib import Path

import pytest

from assistant.model.capacity.machine import available_memory

MB = 1 << 20


def tree(root: Path, files: dict[str, object]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")
    return root


def meminfo(free: int) -> str:
    return f"MemTotal:       8000000 kB\nMemFree:  12 kB\nMemAvailable:    {free // 1024} kB"


def test_what_the_kernel_calls_available_may_be_taken(tmp_path: Path) -> None:
    assert available_memory(tree(tmp_path, {"proc/meminfo": meminfo(3000 * MB)})) == 3000 * MB


def test_a_limit_of_a_control_group_is_heeded_and_what_its_files_hold_can_be_given_back(
    tmp_path: Path,
) -> None:
    root = tree(
        tmp_path,
        {
            "proc/meminfo": meminfo(3000 * MB),
            "proc/self/cgroup": "0::/user.slice/box",
            "sys/fs/cgroup/user.slice/box/memory.max": 1000 * MB,
            "sys/fs/cgroup/user.slice/box/memory.high": "max",
            "sys/fs/cgroup/user.slice/box/memory.current": 700 * MB,
            "sys/fs/cgroup/user.slice/box/memory.stat": f"anon 5\ninactive_file {200 * MB}\nactive_file 7",
        },
    )
    assert available_memory(root) == 500 * MB


def test_a_group_above_may_allow_less(tmp_path: Path) -> None:
    root = tree(
        tmp_path,
        {
            "proc/meminfo": meminfo(3000 * MB),
            "proc/self/cgroup": "0::/user.slice/box",
            "sys/fs/cgroup/user.slice/memory.max": 900 * MB,
            "sys/fs/cgroup/user.slice/memory.current": 800 * MB,
            "sys/fs/cgroup/user.slice/box/memory.max": "max",
            "sys/fs/cgroup/user.slice/box/memory.current": 10 * MB,
        },
    )
    assert available_memory(root) == 100 * MB


def test_a_group_that_is_over_its_limit_has_nothing_left(tmp_path: Path) -> None:
    root = tree(
        tmp_path,
        {
            "proc/meminfo": meminfo(3000 * MB),
            "proc/self/cgroup": "0::/",
            "sys/fs/cgroup/memory.high": 100 * MB,
            "sys/fs/cgroup/memory.current": 130 * MB,
        },
    )
    assert available_memory(root) == 0


@pytest.mark.parametrize("seen", ["box/", ""])
def test_groups_of_the_first_version_count_too_even_if_a_container_shows_only_their_top(
    tmp_path: Path, seen: str
) -> None:
    root = tree(
        tmp_path,
        {
            "proc/meminfo": meminfo(3000 * MB),
            "proc/self/cgroup": "5:devices:/\n4:cpu,memory:/box\n0::/",
            f"sys/fs/cgroup/memory/{seen}memory.limit_in_bytes": 600 * MB,
            f"sys/fs/cgroup/memory/{seen}memory.usage_in_bytes": 400 * MB,
            f"sys/fs/cgroup/memory/{seen}memory.stat": f"inactive_file 3\ntotal_inactive_file {50 * MB}",
        },
    )
    assert available_memory(root) == 250 * MB


def test_no_limit_of_the_first_version_is_a_huge_number(tmp_path: Path) -> None:
    root = tree(
        tmp_path,
        {
            "proc/meminfo": meminfo(3000 * MB),
            "proc/self/cgroup": "4:memory:/",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": 9223372036854771712,
            "sys/fs/cgroup/memory/memory.usage_in_bytes": 400 * MB,
        },
    )
    assert available_memory(root) == 3000 * MB


@pytest.mark.parametrize("meminfo", ["", "MemAvailable: lots kB", "MemTotal: 5 kB"])
def test_without_the_kernels_word_a_share_of_the_whole_is_taken(tmp_path: Path, meminfo: str) -> None:
    found = available_memory(tree(tmp_path, {"proc/meminfo": meminfo}))
    whole = available_memory(tree(tmp_path / "none", {}))
    assert found == whole
    assert found


def test_this_machine_says_how_much_it_has() -> None:
    found = available_memory()
    assert found
    assert 10 * MB < found < 1 << 50
