"""A model of the producer side of a RocketMQ cluster: no Spark, no I/O, no wall clock."""
