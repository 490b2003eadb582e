"""Conch: a personal assistant on your own computer that learns, and says so."""
