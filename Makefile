# Askfirst: every target makes the environment it needs first.

PYTHON ?= python3
VENV ?= .venv
ADVERSARY_VENV ?= .venv-adversary
LLAMA_WHEEL ?=
BIN = $(VENV)/bin

export ASKFIRST_LLAMA_WHEEL ?= $(LLAMA_WHEEL)

.PHONY: run demo test check bench adversary fuzz mutate clean environment developer

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

# Any bytes into the readers of model output and of rules, SECONDS for each.
fuzz:
	@$(PYTHON) packaging/adversary/environment.py $(ADVERSARY_VENV)
	@$(ADVERSARY_VENV)/bin/python packaging/fuzz dialects $(or $(SECONDS),120)
	@$(ADVERSARY_VENV)/bin/python packaging/fuzz policy $(or $(SECONDS),120)

# One fault after another into FILE, to see if its tests notice.
mutate:
	@$(PYTHON) packaging/prepare.py $(VENV) test check mutate
	@$(BIN)/python packaging/mutation $(or $(FILE),connectors/clean.py)

environment:
	@$(PYTHON) packaging/prepare.py $(VENV)

developer:
	@$(PYTHON) packaging/prepare.py $(VENV) test check

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
