# tablemen: `make` does everything from nothing; `make help` lists the rest.

PYTHON ?= python3
BIN := .venv/bin
GAME ?=
RUST_SOURCES := Cargo.toml Cargo.lock $(shell find crates -name '*.rs' -o -name Cargo.toml)

# One interpreter for every build, or changing it would compile the bindings again.
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Sets of squares live by these instructions, which nearly every x86-64 processor has. (The rest of `target-cpu=native`
# makes some counts slower: the compiler then puts sets into vector registers.)
ifneq (,$(shell grep -m1 -ow bmi2 /proc/cpuinfo 2>/dev/null))
export RUSTFLAGS ?= -C target-feature=+popcnt,+bmi1,+bmi2,+lzcnt
endif

.DEFAULT_GOAL := tests
.DELETE_ON_ERROR:
.PHONY: tests check compile rust lint types play bench docs clean help needs needs-lint

tests: rust lint types ## everything from nothing: environment, build, Rust and Python tests, lint, types (the default)
	$(BIN)/python -m pytest -n 2 -m "not deep"

check: lint types ## what is quick once it is built: lint, types, the Python tests that are not slow
	$(BIN)/python -m pytest -n 2

compile: .venv/.built ## environment and build only: `.venv/bin/tablemen` and `import tablemen` work afterwards

rust: .venv/.built ## the Rust tests
	cargo test --locked --quiet

lint: .venv/.built needs-lint ## rustfmt, clippy, ruff and the layers of the package
	cargo fmt --check
	cargo clippy --locked --quiet --all-targets -- -D warnings
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	$(BIN)/lint-imports --no-cache --no-logo

types: .venv/.built ## mypy --strict, and the stub against the compiled module
	$(BIN)/mypy --strict
	$(BIN)/python -m mypy.stubtest tablemen._core

play: .venv/.built ## a game of your choice, Kalah through a pipe; make play GAME="kalah --vertical" one that you name
	@if [ -t 0 ]; then $(BIN)/tablemen play $(GAME); else $(BIN)/tablemen play $(or $(GAME),kalah); fi

bench: .venv/.built ## speed beside other libraries, as one table
	$(BIN)/python -m benchmarks

docs: .venv/.built .venv/.docs ## what the pages say of the variants, and the documentation as pages in docs/site
	$(BIN)/python -m tools.pages
	$(BIN)/sphinx-build --quiet --fail-on-warning docs docs/site

clean: ## remove everything that make made
	rm -rf .venv target build dist docs/site python/tablemen/_core.*.so .*_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/make \1\t\2/p' Makefile | expand -t 16

# Stamps: each is touched when its recipe has gone through, and stands until what it was made from changes.

.venv/.tools: requirements/dev.txt | needs
	"$(PYTHON)" -m venv .venv
	$(BIN)/python -m pip install --quiet -r requirements/dev.txt
	@touch $@

.venv/.built: .venv/.tools pyproject.toml $(RUST_SOURCES) | needs
	VIRTUAL_ENV="$(CURDIR)/.venv" $(BIN)/maturin develop --release --locked --quiet
	@touch $@

.venv/.docs: requirements/docs.txt .venv/.tools
	$(BIN)/python -m pip install --quiet -r requirements/docs.txt
	@touch $@

# What a machine must bring; one line says what is missing.

needs:
	@"$(PYTHON)" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo 'tablemen needs Python 3.11 or newer with venv: install it, or name it with make PYTHON=python3.11' >&2; exit 1; }
	@command -v cargo >/dev/null || \
	  { echo 'tablemen needs Rust 1.95 or newer to build: install cargo from https://rustup.rs' >&2; exit 1; }
	@command -v cc >/dev/null || \
	  { echo 'tablemen needs a C linker to build: install gcc or clang, so that cc is there' >&2; exit 1; }

needs-lint: needs
	@cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 || \
	  { echo 'make lint needs rustfmt and clippy: rustup component add rustfmt clippy' >&2; exit 1; }
