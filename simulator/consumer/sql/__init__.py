"""SQL92 expressions of subscriptions: what a broker of a release makes of them, and which properties they take."""
