"""Why things happened in a run: proven by running its scenario again without each suspect, kept beside the output."""
