# Two commands matter to a newcomer: `make demo` and `make test`. Both set up what they need; the others are their parts.
#
# PYTHON=… names the interpreter for a new environment; without it the first of python3.11, python3.12, python3.13 and
# python3 that runs and is 3.11 to 3.13 is taken.
MAKEFLAGS += --no-print-directory
VENV    := .venv
BIN     := $(VENV)/bin
RUN     := $(BIN)/python
PRODUCT := $(VENV)/.product
STAMP   := $(VENV)/.installed
SITE    := $(VENV)/.docs
PIP     := $(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: help demo test docs gen record check-gen list-outputs lint types unit faults histories mutants clients bench bench-quick explorer fmt clean
.DEFAULT_GOAL := help

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

demo: $(PRODUCT)  ## make a graph of some notes (LCG_DEMO_DIR: of your own), ask it, and show what to do next
	@$(RUN) -m demo

test: check-gen lint types unit  ## everything that must hold: generated code, style, types, tests

docs: $(SITE)  ## build the site of the documents into build/docs/site
	@$(RUN) -m tools.docs site

gen: $(STAMP)  ## render everything from spec/, and what is made from the documents
	@$(RUN) -m codegen gen
	@$(RUN) -m tools.docs gen

record: $(STAMP)  ## have a real service answer the calls that the reference shows
	@$(RUN) -m tools.docs record
	@$(RUN) -m codegen gen

check-gen: $(STAMP)  ## fail when what is generated differs from what spec/ says
	@$(RUN) -m codegen check
	@$(RUN) -m tools.docs check

list-outputs: $(STAMP)  ## which template makes which file
	@$(RUN) -m codegen list-outputs

lint: $(STAMP)  ## ruff: style and format
	@$(RUN) -m ruff check --quiet .
	@$(RUN) -m ruff format --check --quiet .

types: $(STAMP)  ## mypy, strict
	@$(RUN) -m mypy

unit: $(STAMP)  ## pytest
	@$(RUN) -m pytest -q -n 2

faults: $(STAMP)  ## kill the service LCG_FAULT_KILLS (500) times under mixed writes, four workspaces at once (up to half an hour)
	@$(RUN) -m tests.faults

histories: $(STAMP)  ## play 10,000 random histories in memory and 300 in the engine, with seeds that it prints (minutes)
	@$(RUN) -m tests.histories

mutants: $(STAMP)  ## change the registry in every small way; rules, tests/page/ or a snapshot have to notice (minutes)
	@$(RUN) -m tests.codegen.mutation

clients: $(STAMP)  ## let the clients of other people talk to the service, each in an environment of its own (minutes; npm for some)
	@$(RUN) -m tests.clients

bench: $(STAMP)  ## measure everything beside bare engines and rivals, and renew docs/generated/benchmarks.md (hours; npm for some)
	@$(RUN) -m bench

bench-quick: $(STAMP)  ## the same at small sizes and in few rounds (minutes)
	@$(RUN) -m bench --quick

explorer:  ## check and bundle the page of `lcg view` from explorer/ (npm)
	@cd explorer && npm ci --silent && npm run --silent types && npm test --silent && npm run --silent build

fmt: $(STAMP)  ## format, and mend what ruff can mend
	@$(RUN) -m ruff check --fix .
	@$(RUN) -m ruff format .

clean:  ## remove the environment and all caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis src/*.egg-info

# The environment: made once, brought up to date when what it is made from has changed. The program comes first, what
# tests and site need beside it when they are asked for.
$(PRODUCT): pyproject.toml constraints.txt tools/environment.sh
	@sh tools/environment.sh $(VENV) $(PYTHON)
	@touch $(PRODUCT)

$(STAMP): $(PRODUCT)
	@$(PIP) -e '.[dev]'
	@touch $(STAMP)

$(SITE): $(STAMP)
	@$(PIP) -e '.[docs]'
	@touch $(SITE)
