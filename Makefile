# Everything a fresh machine needs: `make demo` and `make test` set up by themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export MIEN_COLUMNS ?= 100

.DEFAULT_GOAL := help
.PHONY: help setup web packs system demo test check format lock bench compatibility clean

help:  ## Show the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 12

setup: $(VENV)/.ready web  ## Make .venv with every dependency pinned by hash, and the page

$(VENV)/.ready: requirements.lock pyproject.toml scripts/setup.sh
	@PYTHON="$(PYTHON)" sh scripts/setup.sh $(VENV)
	@touch $@

web:  ## Build the page that mien serve shows (where Node.js is)
	@sh scripts/web.sh

packs: setup  ## Pull the models and assets (verified by hash; resumes)
	@$(BIN)/mien packs pull all

demo: packs  ## Hold a conversation: out/demo.mp4, where the time went, and its lip-sync
	@sh scripts/demo.sh $(BIN) out

system:
	@sh scripts/system.sh

test: packs system  ## Run the tests
	@$(BIN)/python -m pytest -n logical --maxprocesses 4 --dist loadfile --ignore tests/web
	@$(BIN)/python -m pytest tests/web  # alone: a browser that draws without a GPU needs the cores to keep time

check: setup  ## Lint, format, strict types, import rules
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: setup  ## Format the code
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

lock: setup  ## Pin the dependencies again
	@$(BIN)/uv pip compile pyproject.toml --extra all --extra tensorrt-rtx --group dev --universal --python-version 3.11 \
	    --generate-hashes --no-emit-index-url --no-annotate --no-header -o requirements.lock

compatibility: setup  ## Write docs/compatibility.md from the profiles of machines
	@$(BIN)/python -m mien.check.compatibility > docs/compatibility.md

bench: packs  ## Print the figures of this machine
	@$(BIN)/mien bench say

clean:  ## Remove what make made
	rm -rf $(VENV) out web/node_modules src/mien/serve/page .mypy_cache .ruff_cache .pytest_cache
