"""Logs of real clients as traces: one file a format, and what a trace is."""
