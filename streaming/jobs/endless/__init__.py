"""A job without an end: what may not end, and how often what failed begins again."""
