"""What mqadmin prints: its commands and their columns, and a file a subject that it prints of."""
