"""Where two runs part: the first decision that differs, and why."""
