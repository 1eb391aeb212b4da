"""A file a verb of `sendlab verify`."""
