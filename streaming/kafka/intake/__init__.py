"""Records of topics on their way to the cells of a run."""
