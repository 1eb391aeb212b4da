"""Recordings of real consumers: read, measured, predicted."""
