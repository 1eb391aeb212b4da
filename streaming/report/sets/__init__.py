"""The cards of replica sets: who is master when, and what only the master has."""
