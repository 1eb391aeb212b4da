# Everything a person does with a checkout, one word each. `make` alone lists the words.
# Needs python3 3.11 or newer with its venv module; the rest is installed into .venv (and Java through apt).

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup run whatif kafka-demo test check checked docs dist container cluster bench large same-rows kip-794 soak chaos damage fuzz alerts pictures predictions published lint format clean FORCE

PY := .venv/bin/python
# Two processes, the tests of a file in one of them: each opens one Spark session at most. The longest files are first.
# Their bytecode is kept: without it each process spends half of the time until its first test on compiling them.
PYTEST := PYTHONDONTWRITEBYTECODE= $(PY) -m pytest -n 2 --dist loadfile --no-loadscope-reorder
# The tests that need neither Spark nor a whole scenario, and the recorded real clients.
QUICK := tests/house tests/state tests/golden tests/simulator/client tests/simulator/plan tests/simulator/scenario
# What exercises the compiled model most: recorded clients, live recordings, properties.
CHECKED := tests/golden tests/simulator/engine tests/simulator/replay tests/simulator/run tests/streaming/recording
# Scenarios that are hunted with every row held against what no run may break: elections, POP, pull and gRPC groups, transactions.
HUNTED := failover client-kinds transactions
MODEL := $(shell find simulator state -name '*.py' 2>/dev/null)
STREAMING := $(shell find streaming -name '*.py' 2>/dev/null)

help:  ## list these targets
	@sed -n 's/^\([a-z0-9-]*\):.*  ## \(.*\)/  make \1|\2/p' $(firstword $(MAKEFILE_LIST)) | awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'

setup: .venv/.installed  ## create .venv, install Java if missing, compile the model
	@bash conf/setup/java.sh
	@bash conf/setup/jars.sh kafka Kafka
	@$(MAKE) --no-print-directory -s .cache/bytecode .cache/warmed

run: setup  ## simulate the quickstart scenario and write its report to out/quickstart
	@.venv/bin/sendlab run conf/scenarios/quickstart.yaml --out out/quickstart --fresh
	@.venv/bin/sendlab report out/quickstart

whatif: setup  ## compare two client releases under a hang over 20 seeds, and write the page
	@.venv/bin/sendlab whatif conf/experiments/release-under-a-hang.yaml --out out/release-under-a-hang

kafka-demo: setup  ## publish -> Kafka -> job -> Kafka with a local broker that is killed on the way (two minutes)
	@$(PY) -m streaming.kafka.demo

test: setup  ## lint, then every test (installs Chromium if missing: the report is looked at in it)
	@bash conf/setup/chromium.sh
	@bash conf/setup/jars.sh objects "a checkpoint on S3"
	@bash conf/setup/docs.sh
	@$(MAKE) --no-print-directory lint
	@$(PYTEST)

check: setup  ## lint and the quick tests, in two minutes: rules, scenarios, golden recordings, the house
	@$(MAKE) --no-print-directory lint
	@$(PYTEST) -q $(QUICK)

checked: setup  ## recordings, model tests and short hunts with every memory index checked
	@SENDLAB_CHECKED=1 $(PYTEST) -q --timeout 900 $(CHECKED)
	@for name in $(HUNTED); do SENDLAB_CHECKED=1 .venv/bin/sendlab hunt conf/scenarios/$$name.yaml --fresh --at-most 3 \
	  --schedules 20 --objective 'lost >= 0' --out out/checked/$$name || exit 1; done

bench: setup  ## measure speed on this machine
	@$(PY) -m tests.bench

large: setup  ## measure very large runs and write their table in docs/scale.md (an hour or more; ARGS="--share 10", ARGS="--only sends_1e9")
	@$(PY) -m tests.bench.large $(ARGS)

# Worktrees may share one .venv: it is not installed again for each.
same-rows: $(if $(wildcard $(PY)),,setup)  ## compare every row and state of conf/ with those of another commit: BASE=main (some minutes)
	@$(PY) -m tests.same_rows $(BASE)

kip-794: setup  ## compare KIP-794's published partitioner figures with the simulation: means, p99 and ratios
	@$(PY) -m tests.simulator.policies.kip_794

docs: setup  ## build the documentation site with search in out/docs; a dead link fails
	@bash conf/setup/docs.sh
	@$(PY) -m tests.site out/docs

dist: setup  ## the wheel and the archive with which spark-submit runs it on a cluster, in dist/
	@bash conf/setup/dist.sh

container:  ## build the container file without a daemon (buildah), and run both engines in it (some minutes)
	@bash conf/setup/container.sh

cluster: dist  ## the same rows on a standalone cluster of two workers on loopback: run, whatif, and spark-submit of dist/
	@$(PY) -m tests.endurance.cluster

soak: setup  ## run a job for 30 minutes at full speed: memory, files and batches must stay flat
	@$(PY) -m tests.endurance.soak

chaos: setup  ## kill a job a hundred times at random: its rows must equal those of an undisturbed one
	@$(PY) -m tests.endurance.chaos --kills 70
	@$(PY) -m tests.endurance.chaos --kills 30 --source kafka

damage: setup  ## damage every file of a run's output and checkpoint: each command must report it and leave the rest
	@$(PY) -m tests.endurance.damage

fuzz: setup  ## fuzz 100,000 records, 100,000 log lines, 10,000 scenario files, and decompression bombs
	@$(PY) -m tests.endurance.fuzz

alerts:  ## test the alert rules of conf/deploy with promtool
	@bash conf/setup/promtool.sh
	@.cache/promtool check rules conf/deploy/prometheus-alerts.yaml
	@.cache/promtool test rules tests/endurance/alerts.yaml

pictures: setup  ## update the pictures of docs/ from the current scenarios
	@bash conf/setup/chromium.sh
	@$(PY) -m tests.pictures

predictions: setup  ## predict every recording and write docs/predictions*.md (some minutes)
	@$(PY) -m tests.consumer_predictions_page docs/predictions-consumers.md conf/traces/consumers
	@$(PY) -m tests.consumer_predictions_page docs/predictions-failover.md conf/traces/failover
	@$(PY) -m tests.consumer_predictions_page docs/predictions-grpc.md conf/traces/grpc
	@$(PY) -m tests.predictions_page docs/predictions.md

published: setup  ## simulate what others measured and write the tables of docs/published.md (some minutes)
	@.venv/bin/sendlab verify published --out docs/published.md

lint: .venv/.installed  ## ruff, mypy, and the sentences of documents and data files, changing nothing
	@.venv/bin/ruff check -q --output-format concise .
	@.venv/bin/ruff format --check -q --output-format concise . || { echo 'Some files are not formatted: make format'; exit 1; }
	@.venv/bin/mypy --no-error-summary
	@$(PY) -m tests.site.sentences

format: .venv/.installed  ## let ruff format the code and fix what it can
	@.venv/bin/ruff check -q --fix-only .
	@.venv/bin/ruff format -q .

clean:  ## delete build products, caches and out/ (.venv stays)
	@rm -rf out build dist .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis spark-warehouse metastore_db derby.log ./*.egg-info
	@find . -path ./.venv -prune -o -path ./.git -prune -o -type d -name __pycache__ -exec rm -rf {} +

# A .venv that was moved or copied with its folder points at the old place: install again.
ifneq ($(shell cat .venv/.installed 2>/dev/null),$(CURDIR))
.venv/.installed: FORCE
endif
.venv/.installed: pyproject.toml conf/constraints.txt
	@bash conf/setup/venv.sh

# Where Python may not write bytecode (PYTHONDONTWRITEBYTECODE), every start would compile a thousand modules again.
.cache/bytecode: .venv/.installed $(MODEL) $(STREAMING)
	@$(PY) -m compileall -q simulator state streaming && mkdir -p .cache && touch $@

# The compiled model is kept in .cache, by digest of its sources.
.cache/warmed: .venv/.installed $(MODEL) $(wildcard streaming/spark/*.py) streaming/jobs/archive_maker.py
	@bash conf/setup/warm.sh
