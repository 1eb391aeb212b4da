"""A job that is changed while it runs, or between two starts."""
