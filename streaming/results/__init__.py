"""A result of `simulate` as a summary, a report, a frame, a plot."""
