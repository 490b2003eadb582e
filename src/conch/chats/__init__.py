"""The chat log: what was said and done, kept as it happened, and read back as turns and steps."""
