"""Recorded logs under another client: recorded arrivals and conditions, another way to decide."""
