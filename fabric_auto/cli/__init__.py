"""Commands only: parse options, call one function, choose the exit code."""
