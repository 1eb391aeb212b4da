"""What the report shows of consumer groups."""
