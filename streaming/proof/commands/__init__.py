"""What shows that the model is right, a file a verb of `sendlab verify`."""
