"""What `sendlab explain` prints, as texts with ids."""
