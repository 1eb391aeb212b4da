"""Object stores: tables put there as whole objects, and Spark's part of a checkpoint."""
