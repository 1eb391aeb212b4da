"""Half messages that their broker ends late, and what of a scenario makes them late."""
