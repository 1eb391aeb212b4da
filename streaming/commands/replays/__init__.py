"""The verbs for recorded logs."""
