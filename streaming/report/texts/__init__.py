"""What findings and pages say, as texts with ids."""
