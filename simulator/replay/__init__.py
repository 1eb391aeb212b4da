"""Replay of a recording: recorded arrivals and outcomes in, the model's decisions out. Nothing recorded corrects it."""
