"""Who answers, and what it costs: engines, prices, the usage ledger, caps and plan room."""
