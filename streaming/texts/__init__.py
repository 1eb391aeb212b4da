"""The texts that commands and jobs print, a file a subject."""
