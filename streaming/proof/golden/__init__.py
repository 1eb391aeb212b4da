"""Comparing the model with recorded calls of real clients."""
