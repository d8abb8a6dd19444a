# Two commands matter to a newcomer: `make demo` and `make test`. The others are their parts.
PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: help demo test gen check-gen list-outputs lint types unit fmt clean

help:  ## what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(STAMP)

test: check-gen lint types unit  ## everything that must hold: generated code, style, types, tests

gen: $(STAMP)  ## render everything from spec/
	$(BIN)/python -m codegen gen

check-gen: $(STAMP)  ## fail when what is generated differs from what spec/ says
	$(BIN)/python -m codegen check

list-outputs: $(STAMP)  ## which template makes which file
	$(BIN)/python -m codegen list-outputs

lint: $(STAMP)  ## ruff: style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)  ## mypy, strict
	$(BIN)/mypy

unit: $(STAMP)  ## pytest
	$(BIN)/python -m pytest -q -n 2

fmt: $(STAMP)  ## format and mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:  ## remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
