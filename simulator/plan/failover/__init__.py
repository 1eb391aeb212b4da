"""Who is the master of a replica set, and when: elections, and what follows from them for clients."""
