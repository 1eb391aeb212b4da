"""What proves the model: recorded clients, predictions, incidents, published figures, and their verbs."""
