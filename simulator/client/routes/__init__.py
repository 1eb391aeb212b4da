"""What the client knows of a topic's route."""
