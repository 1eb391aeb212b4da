"""From the clients of a scenario to the records of their rules, their views and their fault items."""
