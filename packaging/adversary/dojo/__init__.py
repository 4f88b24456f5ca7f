"""AgentDojo's workspace suite, carried out by the real conversation through the real gate."""

# AgentDojo's modules import each other in a circle, which opens only if this one comes first.
import agentdojo.task_suite.load_suites  # noqa: F401
