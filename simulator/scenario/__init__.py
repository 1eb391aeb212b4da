"""A scenario: the YAML that users write, checked key by key and resolved to canonical numbers."""

from simulator.scenario.brokers.broker import Broker
from simulator.scenario.client_settings import ClientSettings
from simulator.scenario.distributions.latency_settings import Exponential, Latency, Lognormal, Uniform
from simulator.scenario.faults.fault_list import Fault, FaultPeriod
from simulator.scenario.loading.scenario_file import changed, load_scenario, parse_scenario
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.reading.scenario_error import ScenarioError
from simulator.scenario.scenario import Scenario
from simulator.scenario.topics import RouteEntry, Topic

__all__ = [
    "Broker",
    "ClientSettings",
    "Exponential",
    "Fault",
    "FaultPeriod",
    "Latency",
    "Lognormal",
    "ProducerGroup",
    "RouteEntry",
    "Scenario",
    "ScenarioError",
    "Topic",
    "Uniform",
    "changed",
    "load_scenario",
    "parse_scenario",
]
