"""The network between instances and brokers: who reaches whom, and what a client makes of a cut."""
