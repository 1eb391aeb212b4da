"""Rules of consumers and brokers that need no more than their arguments; recorded cases are compared with them."""
