"""Which release changed which method of the send path, and what each change means to a sender."""
