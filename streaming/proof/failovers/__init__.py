"""Recorded failovers of replica sets: what clients met, measured and predicted."""
