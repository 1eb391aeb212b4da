"""Half messages that their broker ends late or that become readable again, and what of a scenario makes them so."""
