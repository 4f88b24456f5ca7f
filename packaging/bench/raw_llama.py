"""llama-cpp-python alone in a process: reads a prompt and generates a given answer, token by token.

One JSON object to a line: first the load request, then {"prompt": ..., "answer": ...}. It answers each with
the seconds it took.
"""

import json
import os
import sys
import time

from assistant.model.child.loading import Log, load
from assistant.model.wire import Load, decode_request


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    request = decode_request(sys.stdin.buffer.readline())
    assert isinstance(request, Load)
    model = load(request, Log())
    for line in sys.stdin.buffer:
        task = json.loads(line)
        prompt = model.tokenize(task["prompt"].encode(), add_bos=False, special=True)
        answer = model.tokenize(task["answer"].encode(), add_bos=False, special=True)
        model.reset()
        began = time.perf_counter()
        model.eval(prompt)
        for token in answer:
            model.sample(temp=0.0)
            model.eval([token])
        print(time.perf_counter() - began, file=answers, flush=True)


if __name__ == "__main__":
    main()
