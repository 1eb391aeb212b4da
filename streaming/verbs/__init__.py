"""The command line by subject: what each verb is asked, and which command answers."""
