"""Backups and restore, repair, forgetting for good."""
