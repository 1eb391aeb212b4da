"""Why something happened in a run: proven by running it again with each suspect left out."""
