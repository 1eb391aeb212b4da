"""Whether to try again, and after which time: one file for each discipline."""
