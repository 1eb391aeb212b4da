"""Experiments as one streaming query: a list of runs in, what each came to out."""
