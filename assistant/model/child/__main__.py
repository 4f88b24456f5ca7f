"""Runs the model's process: requests come on standard input, events leave on standard output."""

import resource
import signal
import sys

from assistant.model.child.interrupt import Interrupt
from assistant.model.child.pipe import Pipe
from assistant.model.child.runner import Runner
from assistant.model.wire import Count, Generate, Load, Prepare

if __name__ == "__main__":
    # An interrupt from the terminal is for the program in front; it stops this process by closing the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What was said to the model must not lie around in a core file.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    interrupt = Interrupt()
    pipe = Pipe.take_over(sys.stdin.fileno(), sys.stdout.fileno(), sys.stderr.fileno(), interrupt)
    runner = Runner(pipe, interrupt)
    for request in pipe.requests():
        match request:
            case Load():
                pipe.send(runner.load(request))
            case Generate():
                pipe.send(runner.generate(request))
            case Prepare():
                pipe.send(runner.prepare(request))
            case Count():
                pipe.send(runner.count(request))
        runner.rest()
