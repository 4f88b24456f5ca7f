# Askfirst: every target makes the environment it needs first.

PYTHON ?= python3
VENV ?= .venv
LLAMA_WHEEL ?=
BIN = $(VENV)/bin

export ASKFIRST_LLAMA_WHEEL ?= $(LLAMA_WHEEL)

.PHONY: run demo test check bench clean environment developer

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

environment:
	@$(PYTHON) packaging/prepare.py $(VENV)

developer:
	@$(PYTHON) packaging/prepare.py $(VENV) test check

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
