"""What commands of `sendlab verify` print when something is wrong, as texts with ids."""
