"""The verbs for recorded nights."""
