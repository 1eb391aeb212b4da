"""The rules of a consumer's client."""
