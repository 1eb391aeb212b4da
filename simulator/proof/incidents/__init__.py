"""Public incident reports as scenarios: what was reported, and whether the model shows it."""

from simulator.proof.incidents.incident import Incident
from simulator.proof.incidents.incident_file import Loaded, load_incident, load_incidents
from simulator.proof.incidents.runner import Finding, run_incident

__all__ = ["Finding", "Incident", "Loaded", "load_incident", "load_incidents", "run_incident"]
