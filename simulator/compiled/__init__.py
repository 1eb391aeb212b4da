"""How rules become machine code, and how they see memory."""
