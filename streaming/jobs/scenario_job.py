"""A scenario as a job of the streaming engine."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

from simulator.plan.run_plan import Plan
from simulator.plan.timetable import announced_events
from simulator.run.simulate import usual_tables
from simulator.scenario import Scenario
from state.tables import TABLES
from streaming.flow.run_spec import RunSpec
from streaming.flow.scenario_feed import plan_of
from streaming.installation.own_version import sendlab_version
from streaming.jobs.job import Job, Run
from streaming.jobs.memory_needs import needs_of
from streaming.kafka.intake.kafka_source import KafkaInput


def _groups(scenario: Scenario) -> list[dict[str, Any]]:
    groups, first = [], 0
    for group, client in zip(scenario.producers, scenario.clients, strict=True):
        sends = {"release": client.release, "strategy": client.send_latency_fault_enable}
        about = {"group": group.group, "first": first, "count": group.count, "threads": group.threads}
        blocked = {"when_thread_blocked": group.when_thread_blocked, "blocking": group.blocking}
        over = {} if group.grpc is None else {"over_proxies": True, "client": group.grpc.client_text}
        groups.append(about | {"mode": group.mode} | blocked | sends | over)
        first += group.count
    return groups


def about_scenario(scenario: Scenario, plan: Plan) -> dict[str, Any]:
    """What run.json says of the scenario."""
    return {
        "sendlab": sendlab_version(),
        "run": plan.run,
        "digest": plan.digest,
        "scenario_name": scenario.name,
        "description": scenario.description,
        "release": scenario.client.release,
        "strategy": scenario.client.send_latency_fault_enable,
        "seed": scenario.seed,
        "duration_us": scenario.duration_us,
        "window_us": scenario.window_us,
        "cells": scenario.cells,
        "brokers": list(scenario.brokers),
        "topics": list(scenario.topics),
        "producer_groups": _groups(scenario),
        "consumer_groups": list(scenario.consumers),
        "usual_tables": list(usual_tables(scenario)),
        "checks_order": any(topic.check_order for topic in scenario.topics.values()),
        "announced": len(plan.cells) * announced_events(plan.observations, plan.windows, plan.window_us),
        "faults": [{**period._asdict(), "label": period.title} for period in scenario.fault_periods()],
        "faults_after_end": [{"at_us": fault.at_us, "label": fault.title} for fault in scenario.faults_after_end()],
        "scenario_yaml": scenario.to_yaml(),
    }


def tables_of(scenario: Scenario) -> tuple[str, ...]:
    """The tables that a job of a scenario writes unless others are asked for."""
    usual = usual_tables(scenario)
    return tuple(name for name in TABLES if name in usual or name == "rejects")


def scenario_job(scenario: Scenario, tables: tuple[str, ...] | None = None, kafka: KafkaInput | None = None) -> Job:
    """The job of a scenario; its events come from topics if `kafka` says so."""
    text = scenario.to_yaml()
    plan = plan_of(text)
    run = Run(
        spec=RunSpec(plan.run, "scenario", text),
        digest=plan.digest,
        settings=plan.settings,
        steps=plan.windows + 1,
        cells=len(plan.cells),
        duration_us=plan.duration_us,
        about=about_scenario(scenario, plan),
        needs=needs_of(scenario),
    )
    named = tables_of(scenario) if tables is None else tables
    return Job((run if kafka is None else _read_from(run, kafka),), named, kafka)


def _read_from(run: Run, kafka: KafkaInput) -> Run:
    """The same run with its events from topics: another run to checkpoints, the same to its state."""
    said = kafka.intake.said
    digest = f"{run.digest}-{hashlib.blake2b(json.dumps(said).encode(), digest_size=4).hexdigest()}"
    return replace(
        run,
        spec=RunSpec(run.spec.run, "kafka", json.dumps({"scenario": run.spec.spec, **said})),
        digest=digest,
        settings={**run.settings, "kafka": said},
        about={**run.about, "digest": digest, "kafka": {"bootstrap": kafka.connection.bootstrap, **said}},
    )
