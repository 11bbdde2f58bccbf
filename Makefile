# Everything here needs Python 3.11 or newer and make; the rest is installed into .venv.
PYTHON ?= python3
BIN := .venv/bin
REPORT := results/balance-report
GAMES ?= 50000000
LANG_REPORT ?= en
PLAYERS := 3 4 5 6
PRESETS := documented plays_to_win
RUNS := $(foreach preset,$(PRESETS),$(foreach n,$(PLAYERS),$(REPORT)/$(preset)-$(n)p))
# what the bonus of the Coup de Maitre is there for: the same play without it
NO_BONUS := $(REPORT)/plays_to_win-4p-no-bonus
# which open question of the rulebook matters, for each way of playing
RULINGS := $(foreach preset,$(PRESETS),$(REPORT)/rulings-$(preset))
# games of a study's configurations: as many as it has by itself, or GAMES where that is fewer
AT_MOST = --games $(shell [ $(GAMES) -lt $(1) ] && echo $(GAMES) || echo $(1)) --replace
# what lying, fusing and the option bring the one player who does it
ONE := $(REPORT)/what-if-one-plays_to_win

.DEFAULT_GOAL := help
.PHONY: $(ONE) help venv kernels balance-report test thorough agreement statistical tables check lint format golden types contracts bench docs coverage clean $(RUNS) $(NO_BONUS) $(RULINGS)

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

venv: .venv/ready  ## the virtual environment, from constraints.txt

.venv/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[cluster,dev]'
	touch $@

balance-report: $(RUNS) $(NO_BONUS) $(RULINGS) $(ONE)  ## 3 to 6 players, two ways of playing, one report in results/balance-report/ (resumes, or starts over what cannot be; GAMES=N, LANG_REPORT=fr)
	$(BIN)/numbluff report $(RUNS) $(NO_BONUS) $(RULINGS) $(ONE) --lang $(LANG_REPORT) --out $(REPORT)

$(RUNS): .venv/ready
	$(BIN)/numbluff simulate --preset $(subst -, --players ,$(patsubst %p,%,$(notdir $@))) --games $(GAMES) --out $@ --resume --replace

$(NO_BONUS): .venv/ready
	$(BIN)/numbluff simulate --preset plays_to_win --players 4 --set rules.master_bonus=false --games $(GAMES) --out $@ --resume --replace

$(RULINGS): .venv/ready
	$(BIN)/numbluff rulings $(patsubst rulings-%,%,$(notdir $@)) $(call AT_MOST,1000000) --lang $(LANG_REPORT) --out $@ > $@.txt

$(ONE): .venv/ready
	$(BIN)/numbluff what-if-one $(patsubst what-if-one-%,%,$(notdir $@)) $(call AT_MOST,200000) --lang $(LANG_REPORT) --out $@ > $@.txt

# three workers for two cores, as many tests wait for what they started; one runs all of a file, so that what its tests share is made once
TOGETHER := -n 3 --dist loadscope --no-loadscope-reorder

kernels: .venv/ready  ## compiles the kernels that tests play with, two processes at a time
	@printf '%s\n' "--game num_bluff" "--config docs/examples/wide_deck.toml" "--game perudo" | xargs -P 2 -L 1 $(BIN)/numbluff warmup

test: kernels  ## all tests but the three long ones below
	$(BIN)/python -m pytest $(TOGETHER)

thorough: kernels  ## what takes long and seldom breaks alone: pages in their second language, compiled code, memory, more kills
	$(BIN)/python -m pytest $(TOGETHER) -m thorough

agreement: .venv/ready  ## 25,000 games of 250 random configurations, held against the reference engine
	$(BIN)/python -m pytest $(TOGETHER) -m agreement

statistical: .venv/ready  ## exact values, in samples of 10 million games
	$(BIN)/python -m pytest $(TOGETHER) -m statistical

tables: .venv/ready  ## Perudo's solved rounds, anew (some minutes)
	$(BIN)/python -c 'from numbluff_sim.games.perudo.tables import rebuild; rebuild()'

check: .venv/ready  ## the documented claims against a fresh run
	$(BIN)/numbluff check

lint: .venv/ready  ## ruff: rules, and the format of every file
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --diff .

format: .venv/ready  ## lay out every file as the gate wants it
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

golden: .venv/ready  ## games once played stay the same: digests of tallies, by configuration
	$(BIN)/python -m tests.golden.tally_digest check

types: .venv/ready  ## mypy
	$(BIN)/mypy

contracts: .venv/ready  ## who may import whom
	$(BIN)/lint-imports

bench: .venv/ready  ## rounds per second of defined workloads on this machine
	$(BIN)/numbluff bench

docs: .venv/ready  ## generated: RULES, TABLES, CLI; code of a game's rules.toml; lists of pyproject.toml; outputs in PYTHON.md and the notebook
	$(BIN)/python -m numbluff_sim.docs_pages
	$(BIN)/python -m numbluff_sim.project_file
	$(BIN)/python docs/examples/execute.py docs/PYTHON.md docs/examples/notebook.ipynb

coverage: .venv/ready  ## branch coverage of the kernels, run without compiling (tests marked kernels)
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 -m kernels --cov=numbluff_sim.kernels --cov-branch --cov-fail-under=95 --cov-report=term --cov-report=json:.coverage.json
	@$(BIN)/python -c 'import json, sys; p = json.load(open(".coverage.json"))["totals"]["percent_branches_covered"]; print(f"branches: {p:.1f} %"); sys.exit(p < 95)'

clean:  ## caches and build products (not results/)
	rm -rf build dist *.egg-info .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache htmlcov .coverage*
