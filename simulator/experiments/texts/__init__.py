"""What is printed about experiments and their measures."""
