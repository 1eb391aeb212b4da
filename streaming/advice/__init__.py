"""Advice for a scenario's client: the trial through Spark, and its page."""
