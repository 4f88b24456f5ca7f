# Askfirst: every target makes the environment it needs first.

PYTHON ?= python3
VENV ?= .venv
ADVERSARY_VENV ?= .venv-adversary
LLAMA_WHEEL ?=
BIN = $(VENV)/bin

export ASKFIRST_LLAMA_WHEEL ?= $(LLAMA_WHEEL)

.PHONY: run demo test check bench adversary clean environment developer

run: environment
	@$(BIN)/askfirst

demo: environment
	@$(BIN)/askfirst --demo

test: developer
	@$(BIN)/pytest -q

check: developer
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: developer
	@$(BIN)/python packaging/bench

# Attacks: all of them, or one folder with ATTACKS=DIR; every n-th AgentDojo case only with EVERY=n.
adversary:
	@$(PYTHON) packaging/adversary/environment.py $(ADVERSARY_VENV)
	@$(ADVERSARY_VENV)/bin/python packaging/adversary $(if $(ATTACKS),--attacks $(ATTACKS)) $(if $(EVERY),--every $(EVERY)) $(if $(JSON),--json $(JSON))

environment:
	@$(PYTHON) packaging/prepare.py $(VENV)

developer:
	@$(PYTHON) packaging/prepare.py $(VENV) test check

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
