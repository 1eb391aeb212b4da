"""The client's fault table and its detector."""
