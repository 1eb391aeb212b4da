"""Predicting a recording from its set-up alone."""
