"""What producers know of routes and addresses: polls, and what replaced route objects leave behind."""
