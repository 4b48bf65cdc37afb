"""What each switch model is: ports, lanes, breakouts, limits. YAML data, each fact with its source."""
