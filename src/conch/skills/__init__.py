"""Skills: the ways of working a person keeps, and offers made from work that went well (0058)."""
