"""The rules of a broker that consumers meet."""
