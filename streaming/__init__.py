"""The job: sources, operator, sinks, replay, report and the command line."""
