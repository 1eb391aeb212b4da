"""What stands out in a run: facts from its tables, their causes, and the sentences."""
