# Two commands: `make reproduce` and `make test`. Everything else: `make help`.

PYTHON ?= python3
CORES  ?= all
CONFIG ?= default
SECONDS ?= 600
VENV   := .venv
BIN    := $(VENV)/bin

# The environment is made anew when its two files differ from those it was made from.
SHA256 := $(shell command -v sha256sum || echo shasum -a 256)
STAMP  := $(VENV)/made-from-$(shell cat requirements.lock pyproject.toml | $(SHA256) | cut -c -16)

# config/config.yaml is read by itself; the others are laid over it.
OVERLAY_default :=
OVERLAY_quick   := --configfile config/quick.yaml
OVERLAY_paper   := --configfile config/paper.yaml
OVERLAY_frontier := --configfile config/frontier.yaml

ifeq ($(filter quick default paper frontier,$(CONFIG)),)
$(error CONFIG=$(CONFIG): must be quick, default, paper or frontier)
endif

# An experiment that the default does not have is published beside it.
PUBLISHED := docs/results$(if $(filter frontier,$(CONFIG)),/frontier)

.DEFAULT_GOAL := help
.PHONY: help setup reproduce report publish verify test test-all fuzz lock lint dist bench clean

help:
	@echo 'make reproduce [CONFIG=quick|default|paper|frontier] [CORES=n]   run the experiments -> results/CONFIG/'
	@echo 'make report    [CONFIG=...]   a page of them -> results/CONFIG/report.html'
	@echo 'make publish   [CONFIG=...]   copy figures, tables, report, provenance -> docs/results/, or docs/results/frontier/,'
	@echo '                               and who made what from what -> ro-crate-metadata.json'
	@echo 'make verify    [CONFIG=...]   do a sample of the published runs again, and compare them to the bit'
	@echo 'make test      lint, then the tests, the quick workflow among them'
	@echo 'make test-all  the same, each fault tried twenty times (-> docs/reliability.md), more random inputs: hours'
	@echo 'make fuzz      random input for every reader, guided by coverage, SECONDS=600'
	@echo 'make lint      format, style, types and the directions of imports alone'
	@echo 'make dist      build the source distribution and the wheel, and test them -> dist/'
	@echo 'make docs      build the manual -> docs/_build/html/index.html'
	@echo 'make bench     speed of the kernels beside its goals, see docs/benchmarks.md'
	@echo 'make lock      add the hashes of all files to requirements.lock'
	@echo 'make setup     make .venv from requirements.lock; the other targets do it when it is needed'
	@echo 'make clean     remove .venv and caches, keep results/'

setup: $(STAMP)

$(STAMP):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'antdoku: error: $(PYTHON) is older than 3.11: name a newer one with PYTHON=' >&2; exit 2; }
	@echo 'Setting up $(VENV) from requirements.lock (about a minute) ...'
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

reproduce: $(STAMP)
	@echo 'Running the experiments of CONFIG=$(CONFIG) on CORES=$(CORES) -> results/$(CONFIG)/'
	$(BIN)/snakemake --cores $(CORES) --logger rich $(OVERLAY_$(CONFIG))
	@echo 'Done: results/$(CONFIG)/report.html, its figures and tables beside it'

report: $(STAMP)
	@echo 'Writing results/$(CONFIG)/report.html'
	$(BIN)/snakemake --cores $(CORES) $(OVERLAY_$(CONFIG)) results/$(CONFIG)/report.html

publish: $(STAMP)
	@echo 'Copying results/$(CONFIG) -> $(PUBLISHED)'
	@mkdir -p $(PUBLISHED)/figures $(PUBLISHED)/tables
	cp results/$(CONFIG)/figures/*.png $(PUBLISHED)/figures/
	cp results/$(CONFIG)/tables/*.csv results/$(CONFIG)/tables/claims.md results/$(CONFIG)/tables/runs.parquet \
	  $(PUBLISHED)/tables/
	cp results/$(CONFIG)/provenance.json results/$(CONFIG)/report.html $(PUBLISHED)/
	$(BIN)/snakemake $(OVERLAY_$(CONFIG)) --detailed-summary > $(PUBLISHED)/files.tsv
	$(BIN)/python -m antdoku.report.crate $$(find docs/results -name files.tsv -exec dirname {} \; | sort)

verify: $(STAMP)
	@echo 'Doing a sample of the published runs again'
	$(BIN)/python -m antdoku.verification $(PUBLISHED) $(VERIFY)

test: lint
	@echo 'Testing, the quick workflow among the first'
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder --durations 5 tests

test-all: lint
	@echo 'Trying each fault twenty times'
	rm -f faults.jsonl
	ANTDOKU_FAULTS=20 ANTDOKU_FAULTS_RECORD=$(CURDIR)/faults.jsonl ANTDOKU_EXAMPLES=5000 \
	  $(BIN)/python -m pytest --durations 5 tests
	$(BIN)/python tests/workflow/fault_table.py faults.jsonl docs/reliability.md

fuzz: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps atheris==3.0.0
	$(BIN)/python tests/fuzz.py $(SECONDS)

lock: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --no-deps --no-annotate --no-header --universal \
	  --generate-hashes requirements.lock -o requirements.hashed
	{ grep '^#' requirements.lock; cat requirements.hashed; } > requirements.new
	mv requirements.new requirements.lock
	rm requirements.hashed

lint: $(STAMP)
	@echo 'Checking format, style, types and the directions of imports'
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/snakemake --lint

dist: $(STAMP)
	@echo 'Building dist/, and testing it in empty environments'
	rm -rf dist build
	$(BIN)/python -m build --no-isolation
	ANTDOKU_DIST=$(CURDIR)/dist $(BIN)/python -m pytest tests/test_wheel.py

# Sphinx and its extensions are added when they are needed: set-up stays quick.
DOCS_STAMP := $(VENV)/docs-made-from-$(shell $(SHA256) < docs/requirements.lock | cut -c -16)

$(DOCS_STAMP): $(STAMP)
	@echo 'Adding docs/requirements.lock to $(VENV)'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r docs/requirements.lock
	@touch $@

.PHONY: docs
docs: $(DOCS_STAMP)
	@echo 'Building the manual: half a minute, a minute more where kernels have to be compiled'
	@$(BIN)/python -m sphinx --quiet --nitpicky --fail-on-warning --keep-going docs docs/_build/html
	@echo 'Done: docs/_build/html/index.html'

bench: $(STAMP)
	@echo 'Measuring the speed of the kernels'
	$(BIN)/python benchmarks/kernels.py

clean:
	@echo 'Removing $(VENV) and caches'
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist src/*.egg-info \
	  docs/_build docs/tutorials docs/repository
