"""Recordings of real clients: reading them, their clocks, and what the model decides in their place."""
