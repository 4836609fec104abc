# Two commands: `make reproduce` and `make test`. Everything else: `make help`.

PYTHON ?= python3
CORES  ?= all
CONFIG ?= default
VENV   := .venv
BIN    := $(VENV)/bin

# The environment is made again when one of these two files has changed.
SHA256 := $(shell command -v sha256sum || echo shasum -a 256)
STAMP  := $(VENV)/made-from-$(shell cat requirements.lock pyproject.toml | $(SHA256) | cut -c -16)

# A misspelt variable would be ignored, and the default would run.
ASSIGNED := $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name)))
UNKNOWN  := $(filter-out PYTHON CORES CONFIG ARCHIVE VERIFY VENV BIN SHELL MAKEFLAGS,$(ASSIGNED))
ifneq ($(UNKNOWN),)
$(error unknown variable $(UNKNOWN): known are CONFIG, CORES, PYTHON, ARCHIVE, VERIFY)
endif

# antdoku always reads config/config.yaml. These files, shipped ones or your own, are laid over it.
FILES := $(foreach word,$(filter-out default,$(CONFIG)),$(firstword $(wildcard config/$(word).yaml) $(word)))
NONE  := $(filter-out $(wildcard $(FILES)),$(FILES))
ifneq ($(NONE),)
$(error CONFIG=$(CONFIG): must be quick, default, lloyd_amos, paper, archive, frontier, mutants, decide, readings, replicate, studies (bve, sensitivity, scaling, tails) or files: there is no $(NONE))
endif
ifneq ($(filter $(CURDIR)/config $(CURDIR)/config/config.yaml,$(abspath $(CONFIG))),)
$(error CONFIG=$(CONFIG): config/config.yaml is always read: leave it out, or write CONFIG=default to run it alone)
endif
OVERLAYS := $(if $(FILES),--configfile $(FILES))
# The name of the results, and the names of results that the verdicts pool with the default. Both are
# asked when a target first needs them.
NAME   = $(eval NAME := $(shell $(BIN)/python -m antdoku.config $(FILES)))$(NAME)
POOLED = $(eval POOLED := $(shell $(BIN)/python -c 'from antdoku.report.record import POOLED as P; print(*P)'))$(POOLED)
# Results with a folder in docs/results. Pooled results have no figures there.
WITH_FIGURES := archive frontier mutants bve sensitivity scaling tails
WITH_FOLDER   = $(WITH_FIGURES) $(POOLED)
PUBLISHED     = docs/results$(if $(filter $(WITH_FOLDER),$(NAME)),/$(NAME))

# The instances of Lloyd & Amos have no licence: only their authors' repository holds them.
ARCHIVE       :=
INSTANCES     := data/lloyd_amos_archive
AUTHORS       := https://github.com/huwlloyd-mmu/sudoku_acs
AUTHORS_STATE := 5181658dd674731029e7703241cfd22c3d3c936d
LACKS_INSTANCES = $(if $(wildcard $(INSTANCES)),,$(filter archive archive_range mutants bve sensitivity tails,$(NAME)))

# uv takes a tenth of the time of pip; the first import then writes the bytecode. If uv cannot be
# installed, or finds no packages, pip installs the same.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps
UV  := $(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup checked reproduce report publish verify test test-all lock lint kernels dist bench archive clean

help:
	@echo 'make reproduce [CONFIG=quick|default|lloyd_amos|paper|archive|frontier|mutants|decide|readings|replicate|studies] [CORES=n]   run the experiments -> results/NAME/'
	@echo 'make reproduce CONFIG="quick mine.yaml"   your own files, each laid over the files before it'
	@echo 'make archive   [ARCHIVE=folder]   the instances of Lloyd & Amos, from their repository or a folder -> $(INSTANCES)/'
	@echo 'make report    [CONFIG=...]   write the report -> results/NAME/report.html'
	@echo 'make publish   [CONFIG=...]   copy figures, tables, report, provenance -> docs/results/, or a folder in it'
	@echo 'make verify    [CONFIG=...]   repeat a sample of the published runs, and compare them to the bit'
	@echo 'make test      lint, then the tests with the quick workflow'
	@echo 'make test-all  lint, then all tests: more random input, faults on a cluster, other Pythons, arm64'
	@echo 'make lint      format, style, types and the directions of imports alone'
	@echo 'make dist      build the source distribution and the wheel, and test them -> dist/'
	@echo 'make docs      build the manual -> docs/_build/html/index.html'
	@echo 'make bench     speed of the kernels and its goals, see docs/benchmarks.md'
	@echo 'make lock      add the hashes of all packages to requirements.lock, and write the conda environments'
	@echo 'make setup     make .venv from requirements.lock; the other targets do so if necessary'
	@echo 'make clean     remove .venv and caches, keep results/'

setup: $(STAMP)

$(STAMP):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'antdoku: error: $(PYTHON) is older than 3.11: name a newer one with PYTHON=' >&2; exit 2; }
	@echo 'Setting up $(VENV) from requirements.lock (up to a minute) ...'
	@$(PYTHON) -m venv --clear $(VENV)
	@awk '/^[a-z]/ {is_uv = /^uv==/} is_uv' requirements.lock > $(VENV)/uv.txt
	@{ $(PIP) -r $(VENV)/uv.txt && $(UV) --require-hashes -r requirements.lock && \
	  $(UV) --no-build-isolation -e .; } 2> $(VENV)/uv.log || \
	  { $(PIP) -r requirements.lock && $(PIP) --no-build-isolation -e .; }
	@touch $@

# Python prints the first mistake of the configuration, and then no name.
checked: $(STAMP)
	@[ -n '$(NAME)' ] || exit 2

reproduce: checked
	@echo 'Running the experiments of CONFIG=$(CONFIG) on CORES=$(CORES) -> results/$(NAME)/'
	@$(BIN)/snakemake --cores $(CORES) $(OVERLAYS)

archive: $(STAMP)
	@echo 'Copying the instances of Lloyd & Amos from $(or $(ARCHIVE),$(AUTHORS)) -> $(INSTANCES)/'
ifeq ($(ARCHIVE),)
	@rm -rf data/sudoku_acs
	git clone --quiet --config core.autocrlf=false $(AUTHORS) data/sudoku_acs
	git -C data/sudoku_acs checkout --quiet $(AUTHORS_STATE)
endif
	@mkdir -p $(INSTANCES)
	@find '$(or $(ARCHIVE),data/sudoku_acs)' -name 'inst*.txt' -exec cp {} $(INSTANCES) ';'
	@rm -rf data/sudoku_acs
	@[ "$$(ls $(INSTANCES) | wc -l)" -eq 6300 ] || \
	  { echo 'antdoku: error: $(INSTANCES) must hold the 6300 files of Lloyd & Amos' >&2; exit 2; }

report: checked
	@echo 'Writing results/$(NAME)/report.html'
	@$(BIN)/snakemake --cores $(CORES) results/$(NAME)/report.html $(OVERLAYS)

# Results without a folder would replace the published results of the default.
publish: checked
	@[ -n '$(filter default $(WITH_FOLDER),$(NAME))' ] || { \
	  printf '%s' '$(PUBLISHED) holds the results of the default: overwrite them with the results of $(NAME)? [y/N] '; \
	  read answer && [ "$$answer" = y ] || { echo 'nothing is copied'; exit 1; }; }
	@echo 'Copying results/$(NAME) -> $(PUBLISHED)'
	@mkdir -p $(PUBLISHED)/tables
	cp results/$(NAME)/runs.parquet $(PUBLISHED)/tables/
	cp results/$(NAME)/provenance.json $(PUBLISHED)/
	[ -n '$(filter $(POOLED),$(NAME))' ] || { mkdir -p $(PUBLISHED)/figures && \
	  cp results/$(NAME)/figures/*.png $(PUBLISHED)/figures/ && \
	  cp results/$(NAME)/tables/*.csv $(PUBLISHED)/tables/; }
	[ ! -d results/$(NAME)/thresholds ] || cp -r results/$(NAME)/thresholds $(PUBLISHED)/
	[ $(PUBLISHED) != docs/results ] || cp results/$(NAME)/example.json results/$(NAME)/recording.json $(PUBLISHED)/
	$(BIN)/python -m antdoku.report.record docs/results
	$(BIN)/python -m antdoku.report.published docs/results $(filter-out archive,$(filter $(WITH_FIGURES),$(NAME)))

verify: checked
	@$(if $(LACKS_INSTANCES), \
	  echo 'verify: skipped: no instances of Lloyd & Amos in $(INSTANCES): make archive gets them', \
	  echo 'Repeating a sample of the published runs' && \
	  $(BIN)/python -m antdoku.runs.verification $(PUBLISHED) $(VERIFY))

# Kernels are compiled once, beside lint: each process of the tests would compile them again.
test: $(STAMP)
	@$(MAKE) --no-print-directory --jobs 2 lint kernels
	@echo 'Testing, with the quick workflow'
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder --durations 25 tests

test-all: lint
	@echo 'Testing, with the thorough tests'
	ANTDOKU_EXAMPLES=5000 $(BIN)/python -m pytest -m "" --durations 25 tests
	tests/machines/pythons.sh
	tests/machines/arm64.sh

lock: $(STAMP)
	$(PIP) $$(grep -o '^uv==[0-9.]*' requirements.lock)
	$(BIN)/uv pip compile --quiet --no-deps --no-annotate --no-header --universal \
	  --generate-hashes requirements.lock -o requirements.hashed
	{ grep '^#' requirements.lock; cat requirements.hashed; } > requirements.new
	mv requirements.new requirements.lock
	rm requirements.hashed
	for file in environment.yml workflow/envs/antdoku.yaml; do \
	  { sed '/^  - pip:/q' $$file; awk '/^[a-z].*==/ {print "      - " $$1}' requirements.lock; } > $$file.new && \
	  mv $$file.new $$file; done
	echo '      - --editable .' >> environment.yml

# Solvers of users may lie beside these folders.
CODE := benchmarks docs src tests workflow

lint: $(STAMP)
	@echo 'Checking format, style, types and the directions of imports'
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/snakemake --lint

COMPILING := import antdoku; from antdoku import solvers; \
  [antdoku.solve("named:platinumblond", name, max_steps=2) for name in solvers.names()]; \
  antdoku.count("named:platinumblond")

kernels: $(STAMP)
	@$(BIN)/python -c '$(COMPILING)'

dist: $(STAMP)
	@echo 'Building dist/, and testing it in empty environments'
	rm -rf dist build
	$(BIN)/python -m build --no-isolation
	ANTDOKU_DIST=$(CURDIR)/dist $(BIN)/python -m pytest -m "" tests/test_wheel.py

# Only the targets of the manual add Sphinx and its extensions: set-up stays quick.
DOCS_STAMP := $(VENV)/docs-made-from-$(shell $(SHA256) < docs/requirements.lock | cut -c -16)

$(DOCS_STAMP): $(STAMP)
	@echo 'Adding docs/requirements.lock to $(VENV)'
	@$(UV) --require-hashes -r docs/requirements.lock 2> $(VENV)/uv.log || $(PIP) -r docs/requirements.lock
	@touch $@

.PHONY: docs sphinx
sphinx: $(DOCS_STAMP)

docs: $(DOCS_STAMP)
	@echo 'Building the manual: some two minutes of CPU time'
	@$(BIN)/python -m sphinx --quiet --nitpicky --fail-on-warning --keep-going docs docs/_build/html
	@echo 'Done: docs/_build/html/index.html'

bench: $(STAMP)
	@echo 'Measuring the speed of the kernels'
	$(BIN)/python benchmarks/kernels.py

clean:
	@echo 'Removing $(VENV) and caches'
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist src/*.egg-info \
	  docs/_build docs/tutorials docs/repository docs/reference/generated
