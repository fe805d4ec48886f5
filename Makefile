# tablemen: `make` builds and tests everything in a fresh clone; `make help` lists the targets.

PYTHON ?= python3
BIN := .venv/bin
GAME ?=
RUST_SOURCES := Cargo.toml Cargo.lock $(shell find crates -name '*.rs' -o -name Cargo.toml)

# Use the same interpreter in every build; otherwise the bindings are compiled again.
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The tests start programs hundreds of times: keep bytecode even if a container image disables it.
unexport PYTHONDONTWRITEBYTECODE
# Bitboards are much faster with these instructions, which nearly every x86-64 processor has. (`target-cpu=native` makes
# some workloads slower, because the compiler then uses vector registers for bitboards.)
ifneq (,$(shell grep -m1 -ow bmi2 /proc/cpuinfo 2>/dev/null))
export RUSTFLAGS ?= -C target-feature=+popcnt,+bmi1,+bmi2,+lzcnt
endif

# Tools that check the page's scripts, if npm is installed. The page itself does not need them.
PAGE_TOOLS := $(if $(shell command -v npm 2>/dev/null),node_modules/.tools)
BROWSERS := chromium-headless-shell chromium chromium-browser google-chrome

# The options of `make asan`, `make miri` and `make deny`. Miri is too slow for the other tests. The check `advisories`
# needs a database that is on GitHub.
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
MIRI_TESTS := parallel platform text transposition work notation::tests pdn::names pdn::tests
DENY_CHECKS ?= licenses bans sources

# The options of `make pins`.
UPGRADE ?= --upgrade
COMPILE_PINS = $(BIN)/uv pip compile --quiet --universal --fork-strategy fewest --python-version 3.11 --generate-hashes \
  --no-annotate --custom-compile-command 'make pins' $(UPGRADE)
NEWEST_PAGE_TOOLS = $(shell node -p 'Object.keys(require("./package.json").devDependencies).join("@latest ")')@latest

# Run two jobs before the tests, because the compiler mostly uses one core. The tests have one process more than there
# are cores, because many of them wait for a browser, a server or a terminal.
JOBS := --no-print-directory --jobs 2
WORKERS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 1) + 1)))

.DEFAULT_GOAL := tests
.DELETE_ON_ERROR:
.PHONY: tests check compile rust lint types page golden play bench dev docs wheel fuzz asan miri deny pins clean help browser style layers mypy stub needs needs-lint \
  needs-nightly needs-miri needs-deny

tests: ## set up, build, lint, type-check and run all tests (the default)
	@$(MAKE) $(JOBS) compile .venv/.tools rust lint types page browser
	$(BIN)/python -m pytest -n $(WORKERS) -m "not deep"

check: ## lint, type-check and run the Python tests that are not slow
	@$(MAKE) $(JOBS) lint types page
	$(BIN)/python -m pytest -n $(WORKERS)

compile: .venv/.built ## set up and build only, for `.venv/bin/tablemen` and `import tablemen`

rust: .venv/.tools ## run the Rust tests
	cargo test --locked --quiet

lint: style layers ## run rustfmt, clippy, ruff, codespell and import-linter

style: .venv/.tools needs-lint
	cargo fmt --check
	cargo clippy --locked --quiet --all-targets -- -D warnings
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	$(BIN)/codespell -D - -D tools/spelling.txt

layers: .venv/.built .venv/.tools
	$(BIN)/lint-imports --no-cache --no-logo

types: mypy stub ## run mypy --strict, and compare the stub with the compiled module

mypy: .venv/.tools
	$(BIN)/mypy --strict

stub: .venv/.built .venv/.tools
	$(BIN)/python -m mypy.stubtest tablemen._core

page: $(PAGE_TOOLS) ## type-check and test the page's scripts, if npm is installed
ifdef PAGE_TOOLS
	node_modules/.bin/tsc --project .
	@output=$$(node --test tests/web/page/*.test.js 2>&1) || { echo "$$output"; exit 1; }
else
	@echo 'npm is not installed; skipping the checks of the page scripts (to run them, install Node.js)' >&2
endif

golden: .venv/.built .venv/.tools ## rewrite the golden files of messages; review the diff before you commit
	TABLEMEN_UPDATE_GOLDEN=1 $(BIN)/python -m pytest --quiet -m golden

dev: .venv/.python ## build with fewer optimisations, which takes seconds after a change in Rust
	@VIRTUAL_ENV="$(CURDIR)/.venv" $(BIN)/maturin develop --locked --quiet >.venv/build.log 2>&1 || { cat .venv/build.log >&2; exit 1; }

play: .venv/.built ## play a game, such as make play GAME="kalah --vertical" (default: a menu, or Kalah through a pipe)
	@if [ -t 0 ]; then $(BIN)/tablemen play $(GAME); else $(BIN)/tablemen play $(or $(GAME),kalah); fi

bench: .venv/.built .venv/.tools ## run the benchmarks and write docs/benchmarks.md
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.environments --record
	$(BIN)/python -m benchmarks.cluster --record

docs: .venv/.built .venv/.docs ## update the generated parts of the pages, and build the documentation in docs/site
	$(BIN)/python -m tools.pages
	$(BIN)/sphinx-build --quiet --fail-on-warning docs docs/site

# A separate target folder, because a wheel must not use instructions that only some processors have.
wheel: .venv/.python ## build a wheel and a source distribution in dist
	RUSTFLAGS= $(BIN)/maturin build --release --locked --sdist --target-dir target/wheel --out dist

fuzz: .venv/.built .venv/.tools ## run a fuzz target, such as make fuzz TARGET=core-fen DURATION=600 (default: each for a minute)
	$(BIN)/python -m fuzz $(or $(TARGET),all) -max_total_time=$(or $(DURATION),60)

# AddressSanitizer and Miri check the memory accesses of the core; the bindings have unsafe code in envs/memory.rs only.
asan: needs-nightly ## run the core's tests with AddressSanitizer, on a nightly compiler
	RUSTFLAGS=-Zsanitizer=address cargo +nightly test --locked --quiet --package tablemen-core --lib --tests \
	  --target $(HOST) --target-dir target/asan

miri: needs-miri ## run the core's tests of memory, threads and text in Miri, on a nightly compiler
	RUSTFLAGS= cargo +nightly miri test --locked --package tablemen-core --lib --target-dir target/miri -- $(MIRI_TESTS)

deny: needs-deny ## check the licences, duplicates and sources of the Rust crates with cargo-deny
	cargo deny --locked check $(DENY_CHECKS)
	cargo deny --locked --config deny.toml --manifest-path fuzz/core/Cargo.toml check $(DENY_CHECKS)

# Each file pins the packages of its `.in` file and all their dependencies, with the hashes of the wheels of every
# platform. Its constraints keep the versions of packages that two files have in common.
pins: .venv/.python ## update all pinned packages to their newest versions; UPGRADE= only adds and removes packages
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/pins.txt
	$(COMPILE_PINS) requirements/run.in --output-file requirements/run.txt
	$(COMPILE_PINS) requirements/dev.in --output-file requirements/dev.txt --constraints requirements/run.txt
	$(COMPILE_PINS) requirements/docs.in --output-file requirements/docs.txt --constraints requirements/dev.txt
	$(COMPILE_PINS) requirements/tune.in --output-file requirements/tune.txt --constraints requirements/dev.txt
	$(COMPILE_PINS) requirements/pins.in --output-file requirements/pins.txt
	npm install --package-lock-only $(if $(UPGRADE),--save-exact --save-dev $(NEWEST_PAGE_TOOLS))
	cargo update $(if $(UPGRADE),,--workspace)
	cargo update $(if $(UPGRADE),,--workspace) --manifest-path fuzz/core/Cargo.toml

clean: ## remove all files created by make
	rm -rf .venv target build dist docs/site docs/variants node_modules python/tablemen/_core.*.so .*_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

help: ## list the targets
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/make \1\t\2/p' Makefile | expand -t 16

# Stamp files: each is touched when its recipe has succeeded.

.venv/.python: requirements/run.txt | needs
	@echo 'Creating .venv and installing the run-time packages …'
	@"$(PYTHON)" -m venv .venv
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements/run.txt
	@touch $@

.venv/.tools: requirements/dev.txt .venv/.python
	@echo 'Installing the development tools …'
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements/dev.txt
	@touch $@

.venv/.built: .venv/.python pyproject.toml $(RUST_SOURCES) | needs
	@echo 'Compiling the Rust core, which takes a minute or two on two cores …'
	@VIRTUAL_ENV="$(CURDIR)/.venv" $(BIN)/maturin develop --release --locked --quiet >.venv/build.log 2>&1 || { cat .venv/build.log >&2; exit 1; }
	@touch $@

.venv/.docs: requirements/docs.txt .venv/.tools
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/docs.txt
	@touch $@

node_modules/.tools: package.json package-lock.json
	npm ci --loglevel error --no-progress >/dev/null
	@touch $@

# The browser tests use Debian's Chromium, and the proxy tests nginx. They are installed if possible; otherwise these
# tests are skipped.

browser:
	@for name in $(BROWSERS); do command -v $$name >/dev/null && exit; done; \
	  [ "$$(id -u)" = 0 ] && { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes \
	    --no-install-recommends chromium-headless-shell fonts-dejavu-core; } >/dev/null 2>&1 || \
	  echo 'Chromium is not installed; skipping the browser tests (to run them, apt-get install chromium-headless-shell)' >&2
	@PATH=$$PATH:/usr/sbin; command -v nginx >/dev/null && exit; \
	  [ "$$(id -u)" = 0 ] && { apt-get update && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install --yes \
	    --no-install-recommends nginx-light; } >/dev/null 2>&1 || \
	  echo 'nginx is not installed; skipping the proxy tests (to run them, apt-get install nginx-light)' >&2

# The tools that must be installed. A missing one is reported on one line.

needs:
	@"$(PYTHON)" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo 'tablemen requires Python 3.11 or newer with venv: install it, or select it with make PYTHON=python3.11' >&2; exit 1; }
	@command -v cargo >/dev/null || \
	  { echo 'building tablemen requires Rust 1.95 or newer: install cargo from https://rustup.rs' >&2; exit 1; }
	@command -v cc >/dev/null || \
	  { echo 'building tablemen requires a C linker: install gcc or clang, which provide cc' >&2; exit 1; }

needs-lint: needs
	@cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 || \
	  { echo 'make lint requires rustfmt and clippy: rustup component add rustfmt clippy' >&2; exit 1; }

needs-nightly:
	@cargo +nightly --version >/dev/null 2>&1 || \
	  { echo 'make asan requires a nightly compiler: rustup toolchain install nightly' >&2; exit 1; }

needs-miri:
	@cargo +nightly miri --version >/dev/null 2>&1 || \
	  { echo 'make miri requires Miri: rustup toolchain install nightly --component miri --component rust-src' >&2; exit 1; }

needs-deny:
	@cargo deny --version >/dev/null 2>&1 || \
	  { echo 'make deny requires cargo-deny: cargo install cargo-deny --locked' >&2; exit 1; }
