"""The texts that are printed about scenarios, a file a subject."""
