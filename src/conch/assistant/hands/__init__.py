"""What the assistant does things with: commands, files, pages, and the copies that undo them."""
