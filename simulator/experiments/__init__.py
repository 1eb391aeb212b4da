"""Experiments: arms and seeds, what is measured of each run, how sure that is, and what it says."""
