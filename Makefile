# tablemen: `make` does everything from nothing; `make help` lists the rest.

PYTHON ?= python3
BIN := .venv/bin
GAME ?=
RUST_SOURCES := Cargo.toml Cargo.lock $(shell find crates -name '*.rs' -o -name Cargo.toml)

# One interpreter for every build, or changing it would compile the bindings again.
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The tests start programs hundreds of times: each module is compiled once, also where an image says never to keep it.
unexport PYTHONDONTWRITEBYTECODE
# Sets of squares live by these instructions, which nearly every x86-64 processor has. (The rest of `target-cpu=native`
# makes some counts slower: the compiler then puts sets into vector registers.)
ifneq (,$(shell grep -m1 -ow bmi2 /proc/cpuinfo 2>/dev/null))
export RUSTFLAGS ?= -C target-feature=+popcnt,+bmi1,+bmi2,+lzcnt
endif

# What checks the page comes with npm, where that is there. The page itself needs none of it.
PAGE_TOOLS := $(if $(shell command -v npm 2>/dev/null),node_modules/.tools)
BROWSERS := chromium-headless-shell chromium chromium-browser google-chrome

# Two things at a time before the tests: the compiler takes minutes for the package, most of them on one core. The tests
# have a process more than there are cores, because many of them wait for a browser, a server or a terminal.
AT_ONCE := --no-print-directory --jobs 2
WORKERS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 1) + 1)))

.DEFAULT_GOAL := tests
.DELETE_ON_ERROR:
.PHONY: tests check compile rust lint types page golden play bench dev docs wheel clean help browser style layers mypy stub needs needs-lint

tests: ## everything from nothing: environment, build, all tests, lint, types (the default)
	@$(MAKE) $(AT_ONCE) compile .venv/.tools rust lint types page browser
	$(BIN)/python -m pytest -n $(WORKERS) -m "not deep"

check: ## what is quick once it is built: lint, types, the Python tests that are not slow
	@$(MAKE) $(AT_ONCE) lint types page
	$(BIN)/python -m pytest -n $(WORKERS)

compile: .venv/.built ## environment and build only: `.venv/bin/tablemen` and `import tablemen` work afterwards

rust: .venv/.tools ## the Rust tests
	cargo test --locked --quiet

lint: style layers ## rustfmt, clippy, ruff and the layers of the package

style: .venv/.tools needs-lint
	cargo fmt --check
	cargo clippy --locked --quiet --all-targets -- -D warnings
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	$(BIN)/codespell -D - -D tools/spelling.txt

layers: .venv/.built .venv/.tools
	$(BIN)/lint-imports --no-cache --no-logo

types: mypy stub ## mypy --strict, and the stub against the compiled module

mypy: .venv/.tools
	$(BIN)/mypy --strict

stub: .venv/.built .venv/.tools
	$(BIN)/python -m mypy.stubtest tablemen._core

page: $(PAGE_TOOLS) ## the types and the tests of the page's scripts, where npm is there
ifdef PAGE_TOOLS
	node_modules/.bin/tsc --project .
	@said=$$(node --test tests/web/page/*.test.js 2>&1) || { echo "$$said"; exit 1; }
else
	@echo 'There is no npm here, so the scripts of the page are not checked: install it if you change them' >&2
endif

golden: .venv/.built .venv/.tools ## rewrite the golden files of messages; read the diff before you commit it
	TABLEMEN_UPDATE_GOLDEN=1 $(BIN)/python -m pytest --quiet -m golden

dev: .venv/.python ## a build in the development profile: less optimised, but rebuilt in seconds after a change in Rust
	@VIRTUAL_ENV="$(CURDIR)/.venv" $(BIN)/maturin develop --locked --quiet >.venv/build.log 2>&1 || { cat .venv/build.log >&2; exit 1; }

play: .venv/.built ## a game of your choice, Kalah through a pipe; make play GAME="kalah --vertical" one that you name
	@if [ -t 0 ]; then $(BIN)/tablemen play $(GAME); else $(BIN)/tablemen play $(or $(GAME),kalah); fi

bench: .venv/.built .venv/.tools ## speed beside other libraries, and instructions beside the kept counts; writes docs/benchmarks.md
	$(BIN)/python -m benchmarks

docs: .venv/.built .venv/.docs ## what the pages say of the variants, and the documentation as pages in docs/site
	$(BIN)/python -m tools.pages
	$(BIN)/sphinx-build --quiet --fail-on-warning docs docs/site

# Apart from the other builds, because it has none of the instructions that only some processors know.
wheel: .venv/.python ## what others can install, as wheel and as source, in dist
	RUSTFLAGS= $(BIN)/maturin build --release --locked --sdist --target-dir target/wheel --out dist

clean: ## remove everything that make made
	rm -rf .venv target build dist docs/site docs/variants node_modules python/tablemen/_core.*.so .*_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/make \1\t\2/p' Makefile | expand -t 16

# Stamps: each is touched when its recipe has gone through, and stands until what it was made from changes.

.venv/.python: requirements/run.txt | needs
	@echo 'Creating .venv and installing the run-time packages …'
	@"$(PYTHON)" -m venv .venv
	@$(BIN)/python -m pip install --quiet -r requirements/run.txt
	@touch $@

.venv/.tools: requirements/dev.txt .venv/.python
	@echo 'Installing the development tools …'
	@$(BIN)/python -m pip install --quiet -r requirements/run.txt -r requirements/dev.txt
	@touch $@

.venv/.built: .venv/.python pyproject.toml $(RUST_SOURCES) | needs
	@echo 'Compiling the Rust core, which takes a minute or two on two cores …'
	@VIRTUAL_ENV="$(CURDIR)/.venv" $(BIN)/maturin develop --release --locked --quiet >.venv/build.log 2>&1 || { cat .venv/build.log >&2; exit 1; }
	@touch $@

.venv/.docs: requirements/docs.txt .venv/.tools
	$(BIN)/python -m pip install --quiet -r requirements/docs.txt
	@touch $@

node_modules/.tools: package.json package-lock.json
	npm ci --loglevel error --no-progress >/dev/null
	@touch $@

# Whole games are played in Debian's Chromium. Where it can be had, it is; elsewhere those tests are skipped.

browser:
	@for name in $(BROWSERS); do command -v $$name >/dev/null && exit; done; \
	  [ "$$(id -u)" = 0 ] && { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes \
	    --no-install-recommends chromium-headless-shell fonts-dejavu-core; } >/dev/null 2>&1 || \
	  echo 'There is no Chromium here, so the tests in a browser are skipped: apt-get install chromium-headless-shell' >&2

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
