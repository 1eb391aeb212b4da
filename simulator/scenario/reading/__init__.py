"""How a scenario is written: YAML, values with units, RocketMQ's names, the sentences that say what is wrong where."""
