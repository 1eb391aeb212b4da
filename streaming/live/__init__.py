"""A job seen from outside while it runs: metrics, and a page."""
