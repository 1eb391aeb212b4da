"""What every HTML page has: its head and foot, its looks, and the script that draws its pictures."""
