"""The parts that the measurement of the model runtime stands on."""

import importlib
import importlib.util
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import gguf
import pytest

from assistant.model.wire import Ended, Opened, Read, Said
from tests.assistant.model.words import REAL_SIZE, few_words, many_words

BENCH = Path(__file__).parents[2] / "packaging" / "bench"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module of courses, as the scripts beside it see it."""
    monkeypatch.syspath_prepend(str(BENCH))
    before = set(sys.modules)
    yield importlib.import_module("runtime_subject")
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(BENCH) in str(sys.modules[name].__file__):
            del sys.modules[name]


def test_a_course_tells_what_was_read_and_how_fast_was_answered(bench: ModuleType) -> None:
    course = bench.Course()
    spent = bench.Spent
    course.events = [
        (spent(0.5, 0.1), Opened(1, "tail", 3000, 2940)),
        (spent(1.5, 0.6), Read(1, 3000, 3000)),
        (spent(1.6, 0.7), Said(1, "a")),
        (spent(3.5, 1.0), Ended(1, "limit", 40)),
    ]
    assert course.evaluated == 60
    assert course.to_first == spent(1.6, 0.7)
    assert course.a_token.clock == pytest.approx(0.05)
    assert course.a_token.processor == pytest.approx(0.01)


def test_processor_time_is_read_of_any_process(bench: ModuleType) -> None:
    began = time.process_time()
    sum(range(3_000_000))
    assert bench.processor_time(os.getpid()) >= began


def test_memory_now_is_never_more_than_at_most(bench: ModuleType) -> None:
    now, most = bench.resident(os.getpid())
    assert 10_000_000 < now <= most


def test_a_turns_own_part_of_a_prompt_begins_where_the_person_speaks(bench: ModuleType) -> None:
    turns = ["<|im_start|>system\nTools", "<|im_start|>user\none", "<|im_start|>user\ntwo<|im_end|>"]
    assert bench.own_part("<|im_end|>\n".join(turns)) == turns[-1]


def test_a_bar_that_is_missed_is_seen_in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("bench_rows", BENCH / "rows.py")
    assert spec
    assert spec.loader
    rows = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "bench_rows", rows)
    spec.loader.exec_module(rows)
    table = rows.table(
        [
            rows.Row("kept", "1 s", "2 s", 0.5, "<= 1", True),
            rows.Row("missed", "3 s", "2 s", 1.5, "<= 1", False),
            rows.Row("without", "3 s", "2 s", 1.5),
        ]
    )
    assert [line.rsplit("  ", 1)[-1] for line in table.splitlines()] == ["bar", "<= 1 ✓", "<= 1 ✗", "1.5"]


def test_the_large_vocabulary_has_the_real_size_and_each_merge_makes_a_token_of_two(tmp_path: Path) -> None:
    words = many_words()
    assert len(words.tokens) == len(set(words.tokens)) == len(words.kinds) == REAL_SIZE
    known = set(words.tokens)
    made = set(few_words().tokens[:256])
    for merge in words.merges:
        left, right = merge.split(" ")
        assert left in made
        assert right in made
        made.add(left + right)
    assert made <= known


def test_the_vocabulary_is_the_same_each_time() -> None:
    assert many_words() == many_words()


def test_unused_tokens_are_marked_as_such() -> None:
    words = many_words(size=2000, unused=10)
    unused = [
        token for token, kind in zip(words.tokens, words.kinds, strict=True) if kind == gguf.TokenType.UNUSED
    ]
    assert unused == [f"[PAD{number}]" for number in range(10)]
