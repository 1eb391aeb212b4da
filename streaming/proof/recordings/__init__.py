"""Recordings replayed: does the model decide as the recorded clients did?"""
