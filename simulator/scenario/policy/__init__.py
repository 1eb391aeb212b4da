"""The policy that a scenario names: its settings, and files of the user's own."""
