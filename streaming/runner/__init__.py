"""What a job and an experiment run their query with: its session, its watch, its tries, what signals ask of it."""
