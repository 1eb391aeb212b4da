"""What each group reads of a topic: tags and properties, and how long threads are at a message."""
