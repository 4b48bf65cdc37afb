# Two commands do everything: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: help setup demo test lint type check golden clean

help: ## what there is
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

setup: $(STAMP) ## a virtual environment with everything

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(STAMP)

demo: $(STAMP) ## the whole path on the emulated lab: intent to verified fabric, and a fault found
	PATH="$(CURDIR)/$(BIN):$$PATH" lab/demo.sh

test: $(STAMP) ## all tests
	$(BIN)/pytest -n 4 --dist worksteal

lint: $(STAMP) ## style and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

type: $(STAMP) ## types
	$(BIN)/mypy

check: lint type test ## everything that CI does

golden: $(STAMP) ## rewrite the expected files of tests/golden; read the diff
	$(BIN)/pytest tests/golden --update-golden -q

clean: ## remove what the build made
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
