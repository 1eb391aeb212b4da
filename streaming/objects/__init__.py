"""Object stores: tables put there as whole objects."""
