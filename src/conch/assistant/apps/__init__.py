"""Other programs as apps: MCP servers a person set up, their tools as steps."""
