"""Figures that others published, and what the simulation gives for them: a file a set-up."""
