"""From recorded attempts to a scenario: who sends how much, how fast each broker answers, and what went wrong when."""
