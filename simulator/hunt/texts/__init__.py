"""What is printed about hunts."""
