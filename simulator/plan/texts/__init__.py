"""What is printed about a selector of the user's own."""
