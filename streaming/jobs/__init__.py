"""A streaming job from its start to a clean stop: folders, checkpoint, progress."""
