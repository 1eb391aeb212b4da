"""Policies of users: a file to begin with, and whether one keeps to what it must."""
