"""The stateful operator of a job: steppers, each a cell between two micro-batches."""
