"""What may have caused what happens in a run, and what a run without it is called."""
