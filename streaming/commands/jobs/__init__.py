"""The commands about a job that runs or has run."""
