"""Cards of the report about consumer groups."""
