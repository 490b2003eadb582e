"""Chats brought in from other assistants: recognised, read as a stream, written once each."""
