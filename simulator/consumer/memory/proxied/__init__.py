"""What is remembered of groups that consume over proxies, and of the proxies."""
