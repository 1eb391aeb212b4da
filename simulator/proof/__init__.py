"""What only shows that the model is right: incidents of public reports, and parts of real clients that run nothing."""
