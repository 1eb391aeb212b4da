"""Messages under way: every way to send, cut at the moments between which virtual time passes."""
