"""Findings of a run: their causes and the sentences."""
