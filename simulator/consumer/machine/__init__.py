"""The consumer machine: its events in their order, its windows, and what the scenario does to it."""
