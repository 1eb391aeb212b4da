"""The way of a block: source, operator, steppers, sinks."""
