"""Java and Spark: the session, its workers, the archive of classes."""
